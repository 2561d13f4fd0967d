// What to render and how. The caller has resolved flags, environment and configuration already; a render reads nothing
// but the files named here and what the resolver gives it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/file_system.h"
#include "base/workers.h"
#include "cue/module/resolver.h"
#include "data/tree.h"
#include "opm/config/configuration.h"

namespace opm::render {

struct MaskedSources;

struct RenderOptions {
  std::string working_directory;  // absolute; files are shown relative to it
  std::string module_directory;   // absolute
  std::vector<std::string> values_files;  // absolute; unified with the module's own values.cue
  // Likewise: what standard input holds, and a name that says how it is read ("-.yaml").
  struct ValuesInput {
    std::string name;
    std::string content;
  };
  std::optional<ValuesInput> values_input;
  // Instead of those, absolute: what overrides values.cue, tier by tier (opm/values); the later ones of a tier win.
  std::vector<std::string> platform_files;
  std::vector<std::string> user_files;
  std::optional<data::Value> recorded_values;  // in place of values.cue

  std::optional<std::string> release_name;    // not given: the module's name
  std::optional<std::string> namespace_name;  // not given: the module's default
  std::string fallback_namespace;             // for a module that has no default; empty: there is none

  const config::Configuration* configuration = nullptr;  // has the providers
  std::string provider{config::kDefaultProvider};

  bool strict = false;
  bool tells_matches = true;  // why each transformer matched or did not, also of components that have one
  unsigned threads = 0;  // for components and transformers; 0: as many as the machine has
  bool check_module = false;  // all of it, also what no release makes use of
  bool keep_values = false;  // the values of the release in the result, too
  bool dump_jobs = false;  // the jobs as CUE files too
  bool show_secrets = false;  // in those files
  bool find_secrets = false;  // say of each resource which parts depend on a secret
  std::string timestamp;  // RFC 3339, for catalogs whose context has one

  // Stand for the real ones, in a render that knows no secrets; nullptr: it is a real one.
  const MaskedSources* masked = nullptr;

  cue::module::ModuleResolver* resolver = nullptr;
  const base::FileSystem* files = nullptr;  // nullptr: the disk
  const base::Clock* clock = nullptr;       // nullptr: phases are not timed

  unsigned usable_threads() const { return threads != 0 ? threads : static_cast<unsigned>(base::usable_processors()); }
};

}  // namespace opm::render
