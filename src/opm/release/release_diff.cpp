#include "opm/release/release_diff.h"

#include <algorithm>
#include <set>

#include "data/build.h"
#include "opm/model/redaction.h"
#include "opm/release/inventory_store.h"
#include "opm/release/live.h"
#include "opm/release/secret_texts.h"
#include "opm/release/trial.h"

namespace opm::release {

namespace {

class Diff {
 public:
  Diff(kube::Client& client, DesiredRelease release, const ApplyOptions& options, const SecretTexts& secrets)
      : client_(client), release_(std::move(release)), options_(options), secrets_(secrets) {}
  DiffResult result;

  void run() {
    Placement placement = place_objects(client_, std::move(release_.resources), release_.namespace_name);
    if (fail(std::move(placement.problems))) return;
    objects_ = std::move(placement.objects);
    for (const PlacedObject& object : objects_) current_.push_back(object.entry);
    auto found = find_inventory(client_, {release_.name, release_.namespace_name, release_.id});
    if (!found) {
      result.problems.push_back(make_problem(found.error()));
      return;
    }
    auto coming = coming_namespaces();
    if (!coming) {
      result.problems.push_back(make_problem(coming.error()));
      return;
    }
    compare(*coming, found->has_value());
    if (result.problems.empty() && *found) add_orphans(**found);
  }

 private:
  bool fail(std::vector<Problem> problems) {
    std::ranges::move(problems, std::back_inserter(result.problems));
    return !result.problems.empty();
  }

  kube::Result<std::set<std::string>> coming_namespaces() {
    std::set<std::string> used, coming;
    for (const Entry& entry : current_) {
      if (!entry.object.namespace_name.empty()) used.insert(entry.object.namespace_name);
    }
    auto resource = client_.resource({"", "v1"}, "Namespace");
    if (!resource) return std::unexpected(std::move(resource.error()));
    for (const std::string& name : used) {
      auto found = client_.run(kube::get_object(*resource, {}, name));
      if (found || found.error().kind == kube::FailureKind::forbidden) continue;
      if (found.error().kind != kube::FailureKind::not_found) return std::unexpected(std::move(found.error()));
      coming.insert(name);
    }
    return coming;
  }

  void compare(const std::set<std::string>& coming, bool is_known) {
    result.objects.resize(objects_.size());
    TrialOptions options{coming, options_.force_conflicts, is_known ? release_.id : std::string{}, false,
                         [&](std::size_t i, const data::Value* before, const data::Value& after) {
                           if (before == nullptr)
                             add(result.objects[i], objects_[i].resource);
                           else
                             compare_states(i, *before, after);
                         }};
    TrialResult trial = try_objects(client_, objects_, options);
    result.warnings = std::move(trial.warnings);
    fail(std::move(trial.problems));
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      result.objects[i].entry = current_[i];
      if (trial.trials[i].deferred) add(result.objects[i], objects_[i].resource);
    }
  }

  // What depends on a secret is shown like one.
  data::Value shown(const data::Value& object, const render::Resource& resource) const {
    data::Value copy = comparable(object, resource);
    hide_elsewhere(resource.kind, copy);
    return copy;
  }

  // Texts of secrets in what the cluster has.
  void hide_elsewhere(std::string_view kind, data::Value& object) const {
    if (kind == "Secret") return;
    for (data::Member& member : object.as_map()) {
      if (member.key == "spec" || member.key == "data") secrets_.hide(member.value);
    }
  }

  void compare_states(std::size_t i, const data::Value& before, const data::Value& after) {
    ObjectDifference& difference = result.objects[i];
    data::Value old_object = shown(before, objects_[i].resource), new_object = shown(after, objects_[i].resource);
    difference.changes = diff_objects(old_object, new_object);
    if (difference.changes.empty()) return;
    difference.kind = DifferenceKind::changed;
    difference.before = std::move(old_object);
    difference.after = std::move(new_object);
  }

  // As it was rendered: what the server adds to it says nothing new.
  void add(ObjectDifference& difference, const render::Resource& resource) const {
    difference.kind = DifferenceKind::added;
    difference.after = shown(resource.object, resource);
  }

  void add_orphans(const Inventory& inventory) {
    if (!options_.prune) return;
    std::vector<Entry> stale = stale_entries(inventory, current_);
    std::erase_if(stale, [&](const Entry& entry) { return is_dangerous(entry.object) && !options_.prune_dangerous; });
    if (stale.empty()) return;
    LiveObjects live = fetch_live(client_, stale, {release_.id});
    fail(std::move(live.problems));
    for (const Entry& entry : stale) {
      auto found = live.objects.find(entry.object);
      if (found == live.objects.end()) continue;
      std::string_view owner = data::text_at(found->second, {"metadata", "labels", kReleaseIdLabel});
      if (!owner.empty() && owner != release_.id) continue;
      data::Value before = comparable(found->second);
      hide_elsewhere(entry.object.kind, before);
      result.objects.push_back({entry, DifferenceKind::orphaned, {}, std::move(before), {}});
    }
  }

  kube::Client& client_;
  DesiredRelease release_;
  const ApplyOptions& options_;
  const SecretTexts& secrets_;
  std::vector<PlacedObject> objects_;
  std::vector<Entry> current_;
};

}  // namespace

std::string_view name_of(DifferenceKind kind) {
  switch (kind) {
    case DifferenceKind::added:
      return "added";
    case DifferenceKind::changed:
      return "changed";
    case DifferenceKind::orphaned:
      return "orphaned";
    case DifferenceKind::unchanged:
      break;
  }
  return "unchanged";
}

bool DiffResult::differs() const {
  return std::ranges::any_of(objects,
                             [](const ObjectDifference& object) { return object.kind != DifferenceKind::unchanged; });
}

data::Value comparable(const data::Value& object, const render::Resource& resource) {
  data::Value copy = comparable(object);
  if (resource.kind == "Secret") return copy;
  for (const std::vector<std::string>& part : resource.secret_parts) model::redact_part(copy, part);
  return copy;
}

DiffResult diff_release(kube::Client& client, DesiredRelease release, const ApplyOptions& options) {
  SecretTexts secrets(release.resources);
  Diff diff(client, std::move(release), options, secrets);
  diff.run();
  secrets.hide(diff.result.problems);
  secrets.hide(diff.result.warnings);
  return std::move(diff.result);
}

}  // namespace opm::release
