// Which release a command is about: the one that a module folder would make, or one that is named and needs no source.
#pragma once

#include <expected>
#include <optional>
#include <string>

#include "cli/lifecycle.h"
#include "cli/render_flags.h"

namespace opm::cli {

struct TargetFlags {
  RenderFlags render;
  ClusterFlags cluster;
  std::optional<std::string> release_id;
};
void declare_target_flags(const Command& command, TargetFlags& flags);

struct Target {
  std::unique_ptr<Configured> configured;
  std::unique_ptr<kube::Client> client;
  release::ReleaseKey release;

  ClusterRun run() const { return {*configured, *client}; }
};
// What is wrong is printed; the code is what to end with.
std::expected<Target, ExitCode> find_target(Session& session, const TargetFlags& flags);

}  // namespace opm::cli
