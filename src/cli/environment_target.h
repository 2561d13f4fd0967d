// A release of a package in one environment, and the cluster that its platform names: what `opm
// apply|diff|status|delete RELEASE -e ENVIRONMENT` work with.
#pragma once

#include <expected>
#include <memory>
#include <string>

#include "cli/lifecycle.h"
#include "cli/release_flags.h"

namespace opm::cli {

struct EnvironmentFlags {
  ReleaseFlags release;
  ClusterFlags cluster;
};
void declare_environment_flags(const Command& command, EnvironmentFlags& flags);

struct EnvironmentTarget {
  RenderSetup setup;
  render::EnvironmentRender render;
  std::unique_ptr<kube::Client> client;

  ClusterRun run() const { return {*setup.configured, *client}; }
  release::ReleaseKey key() const;
};

// Which part of a render a command cannot do without.
enum class RenderNeed : std::uint8_t {
  everything,  // the objects
  identity,    // only which release it is
};

// What is wrong is printed; the code is what to end with.
std::expected<EnvironmentTarget, ExitCode> open_environment(Session& session, const EnvironmentFlags& flags,
                                                            RenderNeed need);

}  // namespace opm::cli
