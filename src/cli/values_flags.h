// The flags of the commands about values: the module, and who overrides its values.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "cli/render_flags.h"
#include "opm/render/tiered_values.h"

namespace opm::cli {

struct ValuesFlags {
  ConfigFlags config;
  std::string module;
  std::vector<std::string> overlays;  // the last of several is Tier 3, the others are Tier 2
  std::vector<std::string> platform;
  std::vector<std::string> user;
};

// All but the module, which some commands name otherwise.
void declare_values_flags(const Command& command, ValuesFlags& flags);

struct ValuesRun {
  render::LoadedValues values;
  std::string working_directory;

  const diag::SourceMap& sources() const { return values.program->sources(); }
};

// Reads and merges the values. What is wrong is printed; the code is what to end with.
std::expected<ValuesRun, ExitCode> run_values(Session& session, const ValuesFlags& flags, const render::TierSettings& settings);

}  // namespace opm::cli
