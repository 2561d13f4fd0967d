// What the commands that only look at releases in a cluster have in common: no module, but a namespace to look in.
#pragma once

#include <expected>
#include <memory>
#include <string>

#include "cli/cluster_flags.h"
#include "cli/command_line.h"

namespace opm::cli {

struct QueryFlags {
  ConfigFlags config;
  ClusterFlags cluster;
  std::string output = "table";
};
void declare_query_flags(const Command& command, QueryFlags& flags);

struct Query {
  std::unique_ptr<Configured> configured;
  std::unique_ptr<kube::Client> client;
  std::string namespace_name;  // by flag, environment or configuration, else that of the context, else "default"
};
// What is wrong is printed; the code is what to end with.
std::expected<Query, ExitCode> open_query(Session& session, const QueryFlags& flags);

// "1.2.3", or what to say of a module without a version.
std::string version_text(const std::string& version);

}  // namespace opm::cli
