#include "opm/release/trial.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "data/build.h"
#include "opm/render/resource_order.h"

namespace opm::release {

namespace {

constexpr std::size_t kBatch = 128;

struct DefinedKind {
  bool namespaced = true;
};

// Kinds that definitions among the resources bring, by group and name.
std::map<std::pair<std::string, std::string>, DefinedKind> defined_kinds(
    const std::vector<render::Resource>& resources) {
  std::map<std::pair<std::string, std::string>, DefinedKind> kinds;
  for (const render::Resource& resource : resources) {
    if (resource.kind != "CustomResourceDefinition") continue;
    std::pair key(std::string(data::text_at(resource.object, {"spec", "group"})),
                  std::string(data::text_at(resource.object, {"spec", "names", "kind"})));
    kinds[key] = {data::text_at(resource.object, {"spec", "scope"}) != "Cluster"};
  }
  return kinds;
}

std::map<std::string, std::vector<std::string>> fields_by_manager(const kube::Failure& failure) {
  std::map<std::string, std::vector<std::string>> fields;
  for (const kube::FieldConflict& conflict : kube::field_conflicts(failure))
    fields[conflict.manager].push_back(conflict.field);
  return fields;
}

}  // namespace

Placement place_objects(kube::Client& client, std::vector<render::Resource> resources,
                        const std::string& namespace_name) {
  Placement placement;
  auto defined = defined_kinds(resources);
  std::set<std::string> told;
  for (render::Resource& resource : resources) {
    PlacedObject placed;
    placed.entry = make_entry(resource);
    bool namespaced = true;
    auto kind = client.resource({placed.entry.object.group, placed.entry.version}, resource.kind);
    if (kind) {
      namespaced = kind->namespaced;
      placed.kind = std::move(*kind);
    } else if (kind.error().kind == kube::FailureKind::unknown_kind) {
      auto found = defined.find({placed.entry.object.group, resource.kind});
      if (found == defined.end()) {
        if (told.insert(resource.api_version + " " + resource.kind).second) {
          placement.problems.push_back(
              {render::ProblemKind::not_found,
               fmt::format("{}: the cluster has no kind {} in {}", display_name(placed.entry.object), resource.kind,
                           resource.api_version),
               "install what defines it, or check apiVersion and kind"});
        }
        continue;
      }
      namespaced = found->second.namespaced;
    } else {
      placement.problems.push_back(make_problem(kind.error()));
      return placement;
    }
    if (!namespaced)
      placed.entry.object.namespace_name.clear();
    else if (placed.entry.object.namespace_name.empty())
      placed.entry.object.namespace_name = namespace_name;
    if (!namespaced && !resource.namespace_name.empty() && resource.object.is_map()) {
      for (data::Member& member : resource.object.as_map()) {
        if (member.key == "metadata") data::erase(member.value, "namespace");
      }
    }
    placed.resource = std::move(resource);
    placement.objects.push_back(std::move(placed));
  }
  return placement;
}

std::vector<std::string> conflict_warnings(const ObjectId& object, const kube::Failure& failure) {
  std::vector<std::string> warnings;
  for (const auto& [manager, fields] : fields_by_manager(failure)) {
    warnings.push_back(
        fmt::format("{}: taking over {} from \"{}\"", display_name(object), fmt::join(fields, ", "), manager));
  }
  return warnings;
}

Problem conflict_problem(const ObjectId& object, const kube::Failure& failure) {
  std::vector<std::string> owners;
  for (const auto& [manager, fields] : fields_by_manager(failure))
    owners.push_back(fmt::format("\"{}\" owns {}", manager, fmt::join(fields, ", ")));
  return {render::ProblemKind::general, fmt::format("{}: {}", display_name(object), fmt::join(owners, "; ")),
          "leave these fields out of the module, or apply without --no-force-conflicts to take them over"};
}

void run_in_batches(kube::Client& client, std::size_t count,
                    const std::function<kube::Operation(std::size_t)>& operation,
                    const std::function<void(std::size_t, kube::Result<data::Value>&)>& take) {
  for (std::size_t begin = 0; begin < count; begin += kBatch) {
    std::size_t end = std::min(count, begin + kBatch);
    std::vector<kube::Operation> operations;
    operations.reserve(end - begin);
    for (std::size_t i = begin; i < end; ++i) operations.push_back(operation(i));
    std::vector<kube::Result<data::Value>> results = client.run_all(operations);
    for (std::size_t i = begin; i < end; ++i) take(i, results[i - begin]);
  }
}

TrialResult try_objects(kube::Client& client, const std::vector<PlacedObject>& objects, const TrialOptions& options) {
  TrialResult result;
  result.trials.resize(objects.size());
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (!objects[i].kind || options.coming_namespaces.contains(objects[i].entry.object.namespace_name))
      result.trials[i].deferred = true;
    else
      left.push_back(i);
  }
  // The second time for those whose fields are to be taken.
  for (bool force : {false, true}) {
    std::vector<std::size_t> again;
    run_in_batches(
        client, left.size(),
        [&](std::size_t n) {
          const PlacedObject& object = objects[left[n]];
          return kube::apply_object(*object.kind, object.entry.object.namespace_name, object.resource.object,
                                    {.force = force, .dry_run = true});
        },
        [&](std::size_t n, kube::Result<data::Value>& answer) {
          std::size_t i = left[n];
          const ObjectId& id = objects[i].entry.object;
          Trial& trial = result.trials[i];
          if (answer) {
            trial.resource_version = data::text_at(*answer, {"metadata", "resourceVersion"});
            trial.exists = !trial.resource_version.empty();
            trial.terminating = !data::text_at(*answer, {"metadata", "deletionTimestamp"}).empty();
            if (options.result) options.result(i, *answer);
          } else if (!force && !kube::field_conflicts(answer.error()).empty()) {
            if (!options.force_conflicts) {
              result.problems.push_back(conflict_problem(id, answer.error()));
              return;
            }
            std::ranges::move(conflict_warnings(id, answer.error()), std::back_inserter(result.warnings));
            trial.force = true;
            again.push_back(i);
          } else {
            result.problems.push_back(make_problem(answer.error(), display_name(id)));
            if (misses_namespace(answer.error()))
              result.problems.back().advice = "create the namespace first, or let the module render it";
          }
        });
    left = std::move(again);
  }
  return result;
}

}  // namespace opm::release
