#include "cli/command_config_vet.h"

#include <memory>

#include "cli/configure.h"
#include "opm/config/check.h"

namespace opm::cli {
namespace {

ExitCode vet(Session& session, const ConfigFlags& flags) {
  auto configured = configure(session, flags);
  if (!configured) return configured.error();
  const config::Configuration& configuration = configured->configuration;
  if (configuration.file.value.empty()) {
    session.err.write("error: there is no configuration\n  help: opm config init writes one to start from\n");
    return ExitCode::not_found;
  }
  auto checked = config::check(configuration, configured->modules->resolver());
  if (!checked) return print_failure(session, checked.error(), configured->working_directory);
  session.out.print("{} is valid\n", configuration.file.value);
  for (const config::ProviderSummary& provider : *checked)
    session.out.print("  provider {}: version {}, {} transformers\n", provider.name, provider.version,
                      provider.transformers);
  return ExitCode::success;
}

}  // namespace

void add_config_vet_command(const Command& group, Session& session) {
  auto flags = std::make_shared<ConfigFlags>();
  Command command = group.add("vet", "Check the configuration and its providers");
  declare_config_flags(command, *flags);
  command.run([&session, flags] { return vet(session, *flags); });
}

}  // namespace opm::cli
