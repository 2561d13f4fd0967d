// What the commands that work with modules have in common: the flags of the configuration, and the configuration that
// they, the environment and the user's files make together.
#pragma once

#include <expected>
#include <memory>
#include <string>

#include "cli/command_line.h"
#include "cli/module_chain.h"
#include "cli/session.h"
#include "opm/config/configuration.h"

namespace opm::cli {

struct ConfigFlags {
  config::Flags values;
  bool no_builtin = false;
};

// --config, --registry, --no-builtin
void declare_config_flags(const Command& command, ConfigFlags& flags);
// --kubeconfig, --context, --namespace
void declare_kubernetes_flags(const Command& command, ConfigFlags& flags);

struct Configured {
  config::Configuration configuration;
  std::unique_ptr<ModuleChain> modules;  // that resolves imports, with the registry of the configuration
  std::string working_directory;
};

// What is wrong is printed; the code is what to end with.
std::expected<Configured, ExitCode> configure(Session& session, const ConfigFlags& flags);
ExitCode print_failure(Session& session, const config::Failure& failure, const std::string& working_directory);

std::string current_directory();

}  // namespace opm::cli
