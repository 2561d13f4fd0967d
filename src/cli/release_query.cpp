#include "cli/release_query.h"

namespace opm::cli {

void declare_query_flags(const Command& command, QueryFlags& flags) {
  command.option("-n,--namespace", flags.config.values.namespace_name, "NAMESPACE",
                 "Where to look; by default in the namespace of the context");
  command.choice("-o,--output", flags.output, {"table", "json", "yaml"}, "Format of the result");
  declare_config_flags(command, flags.config);
  declare_cluster_flags(command, flags.config, flags.cluster);
}

std::expected<Query, ExitCode> open_query(Session& session, const QueryFlags& flags) {
  auto configured = configure(session, flags.config);
  if (!configured) return std::unexpected(configured.error());
  Query query;
  query.configured = std::make_unique<Configured>(std::move(*configured));
  auto client = connect(session, *query.configured, flags.cluster);
  if (!client) return std::unexpected(client.error());
  query.client = std::move(*client);
  query.namespace_name = query.configured->configuration.namespace_name.value;
  if (query.namespace_name.empty()) query.namespace_name = query.client->connection().name_space;
  if (query.namespace_name.empty()) query.namespace_name = "default";
  return query;
}

std::string version_text(const std::string& version) { return version.empty() ? "(local)" : version; }

}  // namespace opm::cli
