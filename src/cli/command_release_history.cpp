#include "cli/command_release_history.h"

#include <memory>

#include "cli/release_query.h"
#include "cli/table.h"
#include "data/build.h"
#include "data/json.h"
#include "data/yaml.h"
#include "opm/release/inventory_store.h"

namespace opm::cli {

namespace {

struct Options {
  QueryFlags query;
  std::string name;
};

data::Value tree(const release::Inventory& inventory) {
  data::List list;
  for (const release::Change& change : inventory.changes) {
    list.push_back(
        data::map({{"change", data::text(change.id)},
                   {"applied", data::text(change.timestamp)},
                   {"module", data::text(change.module.path)},
                   {"version", change.module.version.empty() ? data::Value{} : data::text(change.module.version)},
                   {"manifestDigest", data::text(change.manifest_digest)},
                   {"objects", data::integer(static_cast<std::int64_t>(change.entries.size()))}}));
  }
  return data::list(std::move(list));
}

std::string table(const release::Inventory& inventory) {
  std::vector<std::vector<std::string>> rows{{"CHANGE", "APPLIED", "MODULE", "VERSION", "OBJECTS", "STATE"}};
  if (inventory.pending) {
    rows.push_back({inventory.pending->change, age_of(inventory.pending->timestamp, base::real_clock()) + " ago", "-",
                    "-", std::to_string(inventory.pending->entries.size()), "pending"});
  }
  for (const release::Change& change : inventory.changes) {
    rows.push_back({change.id, age_of(change.timestamp, base::real_clock()) + " ago", change.module.name,
                    version_text(change.module.version), std::to_string(change.entries.size()),
                    &change == &inventory.changes.front() ? "current" : "earlier"});
  }
  return format_table(rows);
}

ExitCode history(Session& session, const Options& options) {
  auto query = open_query(session, options.query);
  if (!query) return query.error();
  auto found = release::find_inventory(*query->client, {options.name, query->namespace_name, {}});
  if (!found) return report_problems(session, {release::make_problem(found.error())});
  if (!*found) {
    session.err.print("error: release \"{}\" is not in namespace \"{}\"\n", options.name, query->namespace_name);
    return ExitCode::not_found;
  }
  if (options.query.output == "json")
    session.out.write(data::write_json(tree(**found), {.indent = 2, .final_newline = true}));
  else if (options.query.output == "yaml")
    session.out.write(data::write_yaml(tree(**found)));
  else
    session.out.write(table(**found));
  return ExitCode::success;
}

}  // namespace

void add_release_history_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("history", "List the changes that a release went through, the newest first");
  command.argument("NAME", options->name, "The release");
  declare_query_flags(command, options->query);
  command.run([&session, options] { return history(session, *options); });
}

}  // namespace opm::cli
