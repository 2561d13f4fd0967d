#include "cli/configure.h"

#include <filesystem>
#include <optional>

#include "cue/module/registry_map.h"
#include "diag/printer.h"

namespace opm::cli {

void declare_config_flags(const Command& command, ConfigFlags& flags) {
  command.option("--config", flags.values.config, "FILE", "The configuration instead of ~/.opm/config.cue")
      .option("--registry", flags.values.registry, "REGISTRY", "Where modules come from that are not built in")
      .flag("--no-builtin", flags.no_builtin, "Do without the modules that are built into opm");
}

void declare_kubernetes_flags(const Command& command, ConfigFlags& flags) {
  command.option("--kubeconfig", flags.values.kubeconfig, "FILE", "How to reach the cluster")
      .option("--context", flags.values.context, "NAME", "Which context of the kubeconfig")
      .option("-n,--namespace", flags.values.namespace_name, "NAME", "Namespace instead of the module's own");
}

std::string current_directory() {
  std::error_code error;
  return std::filesystem::current_path(error).string();
}

ExitCode print_failure(Session& session, const config::Failure& failure, const std::string& working_directory) {
  cue::Diagnostics errors = failure.errors;
  diag::sort_and_unite(*failure.sources, errors);
  for (const diag::Diagnostic& error : errors)
    session.err.print("error: {}", diag::format_text(*failure.sources, error, {.working_directory = working_directory}));
  switch (failure.kind) {
    case config::Failure::Kind::not_found:
      return ExitCode::not_found;
    case config::Failure::Kind::denied:
      return ExitCode::denied;
    case config::Failure::Kind::invalid:
      break;
  }
  for (const diag::Diagnostic& error : errors) {
    if (error.code == "registry-unreachable") return ExitCode::unreachable;
    if (error.code == "registry-denied") return ExitCode::denied;
  }
  return ExitCode::invalid;
}

std::expected<Configured, ExitCode> configure(Session& session, const ConfigFlags& flags) {
  Configured result;
  result.working_directory = current_directory();
  std::optional<std::string> problem;
  auto open_modules = [&](const std::string& registry) -> cue::module::ModuleResolver* {
    if (!result.modules && !problem) {
      auto opened =
          ModuleChain::open({.builtin = !flags.no_builtin, .registry = registry, .err = &session.err});
      if (opened) result.modules = std::move(*opened);
      else problem = std::move(opened.error());
    }
    return result.modules ? &result.modules->resolver() : nullptr;
  };
  config::Inputs inputs;
  inputs.flags = flags.values;
  inputs.working_directory = result.working_directory;
  inputs.resolver = open_modules;
  auto configuration = config::resolve(inputs);
  if (configuration) {
    result.configuration = std::move(*configuration);
    open_modules(result.configuration.registry.value);
  }
  if (problem) {
    session.err.print("error: {}\n", *problem);
    if (configuration && problem->starts_with(cue::module::RegistryMap::kBadValue))
      session.err.print("  help: it comes from {}; a registry is written as registry.example.com, localhost:5000 or none\n",
                        result.configuration.registry.origin.text());
    return std::unexpected(ExitCode::failure);
  }
  if (!configuration) return std::unexpected(print_failure(session, configuration.error(), result.working_directory));
  return result;
}

}  // namespace opm::cli
