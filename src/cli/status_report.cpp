#include "cli/status_report.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/cluster_flags.h"
#include "cli/table.h"
#include "data/build.h"
#include "data/json.h"
#include "data/yaml.h"

namespace opm::cli {

namespace {

using release::Drift;
using release::ObjectStatus;
using release::ReleaseStatus;

std::string drift_text(const ObjectStatus& object) {
  if (object.health.status == kube::HealthStatus::missing) return "-";
  switch (object.drift) {
    case Drift::none:
      return "no";
    case Drift::unknown:
      return "-";
    case Drift::drifted:
      break;
  }
  return object.changed_by.empty() ? "yes" : "by " + object.changed_by;
}

data::Value drift_value(Drift drift) {
  if (drift == Drift::unknown) return {};
  return data::boolean(drift == Drift::drifted);
}

// By component, in the order in which they first come; an object's place within its own stays.
std::vector<const ObjectStatus*> by_component(const ReleaseStatus& status) {
  std::vector<const ObjectStatus*> objects;
  for (const ObjectStatus& object : status.objects) objects.push_back(&object);
  std::ranges::stable_sort(objects, {}, [](const ObjectStatus* object) { return object->entry.component; });
  return objects;
}

std::string table(const ReleaseStatus& status, bool wide, const base::Clock& clock) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> head{"COMPONENT", "KIND", "NAME", "STATUS", "DRIFT", "AGE"};
  if (wide) head = {"COMPONENT", "KIND", "NAMESPACE", "NAME", "API", "STATUS", "REASON", "DRIFT", "AGE"};
  rows.push_back(head);
  std::string last;
  std::size_t healthy = 0;
  for (const ObjectStatus* object : by_component(status)) {
    const release::ObjectId& id = object->entry.object;
    std::string component = object->entry.component.empty() ? "-" : object->entry.component;
    std::string shown = component == last ? "" : component;
    last = component;
    std::string state(kube::name_of(object->health.status));
    healthy += object->health.status == kube::HealthStatus::healthy ? 1 : 0;
    std::string age = object->created.empty() ? "-" : age_of(object->created, clock);
    if (wide) {
      rows.push_back({shown, id.kind, id.namespace_name.empty() ? "-" : id.namespace_name, id.name,
                      release::api_version(object->entry), state, object->health.reason, drift_text(*object), age});
    } else {
      rows.push_back({shown, id.kind, id.name, state, drift_text(*object), age});
    }
  }
  std::string out = fmt::format("release \"{}\" in namespace \"{}\"", status.name, status.namespace_name);
  if (!status.change.empty()) {
    out += fmt::format(": {} {}, change {} applied {} ago", status.module.name,
                       status.module.version.empty() ? "(local)" : status.module.version, status.change,
                       age_of(status.timestamp, clock));
  }
  out += "\n";
  if (status.pending) out += "an apply has not ended, or was interrupted: apply again\n";
  if (status.by_labels) out += "there is no inventory; the objects were found by their labels\n";
  out += "\n" + format_table(rows);
  std::string why;
  for (const ObjectStatus* object : by_component(status)) {
    if (object->health.status == kube::HealthStatus::healthy) continue;
    why += fmt::format("{}: {}\n", release::display_name(object->entry.object),
                       object->health.message.empty() ? object->health.reason : object->health.message);
    for (const std::string& reason : object->reasons) why += fmt::format("  {}\n", reason);
  }
  if (!why.empty()) out += "\n" + why;
  return out + fmt::format("\n{}: {} of {} healthy\n", status.healthy() ? "Ready" : "NotReady", healthy,
                           status.objects.size());
}

data::Value tree(const ReleaseStatus& status) {
  data::List objects;
  for (const ObjectStatus* object : by_component(status)) {
    data::List reasons;
    for (const std::string& reason : object->reasons) reasons.push_back(data::text(reason));
    const release::ObjectId& id = object->entry.object;
    objects.push_back(data::map({{"component", data::text(object->entry.component)},
                                 {"apiVersion", data::text(release::api_version(object->entry))},
                                 {"kind", data::text(id.kind)},
                                 {"namespace", data::text(id.namespace_name)},
                                 {"name", data::text(id.name)},
                                 {"status", data::text(std::string(kube::name_of(object->health.status)))},
                                 {"reason", data::text(object->health.reason)},
                                 {"message", data::text(object->health.message)},
                                 {"details", data::list(std::move(reasons))},
                                 {"drift", drift_value(object->drift)},
                                 {"changedBy", data::text(object->changed_by)},
                                 {"created", data::text(object->created)}}));
  }
  data::Value module = data::map({{"path", data::text(status.module.path)}, {"name", data::text(status.module.name)}});
  if (!status.module.version.empty()) data::set(module, "version", data::text(status.module.version));
  return data::map({{"release", data::text(status.name)},
                    {"namespace", data::text(status.namespace_name)},
                    {"releaseId", data::text(status.id)},
                    {"module", std::move(module)},
                    {"change", data::text(status.change)},
                    {"applied", data::text(status.timestamp)},
                    {"pending", data::boolean(status.pending)},
                    {"ready", data::boolean(status.healthy())},
                    {"objects", data::list(std::move(objects))}});
}

}  // namespace

std::string format_status(const ReleaseStatus& status, std::string_view form, const base::Clock& clock) {
  if (form == "json") return data::write_json(tree(status), {.indent = 2, .final_newline = true});
  if (form == "yaml") return data::write_yaml(tree(status));
  return table(status, form == "wide", clock);
}

std::string summary_of(const ReleaseStatus& status) { return data::write_json(tree(status)); }

}  // namespace opm::cli
