#include "cli/command_config_show.h"

#include <algorithm>
#include <memory>

#include "base/path.h"
#include "cli/configure.h"
#include "data/build.h"
#include "data/json.h"

namespace opm::cli {
namespace {

struct Options {
  ConfigFlags flags;
  std::string format = "text";
};

// Paths as people write them: from here, or from their home folder.
std::string short_path(std::string_view path, const std::string& here) {
  std::string home = base::real_environment().get("HOME").value_or("");
  if (!here.empty() && base::is_within(path, here)) return "./" + base::relative_path(here, path);
  if (!home.empty() && base::is_within(path, home)) return "~/" + base::relative_path(home, path);
  return std::string(path);
}

std::string value_text(const config::Row& row, const std::string& here) {
  if (const bool* value = std::get_if<bool>(&row.value)) return *value ? "true" : "false";
  const std::string& text = std::get<std::string>(row.value);
  if (text.empty()) return "-";
  return base::is_absolute_path(text) ? short_path(text, here) : text;
}

void print_text(Output& out, const std::vector<config::Row>& rows, const std::string& here) {
  std::size_t name_width = 7;
  std::size_t value_width = 5;
  for (const config::Row& row : rows) {
    name_width = std::max(name_width, row.name.size());
    value_width = std::max(value_width, value_text(row, here).size());
  }
  out.print("{:<{}}  {:<{}}  FROM\n", "SETTING", name_width, "VALUE", value_width);
  for (const config::Row& row : rows) {
    config::Origin origin = row.origin;
    if (origin.kind == config::OriginKind::file) origin.name = short_path(origin.name, here);
    out.print("{:<{}}  {:<{}}  {}\n", row.name, name_width, value_text(row, here), value_width, origin.text());
  }
}

void print_json(Output& out, const std::vector<config::Row>& rows) {
  data::Map settings;
  for (const config::Row& row : rows) {
    data::Map origin;
    origin.push_back({"kind", data::text(std::string(row.origin.kind_name()))});
    if (!row.origin.name.empty()) origin.push_back({"name", data::text(row.origin.name)});
    if (row.origin.line != 0) {
      origin.push_back({"line", data::integer(row.origin.line)});
      origin.push_back({"column", data::integer(row.origin.column)});
    }
    data::Value value;
    if (const bool* boolean = std::get_if<bool>(&row.value)) value.variant = *boolean;
    else value.variant = std::get<std::string>(row.value);
    data::Value from;
    from.variant = std::move(origin);
    data::Value entry;
    entry.variant = data::Map{{"value", std::move(value)}, {"origin", std::move(from)}};
    settings.push_back({row.name, std::move(entry)});
  }
  data::Value all;
  all.variant = std::move(settings);
  out.write(data::write_json(all, {.indent = 4, .final_newline = true}));
}

ExitCode show(Session& session, const Options& options) {
  auto configured = configure(session, options.flags);
  if (!configured) return configured.error();
  std::vector<config::Row> rows = config::rows(configured->configuration);
  if (options.format == "json") print_json(session.out, rows);
  else print_text(session.out, rows, configured->working_directory);
  return ExitCode::success;
}

}  // namespace

void add_config_show_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("show", "Show the settings that hold, and where each comes from");
  command.choice("-o,--output", options->format, {"text", "json"}, "Form of the output");
  declare_config_flags(command, options->flags);
  declare_kubernetes_flags(command, options->flags);
  command.run([&session, options] { return show(session, *options); });
}

}  // namespace opm::cli
