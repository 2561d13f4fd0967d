#include "cli/release_listing.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/joined.h"
#include "base/path.h"
#include "cli/render_report.h"
#include "cli/table.h"
#include "data/build.h"
#include "data/json.h"

namespace opm::cli {

namespace {

using model::Environment;
using model::Platform;
using model::ReleaseDeclaration;

constexpr data::JsonWriteOptions kListing{.indent = 2, .sort_keys = false, .final_newline = true};

const std::string& namespace_of(const ReleaseDeclaration& release, const Environment& environment) {
  return environment.namespace_name.empty() ? release.namespace_name : environment.namespace_name;
}

std::string scalar(const data::Value& value) {
  if (value.is_string()) return value.as_string();
  if (value.is_number()) return value.as_number().text;
  if (value.is_bool()) return value.as_bool() ? "true" : "false";
  return {};
}

std::string labels_of(const Environment& environment) {
  std::vector<std::string> labels;
  if (environment.labels.is_map()) {
    for (const data::Member& member : environment.labels.as_map()) labels.push_back(member.key + "=" + scalar(member.value));
  }
  return base::joined(labels, ",");
}

void set_text(data::Value& map, std::string_view key, const std::string& text) {
  if (!text.empty()) data::set(map, key, data::text(text));
}

data::Value environment_data(const ReleaseDeclaration& release, const Environment& environment) {
  data::Value data = data::map({{"name", data::text(environment.key)}});
  set_text(data, "platform", environment.platform.name);
  set_text(data, "kubeContext", environment.platform.kube_context);
  set_text(data, "namespace", namespace_of(release, environment));
  if (environment.labels.is_map() && !environment.labels.as_map().empty()) data::set(data, "labels", environment.labels);
  return data;
}

data::Value release_data(const ReleaseDeclaration& release) {
  data::Value data = data::map({{"release", data::text(release.field)}});
  set_text(data, "name", release.name);
  set_text(data, "namespace", release.namespace_name);
  data::List environments;
  for (const Environment& environment : release.environments) environments.push_back(environment_data(release, environment));
  data::set(data, "environments", data::list(std::move(environments)));
  return data;
}

// What is not there shows as "-", so that every column has something in it.
std::string table(std::vector<std::vector<std::string>> rows) {
  for (std::vector<std::string>& row : rows) {
    for (std::string& cell : row) {
      if (cell.empty()) cell = "-";
    }
  }
  return format_table(rows);
}

std::string json(data::List items) { return data::write_json(data::list(std::move(items)), kListing); }

}  // namespace

std::string releases_table(const render::ReleaseList& list) {
  std::vector<std::vector<std::string>> rows = {{"RELEASE", "ENVIRONMENT", "PLATFORM", "CONTEXT", "NAMESPACE"}};
  for (const ReleaseDeclaration& release : list.releases) {
    if (release.environments.empty()) rows.push_back({release.field, "", "", "", release.namespace_name});
    for (const Environment& environment : release.environments)
      rows.push_back({release.field, environment.key, environment.platform.name, environment.platform.kube_context,
                      namespace_of(release, environment)});
  }
  return table(std::move(rows));
}

std::string releases_json(const render::ReleaseList& list) {
  data::List items;
  for (const ReleaseDeclaration& release : list.releases) items.push_back(release_data(release));
  return json(std::move(items));
}

std::string environments_table(const render::ReleaseList& list, const std::string& only) {
  std::vector<std::vector<std::string>> rows = {{"RELEASE", "ENVIRONMENT", "PLATFORM", "CONTEXT", "NAMESPACE", "LABELS"}};
  for (const ReleaseDeclaration& release : list.releases) {
    if (!only.empty() && release.field != only) continue;
    for (const Environment& environment : release.environments)
      rows.push_back({release.field, environment.key, environment.platform.name, environment.platform.kube_context,
                      namespace_of(release, environment), labels_of(environment)});
  }
  return table(std::move(rows));
}

std::string environments_json(const render::ReleaseList& list, const std::string& only) {
  data::List items;
  for (const ReleaseDeclaration& release : list.releases) {
    if (!only.empty() && release.field != only) continue;
    for (const Environment& environment : release.environments) {
      data::Value data = data::map({{"release", data::text(release.field)}});
      data::Value described = environment_data(release, environment);
      for (data::Member& member : described.as_map())
        data::set(data, member.key == "name" ? "environment" : member.key, std::move(member.value));
      items.push_back(std::move(data));
    }
  }
  return json(std::move(items));
}

std::string platforms_table(const render::ReleaseList& list, const std::string& working_directory) {
  std::vector<std::vector<std::string>> rows = {{"PLATFORM", "CONTEXT", "KUBECONFIG", "DOMAIN", "CAPABILITIES"}};
  bool has_queries = std::ranges::any_of(list.platforms, [](const Platform& platform) { return !platform.queries.empty(); });
  if (has_queries) rows.front().emplace_back("QUERIES");
  for (const Platform& platform : list.platforms) {
    std::vector<std::string> capabilities;
    if (const data::Value* found = platform.context.find("capabilities"); found != nullptr && found->is_list()) {
      for (const data::Value& item : found->as_list()) capabilities.push_back(scalar(item));
    }
    std::string kube_config = platform.kube_config;
    if (base::is_absolute_path(kube_config)) kube_config = base::relative_path(working_directory, kube_config);
    rows.push_back({platform.name, platform.kube_context, std::move(kube_config),
                    std::string(data::text_at(platform.context, {"defaultDomain"})), base::joined(capabilities, ",")});
    if (has_queries && !platform.queries.empty()) rows.back().push_back(model::unanswered(platform).empty() ? "answered" : "to be asked");
    else if (has_queries) rows.back().emplace_back();
  }
  return table(std::move(rows));
}

std::string platforms_json(const render::ReleaseList& list) {
  data::List items;
  for (const Platform& platform : list.platforms) {
    data::Value data = data::map({{"platform", data::text(platform.name)}});
    set_text(data, "kubeContext", platform.kube_context);
    set_text(data, "kubeConfig", platform.kube_config);
    if (platform.context.is_map()) data::set(data, "context", platform.context);
    data::List unanswered;
    for (const model::Unanswered& one : model::unanswered(platform)) unanswered.push_back(data::text(one.query->field));
    if (!platform.queries.empty()) data::set(data, "unanswered", data::list(std::move(unanswered)));
    items.push_back(std::move(data));
  }
  return json(std::move(items));
}

void declare_listing_flags(const Command& command, ListingFlags& flags) {
  command.choice("-o,--output", flags.output, {"table", "json"}, "Format");
  declare_folder_flags(command, flags.folder);
}

ExitCode print_listing(Session& session, const RenderFlags& flags, render::ReleaseList (*load)(const render::RenderOptions&),
                       const std::function<ExitCode(const render::ReleaseList&, const std::string&)>& print) {
  auto setup = set_up_release_render(session, flags);
  if (!setup) return setup.error();
  const std::string& here = setup->options.working_directory;
  render::ReleaseList list = load(setup->options);
  ExitCode code = report_problems(session, list.program.get(), list.errors, {here, flags.verbose, false});
  if (code != ExitCode::success) return code;
  if (load == render::list_releases && list.releases.empty())
    session.err.write("note: this package has no releases; a release is a field of it: NAME: core.#ModuleRelease & {…}\n"
                      "  help: run \"opm help environments\" for an example\n");
  return print(list, here);
}

}  // namespace opm::cli
