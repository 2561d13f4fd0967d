// What a module has to list in cue.mod/module.cue: exactly the modules that its packages
// import, directly or not, each at the version that the build uses.
#pragma once

#include <expected>
#include <vector>

#include "cue/load/load.h"
#include "cue/module/module_file.h"
#include "cue/module/source.h"
#include "diag/diagnostic.h"
#include "diag/source.h"

namespace opm::cue::load {

enum class TidyMode : std::uint8_t {
  update,      // modules that are missing are looked for
  local_only,  // the same, but only what is used on this disk is made tidy: local-module.cue
  check,       // that one is missing is an error
};

struct TidyResult {
  module::ModuleFile before;
  module::ModuleFile after;
  std::string module_root;
  std::string local_before;  // cue.mod/local-module.cue; empty: there is none
  std::string local_after;

  bool changed() const;
  bool published_changed() const;  // module.cue
};

// The main module is found as for loading; `options.resolver` is not used.
std::expected<TidyResult, std::vector<diag::Diagnostic>> tidy(TidyMode mode, const LoadOptions& options,
                                                              module::ModuleSources& modules,
                                                              diag::SourceMap& sources);

}  // namespace opm::cue::load
