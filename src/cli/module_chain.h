// Where the commands get modules from: what is built into opm first, then elsewhere.
#pragma once

#include "cue/module/build_list.h"
#include "cue/module/source.h"

namespace opm::cli {

class ModuleChain {
 public:
  struct Options {
    bool builtin = true;  // --no-builtin turns it off
  };
  explicit ModuleChain(const Options& options);

  cue::module::ModuleSources& sources() { return sources_; }
  // For LoadOptions::resolver; a load at a time.
  cue::module::ModuleResolver& resolver() { return resolver_; }

 private:
  cue::module::ModuleSources sources_;
  cue::module::BuildListResolver resolver_;
};

}  // namespace opm::cli
