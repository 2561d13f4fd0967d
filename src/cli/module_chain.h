// Where the commands get modules from: what is built into opm first, then what was downloaded before, then a registry.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "cli/output.h"
#include "cue/module/build_list.h"
#include "cue/module/cache.h"
#include "cue/module/source.h"

namespace opm::oci {
class ModuleRegistry;
}

namespace opm::cli {

class ModuleChain {
 public:
  struct Options {
    bool builtin = true;    // --no-builtin turns it off
    std::string registry;   // in the notation of CUE_REGISTRY; empty: there is none
    bool lazily = false;    // what is wrong with `registry` is told only when something is asked of it
    Output* err = nullptr;  // where the progress of downloads is shown, if that is a terminal
  };
  // The error says what is wrong with the options. Nothing is asked of a registry yet.
  static std::expected<std::unique_ptr<ModuleChain>, std::string> open(const Options& options);
  ~ModuleChain();

  cue::module::ModuleSources& sources() { return *sources_; }
  // For LoadOptions::resolver; a load at a time.
  cue::module::ModuleResolver& resolver() { return *resolver_; }
  // To publish to; nullptr: no registry is set.
  oci::ModuleRegistry* registry();

 private:
  struct Network;  // everything that it takes to ask a registry
  ModuleChain();

  std::unique_ptr<Network> network_;
  std::unique_ptr<cue::module::ModuleCache> cache_;
  std::unique_ptr<cue::module::ModuleSources> sources_;
  std::unique_ptr<cue::module::BuildListResolver> resolver_;
};

}  // namespace opm::cli
