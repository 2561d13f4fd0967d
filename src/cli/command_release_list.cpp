#include "cli/command_release_list.h"

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
  bool all_namespaces = false;
};

data::Value tree(const std::vector<release::Inventory>& inventories) {
  data::List list;
  for (const release::Inventory& inventory : inventories) {
    data::Value item = data::map({{"name", data::text(inventory.release_name)},
                                  {"namespace", data::text(inventory.namespace_name)},
                                  {"releaseId", data::text(inventory.release_id)},
                                  {"pending", data::boolean(inventory.pending.has_value())}});
    if (!inventory.changes.empty()) {
      const release::Change& change = inventory.changes.front();
      data::set(item, "module", data::text(change.module.path));
      data::set(item, "version", change.module.version.empty() ? data::Value{} : data::text(change.module.version));
      data::set(item, "change", data::text(change.id));
      data::set(item, "applied", data::text(change.timestamp));
      data::set(item, "objects", data::integer(static_cast<std::int64_t>(change.entries.size())));
    }
    list.push_back(std::move(item));
  }
  return data::list(std::move(list));
}

std::string table(const std::vector<release::Inventory>& inventories) {
  std::vector<std::vector<std::string>> rows{
      {"NAMESPACE", "NAME", "MODULE", "VERSION", "CHANGE", "APPLIED", "OBJECTS", "STATE"}};
  for (const release::Inventory& inventory : inventories) {
    std::string state = inventory.pending ? "pending" : "applied";
    if (inventory.changes.empty()) {
      rows.push_back(
          {inventory.namespace_name, inventory.release_name, inventory.module_name, "-", "-", "-", "-", state});
      continue;
    }
    const release::Change& change = inventory.changes.front();
    rows.push_back({inventory.namespace_name, inventory.release_name, change.module.name,
                    version_text(change.module.version), change.id,
                    age_of(change.timestamp, base::real_clock()) + " ago", std::to_string(change.entries.size()),
                    state});
  }
  return format_table(rows);
}

ExitCode list(Session& session, const Options& options) {
  auto query = open_query(session, options.query);
  if (!query) return query.error();
  std::vector<std::string> unreadable;
  auto found = release::list_inventories(*query->client, options.all_namespaces ? std::string{} : query->namespace_name,
                                         unreadable);
  if (!found) return report_problems(session, {release::make_problem(found.error())});
  for (const std::string& message : unreadable) session.err.print("warning: {}\n", message);
  if (options.query.output == "json") {
    session.out.write(data::write_json(tree(*found), {.indent = 2, .final_newline = true}));
  } else if (options.query.output == "yaml") {
    session.out.write(data::write_yaml(tree(*found)));
  } else if (found->empty()) {
    session.err.print("no releases {}\n",
                      options.all_namespaces ? "in the cluster" : "in namespace \"" + query->namespace_name + "\"");
  } else {
    session.out.write(table(*found));
  }
  return ExitCode::success;
}

}  // namespace

void add_release_list_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("list", "List the releases of a namespace");
  command.flag("-A,--all-namespaces", options->all_namespaces, "Of all namespaces");
  declare_query_flags(command, options->query);
  command.run([&session, options] { return list(session, *options); });
}

}  // namespace opm::cli
