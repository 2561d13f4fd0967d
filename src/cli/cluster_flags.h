// The flags of commands that work with a cluster, and the client that they, the environment and the user's files make.
#pragma once

#include <chrono>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/configure.h"
#include "cli/session.h"
#include "kube/client.h"
#include "opm/release/problem.h"
#include "opm/release/secret_texts.h"

namespace opm::cli {

struct ClusterFlags {
  std::string as;
  std::vector<std::string> as_groups;
  bool allow_exec = false;
};

// --kubeconfig and --context go to the configuration, the others here.
void declare_cluster_flags(const Command& command, ConfigFlags& config, ClusterFlags& flags);

// What the environment of a release says of its cluster; it comes from files of the repository.
struct PlatformCluster {
  std::string kubeconfig;
  std::string context;
};

// What is wrong is printed; the code is what to end with.
std::expected<std::unique_ptr<kube::Client>, ExitCode> connect(Session& session, const Configured& configured,
                                                               const ClusterFlags& flags,
                                                               const PlatformCluster& platform = {});

// Prints them all and says what to end with.
ExitCode report_problems(Session& session, const std::vector<release::Problem>& problems);
// What the server warned of, unless the configuration says otherwise.
void report_api_warnings(Session& session, kube::Client& client, const config::Configuration& configuration,
                         const release::SecretTexts& secrets = release::SecretTexts({}));

// "90s", "5m", "1h30m" or a number of seconds.
std::optional<std::chrono::seconds> parse_duration(const std::string& text);

// A time that has passed, shortly: "5m", "3d".
std::string age_of(const std::string& timestamp, const base::Clock& clock);

}  // namespace opm::cli
