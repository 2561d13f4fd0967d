#include "opm/release/removal.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/joined.h"
#include "data/build.h"
#include "kube/watch.h"
#include "opm/release/dependents.h"
#include "opm/release/inventory.h"
#include "opm/release/live.h"
#include "opm/release/stages.h"

namespace opm::release {

namespace {

using Clock = std::chrono::steady_clock;

std::vector<std::string> finalizers_of(const data::Value& object) {
  std::vector<std::string> names;
  const data::Value* list = object.find_path({"metadata", "finalizers"});
  if (list == nullptr || !list->is_list()) return names;
  for (const data::Value& name : list->as_list()) {
    if (name.is_string()) names.push_back(name.as_string());
  }
  return names;
}

Problem held_problem(const Entry& entry, const std::vector<std::string>& finalizers) {
  Problem problem;
  problem.message = fmt::format("{} is still there", display_name(entry.object));
  if (std::ranges::find(finalizers, "foregroundDeletion") != finalizers.end() && finalizers.size() == 1) {
    problem.message += ": it waits for objects that belong to it";
  } else if (!finalizers.empty()) {
    problem.message += fmt::format(": it waits for its finalizers {}", base::joined(finalizers, ", "));
    problem.advice = "see why what handles these finalizers does not remove them";
  }
  return problem;
}

class Removal {
 public:
  Removal(kube::Client& client, const RemovalOptions& options) : client_(client), options_(options) {}
  RemovalResult result;

  void run(const std::vector<Entry>& entries) {
    LiveObjects live = fetch_live(client_, entries, {options_.release_id, true});
    std::vector<Stage> stages = delete_stages(entries);
    std::set<ObjectId> unknown;
    for (const Entry& entry : live.unknown_kinds) unknown.insert(entry.object);
    for (const Entry& entry : live.unknown_kinds) {
      if (options_.force) continue;
      live.problems.push_back({render::ProblemKind::not_found,
                               fmt::format("{}: the cluster has no kind {} in {}", display_name(entry.object),
                                           entry.object.kind, api_version(entry)),
                               "if its definition was deleted, so was the object; --force goes on without it"});
    }
    bool stopped = !live.problems.empty();
    result.problems = std::move(live.problems);
    for (const Stage& stage : stages) {
      std::vector<RemovedObject> objects;
      for (std::size_t index : stage.objects) objects.push_back({entries[index], RemovalOutcome::not_tried});
      if (!stopped) stopped = !run_stage(objects, live.objects, unknown);
      std::ranges::move(objects, std::back_inserter(result.objects));
    }
  }

 private:
  bool run_stage(std::vector<RemovedObject>& objects, const std::map<ObjectId, data::Value>& live,
                 const std::set<ObjectId>& unknown) {
    std::vector<kube::Operation> operations;
    std::vector<std::size_t> asked;
    std::map<std::size_t, Leaving> leaving;
    Dependents dependents(client_);
    bool is_looking = look_at_dependents(dependents, objects, live);
    for (std::size_t i = 0; i < objects.size(); ++i) {
      RemovedObject& object = objects[i];
      auto found = live.find(object.entry.object);
      if (found == live.end() || unknown.contains(object.entry.object)) {
        finish(object, RemovalOutcome::absent);
        continue;
      }
      if (is_foreign(found->second)) {
        finish(object, RemovalOutcome::foreign);
        continue;
      }
      auto resource = find_resource(client_, object.entry);
      if (!resource) {
        fail(object, resource.error());
        continue;
      }
      kube::DeleteOptions request;
      request.uid = data::text_at(found->second, {"metadata", "uid"});
      // Where we cannot see what belongs to it, the server keeps the object until that is gone, which is much more
      // work.
      bool is_held = options_.wait && is_workload(object.entry.object) && !is_looking;
      request.propagation = is_held ? kube::Propagation::foreground : kube::Propagation::background;
      request.dry_run = options_.dry_run;
      operations.push_back(
          kube::delete_object(*resource, object.entry.object.namespace_name, object.entry.object.name, request));
      asked.push_back(i);
      leaving[i] = {object.entry, std::move(*resource), request.uid};
    }
    std::vector<kube::Result<data::Value>> answers = client_.run_all(operations);
    std::vector<Leaving> waiting;
    std::set<ObjectId> parents;  // of which others may be left
    for (std::size_t n = 0; n < answers.size(); ++n) {
      RemovedObject& object = objects[asked[n]];
      if (!answers[n]) {
        if (answers[n].error().kind == kube::FailureKind::not_found)
          finish(object, RemovalOutcome::absent);
        else
          fail(object, answers[n].error());
        continue;
      }
      // A server that answers with the object has only marked it.
      bool gone =
          data::text_at(*answers[n], {"kind"}) == "Status" && data::text_at(*answers[n], {"apiVersion"}) == "v1";
      if (!options_.wait && !options_.dry_run && !gone) {
        finish(object, RemovalOutcome::requested);
        continue;
      }
      if (is_looking && is_workload(object.entry.object)) parents.insert(object.entry.object);
      if (!gone && !options_.dry_run)
        waiting.push_back(std::move(leaving[asked[n]]));
      else if (parents.contains(object.entry.object))
        object.outcome = RemovalOutcome::held;
      else
        finish(object, RemovalOutcome::removed);
    }
    wait(objects, waiting, parents);
    if (is_looking && result.problems.empty()) wait_for_dependents(dependents, objects, parents);
    return std::ranges::none_of(objects, [](const RemovedObject& object) {
      return object.outcome == RemovalOutcome::failed || object.outcome == RemovalOutcome::held;
    });
  }

  // Whether another release has it by now.
  bool is_foreign(const data::Value& object) const {
    std::string_view owner = data::text_at(object, {"metadata", "labels", kReleaseIdLabel});
    return !options_.release_id.empty() && !owner.empty() && owner != options_.release_id;
  }

  // The workloads that are about to be deleted.
  bool look_at_dependents(Dependents& dependents, const std::vector<RemovedObject>& objects,
                          const std::map<ObjectId, data::Value>& live) {
    if (!options_.wait || options_.dry_run) return false;
    bool any = false;
    for (const RemovedObject& object : objects) {
      auto found = live.find(object.entry.object);
      if (found == live.end() || !is_workload(object.entry.object) || is_foreign(found->second)) continue;
      dependents.add(object.entry, kube::uid_of(found->second));
      any = true;
    }
    return any && dependents.look(options_.deadline);
  }

  static RemovedObject& object_of(std::vector<RemovedObject>& objects, const Entry& entry) {
    return *std::ranges::find_if(objects,
                                 [&](const RemovedObject& object) { return object.entry.object == entry.object; });
  }

  void wait(std::vector<RemovedObject>& objects, const std::vector<Leaving>& waiting,
            const std::set<ObjectId>& parents) {
    if (waiting.empty()) return;
    for (const Leaving& one : waiting) object_of(objects, one.entry).outcome = RemovalOutcome::held;
    std::vector<Problem> problems = wait_until_gone(client_, waiting, options_.deadline, [&](const Entry& entry) {
      if (!parents.contains(entry.object)) finish(object_of(objects, entry), RemovalOutcome::removed);
    });
    std::ranges::move(problems, std::back_inserter(result.problems));
  }

  void wait_for_dependents(Dependents& dependents, std::vector<RemovedObject>& objects,
                           const std::set<ObjectId>& parents) {
    std::vector<Problem> problems = dependents.wait_until_gone(options_.deadline, [&](const Entry& entry) {
      // Those that were not there any more have been told already.
      if (parents.contains(entry.object)) finish(object_of(objects, entry), RemovalOutcome::removed);
    });
    std::ranges::move(problems, std::back_inserter(result.problems));
  }

  void finish(RemovedObject& object, RemovalOutcome outcome) {
    object.outcome = outcome;
    if (options_.report) options_.report(object);
  }

  void fail(RemovedObject& object, const kube::Failure& failure) {
    result.problems.push_back(make_problem(failure, display_name(object.entry.object)));
    finish(object, RemovalOutcome::failed);
  }

  kube::Client& client_;
  const RemovalOptions& options_;
};

}  // namespace

std::vector<Problem> wait_until_gone(kube::Client& client, const std::vector<Leaving>& objects,
                                     Clock::time_point deadline, const std::function<void(const Entry&)>& gone) {
  struct Waiting {
    const Leaving* object;
    std::size_t watch;
    bool seen = false;
    std::vector<std::string> finalizers;
  };
  kube::WatchSet watches(client);
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> places;
  std::map<std::string, Waiting> waiting;  // by uid
  for (const Leaving& object : objects) {
    std::tuple key(object.resource.group_version.text(), object.resource.plural, object.entry.object.namespace_name);
    auto place = places.find(key);
    if (place == places.end())
      place = places.emplace(key, watches.add(object.resource, object.entry.object.namespace_name)).first;
    waiting[object.uid] = {&object, place->second, false, {}};
  }
  auto finish = [&](std::map<std::string, Waiting>::iterator one) {
    if (gone) gone(one->second.object->entry);
    return waiting.erase(one);
  };
  std::vector<Problem> problems;
  while (!waiting.empty()) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) break;
    auto item = watches.next(std::min(left, std::chrono::milliseconds(60'000)));
    if (!item) continue;
    if (!item->event) {
      problems.push_back(make_problem(item->event.error()));
      break;
    }
    const kube::Event& event = *item->event;
    if (event.kind == kube::EventKind::synced) {
      for (auto one = waiting.begin(); one != waiting.end();) {
        if (one->second.watch == item->watch && !one->second.seen)
          one = finish(one);
        else
          ++one;
      }
      continue;
    }
    auto one = waiting.find(std::string(data::text_at(event.object, {"metadata", "uid"})));
    if (one == waiting.end()) continue;
    if (event.kind == kube::EventKind::deleted) {
      finish(one);
    } else {
      one->second.seen = true;
      one->second.finalizers = finalizers_of(event.object);
    }
  }
  for (const auto& [uid, one] : waiting) problems.push_back(held_problem(one.object->entry, one.finalizers));
  return problems;
}

RemovalResult remove_objects(kube::Client& client, const std::vector<Entry>& entries, const RemovalOptions& options) {
  Removal removal(client, options);
  removal.run(entries);
  return std::move(removal.result);
}

}  // namespace opm::release
