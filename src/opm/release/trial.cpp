#include "opm/release/trial.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/joined.h"
#include "data/build.h"
#include "opm/release/live.h"
#include "opm/render/resource_order.h"

namespace opm::release {

namespace {

constexpr std::size_t kBatch = 128;
// How often two questions about one object are asked until nobody changes it in between.
constexpr int kMaxAttempts = 5;

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
        fmt::format("{}: taking over {} from \"{}\"", display_name(object), base::joined(fields, ", "), manager));
  }
  return warnings;
}

Problem conflict_problem(const ObjectId& object, const kube::Failure& failure) {
  std::vector<std::string> owners;
  for (const auto& [manager, fields] : fields_by_manager(failure))
    owners.push_back(fmt::format("\"{}\" owns {}", manager, base::joined(fields, ", ")));
  return {render::ProblemKind::general, fmt::format("{}: {}", display_name(object), base::joined(owners, "; ")),
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

namespace {

std::string_view version_of(const data::Value& object) {
  return data::text_at(object, {"metadata", "resourceVersion"});
}

class Attempt {
 public:
  Attempt(kube::Client& client, const std::vector<PlacedObject>& objects, const TrialOptions& options)
      : client_(client), objects_(objects), options_(options) {}
  TrialResult result;

  void run() {
    result.trials.resize(objects_.size());
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      if (!objects_[i].kind || options_.coming_namespaces.contains(objects_[i].entry.object.namespace_name))
        result.trials[i].deferred = true;
      else
        left.push_back(i);
    }
    if (!options_.release_id.empty()) look(left);
    // The second time for those whose fields are to be taken.
    for (int round = 0; round < 2; ++round) {
      std::vector<std::size_t> again;
      run_in_batches(
          client_, left.size(), [&](std::size_t n) { return trial_of(left[n], options_.only_changes && !is_known(left[n])); },
          [&](std::size_t n, kube::Result<data::Value>& answer) {
            if (take(left[n], answer, again)) compare(left[n], *answer);
          });
      left = std::move(again);
    }
    live_.clear();
    for (int attempt = 1; attempt <= kMaxAttempts && !unsettled_.empty(); ++attempt)
      compare_again(std::exchange(unsettled_, {}), attempt == kMaxAttempts);
  }

 private:
  bool is_known(std::size_t i) const { return live_.contains(objects_[i].entry.object); }

  kube::Operation trial_of(std::size_t i, bool metadata_only = false) const {
    const PlacedObject& object = objects_[i];
    return kube::apply_object(*object.kind, object.entry.object.namespace_name, object.resource.object,
                              {.force = result.trials[i].force, .dry_run = true, .metadata_only = metadata_only});
  }

  void look(const std::vector<std::size_t>& indexes) {
    std::vector<Entry> entries;
    for (std::size_t i : indexes) entries.push_back(objects_[i].entry);
    LiveObjects live = fetch_live(client_, entries, {.release_id = options_.release_id, .labelled_only = true});
    // What is not found here is asked for by itself.
    if (live.problems.empty()) live_ = std::move(live.objects);
  }

  // Whether the server would take the object.
  bool take(std::size_t i, const kube::Result<data::Value>& answer, std::vector<std::size_t>& again) {
    const ObjectId& id = objects_[i].entry.object;
    Trial& trial = result.trials[i];
    if (answer) {
      trial.resource_version = version_of(*answer);
      trial.exists = !trial.resource_version.empty();
      trial.terminating = !data::text_at(*answer, {"metadata", "deletionTimestamp"}).empty();
      return true;
    }
    if (!trial.force && !kube::field_conflicts(answer.error()).empty()) {
      if (!options_.force_conflicts) {
        result.problems.push_back(conflict_problem(id, answer.error()));
        return false;
      }
      std::ranges::move(conflict_warnings(id, answer.error()), std::back_inserter(result.warnings));
      trial.force = true;
      again.push_back(i);
      return false;
    }
    result.problems.push_back(make_problem(answer.error(), display_name(id)));
    if (misses_namespace(answer.error()))
      result.problems.back().advice = "create the namespace first, or let the module render it";
    return false;
  }

  void compare(std::size_t i, const data::Value& after) {
    if (!result.trials[i].exists) return options_.result(i, nullptr, after);
    auto before = live_.find(objects_[i].entry.object);
    if (before == live_.end() || version_of(before->second) != version_of(after)) {
      unsettled_.push_back(i);
      return;
    }
    options_.result(i, &before->second, after);
    live_.erase(before);
  }

  // What is there without the label of the release, or was changed by others between our two questions.
  void compare_again(const std::vector<std::size_t>& indexes, bool is_last) {
    std::vector<std::size_t> conflicting;
    std::optional<data::Value> after;
    run_in_batches(
        client_, indexes.size() * 2,
        [&](std::size_t n) {
          const PlacedObject& object = objects_[indexes[n / 2]];
          return n % 2 == 0
                     ? trial_of(indexes[n / 2])
                     : kube::get_object(*object.kind, object.entry.object.namespace_name, object.entry.object.name);
        },
        [&](std::size_t n, kube::Result<data::Value>& answer) {
          std::size_t i = indexes[n / 2];
          if (n % 2 == 0) {
            after.reset();
            if (take(i, answer, conflicting)) after = std::move(*answer);
            return;
          }
          if (!after) return;
          bool is_gone = !answer && answer.error().kind == kube::FailureKind::not_found;
          if (!answer && !is_gone) {
            result.problems.push_back(make_problem(answer.error(), display_name(objects_[i].entry.object)));
          } else if (is_last || (is_gone ? !result.trials[i].exists : version_of(*answer) == version_of(*after))) {
            options_.result(i, is_gone ? nullptr : &*answer, *after);
          } else {
            unsettled_.push_back(i);
          }
        });
    std::ranges::move(conflicting, std::back_inserter(unsettled_));
  }

  kube::Client& client_;
  const std::vector<PlacedObject>& objects_;
  const TrialOptions& options_;
  std::map<ObjectId, data::Value> live_;
  std::vector<std::size_t> unsettled_;  // by index
};

}  // namespace

TrialResult try_objects(kube::Client& client, const std::vector<PlacedObject>& objects, const TrialOptions& options) {
  Attempt attempt(client, objects, options);
  attempt.run();
  return std::move(attempt.result);
}

}  // namespace opm::release
