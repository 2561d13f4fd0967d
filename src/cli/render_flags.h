// The flags of commands that render a module, and the render options that they stand for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/configure.h"
#include "opm/render/options.h"

namespace opm::cli {

struct RenderFlags {
  ConfigFlags config;  // with the namespace
  std::string directory = ".";
  std::vector<std::string> values;
  std::vector<std::string> platform;
  std::vector<std::string> user;
  std::optional<std::string> name;
  std::optional<std::string> provider;
  bool strict = false;
  std::string verbose;  // empty, "text" or "json"
  bool timings = false;
  int jobs = 0;
};

// Of commands that render a module.
void declare_render_flags(const Command& command, RenderFlags& flags);
// Who overrides values: of all commands that render something of them.
void declare_tier_flags(const Command& command, RenderFlags& flags);
// Of all commands that render.
void declare_shared_render_flags(const Command& command, RenderFlags& flags);

// A file that is named more than once among those of the tiers.
std::optional<std::string> repeated_file(const std::vector<std::string>& platform, const std::vector<std::string>& user);

std::string absolute_path(const std::string& working_directory, const std::string& path);

// What a render needs and what has to live while it runs.
struct RenderSetup {
  std::unique_ptr<Configured> configured;
  render::RenderOptions options;
};
// What is wrong is printed; the code is what to end with.
std::expected<RenderSetup, ExitCode> set_up_render(Session& session, const RenderFlags& flags);

}  // namespace opm::cli
