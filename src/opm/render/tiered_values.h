// The values of a module and of those who override them, read from their files and put together: what they are in the
// end, and all that is wrong with them. Rendering goes on with the module as if its author had written those.
#pragma once

#include <memory>
#include <vector>

#include "cue/value.h"
#include "opm/render/config_loader.h"
#include "opm/render/options.h"
#include "opm/render/result.h"
#include "opm/render/secret_finder.h"
#include "opm/values/read.h"
#include "opm/values/secrets.h"
#include "opm/values/tiers.h"

namespace opm::render {

// Whether anybody overrides what the author wrote.
bool has_tiers(const RenderOptions& options);

// What is loaded together: the requests as they are, behind them the files of the tiers that are CUE.
std::vector<cue::LoadRequest> with_tier_requests(std::vector<cue::LoadRequest> requests, const RenderOptions& options);

struct TieredValues {
  values::Tiers tiers;
  cue::Value config;  // the schema, without what the release file adds to it
  std::vector<data::Value> documents;  // what each source says, to find their secrets
  std::vector<Problem> problems;
};

struct TierSettings {
  bool complete = true;  // what the schema requires has to be there
};

struct TierSources {
  values::Reading author;
  cue::Value config;               // the schema of the values
  std::size_t first_instance = 1;  // of the files of the tiers that are CUE
};

// What each tier says, read once from its files.
class TierTrees {
 public:
  // From a context whose program was loaded as above.
  TierTrees(cue::Context& context, const RenderOptions& options, TierSources sources);

  // The tiers are there when nothing but locks and schema is wrong. `own`: what the release itself says, which belongs
  // to its user as much as the user's files, and comes before them.
  TieredValues put_together(std::vector<values::Tree> own, const TierSettings& settings = {});
  // What each file says.
  std::vector<data::Value> documents() const;

 private:

  const diag::SourceMap& sources_;
  cue::Value config_;
  values::SecretMask mask_;
  bool is_masked_;  // stand-ins are in the place of secrets, and stay
  std::vector<values::Tree> author_;  // one, unless there are problems
  std::vector<values::Tree> platform_;
  std::vector<values::Tree> user_;
  std::vector<Problem> problems_;
};

// Where such documents have secrets, given what #config says (which may be of one of the scopes, and those move).
void add_scopes(const std::vector<data::Value>& documents, cue::Value config, std::vector<ValuesScope>& scopes);

// Of a module, which is instance 0 and has the files of the tiers behind it.
TieredValues read_tiers(cue::Context& context, const RenderOptions& options, const TierSettings& settings = {});

// The effective values in place of those that the module's values.cue has.
Redeclaration effective_values(const RenderOptions& options, const TieredValues& values);

// Takes secrets out of what is wrong with values, by what the schema says is one. The module is instance 0.
void hide_secrets_by_schema(cue::Context& context, std::vector<Problem>& problems);
// The same for what is wrong with files that could not even be loaded: a text without quotes is a name in CUE.
void hide_secrets_of_files(const RenderOptions& options, std::vector<Problem>& problems);

// Tiers for commands that are about values alone: nothing is loaded but the module and the files.
struct LoadedValues {
  std::shared_ptr<const cue::Program> program;  // has the sources of positions; null when nothing was loaded
  std::string module;                           // its name
  values::Tiers tiers;                          // secrets are masked
  std::vector<Problem> problems;
  bool readable = false;  // the tiers are there, whatever is wrong with them
};

LoadedValues load_values(const RenderOptions& options, const TierSettings& settings);

}  // namespace opm::render
