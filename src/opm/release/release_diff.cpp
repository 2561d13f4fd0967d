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

// How often two questions about one object are asked until nobody changes it in between.
constexpr int kMaxAttempts = 5;

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
    LiveObjects live = fetch_live(client_, tried_entries(*coming), {.release_id = release_.id, .labelled_only = true});
    if (fail(std::move(live.problems))) return;
    live_ = std::move(live.objects);
    compare(*coming);
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

  std::vector<Entry> tried_entries(const std::set<std::string>& coming) const {
    std::vector<Entry> entries;
    for (const PlacedObject& object : objects_) {
      if (object.kind && !coming.contains(object.entry.object.namespace_name)) entries.push_back(object.entry);
    }
    return entries;
  }

  void compare(const std::set<std::string>& coming) {
    result.objects.resize(objects_.size());
    TrialOptions options{coming, options_.force_conflicts,
                         [&](std::size_t i, const data::Value& after) { compare_object(i, after); }};
    TrialResult trial = try_objects(client_, objects_, options);
    result.warnings = std::move(trial.warnings);
    fail(std::move(trial.problems));
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      result.objects[i].entry = current_[i];
      if (trial.trials[i].deferred) add(result.objects[i], objects_[i].resource);
    }
    for (std::size_t i : unsettled_) compare_again(i);
  }

  // One by one: what is there without the label of the release, or was changed by others between our two questions.
  void compare_again(std::size_t i) {
    const PlacedObject& object = objects_[i];
    const ObjectId& id = current_[i].object;
    for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
      auto after = client_.run(kube::apply_object(*object.kind, id.namespace_name, object.resource.object,
                                                  {.force = options_.force_conflicts, .dry_run = true}));
      auto before = client_.run(kube::get_object(*object.kind, id.namespace_name, id.name));
      if (!before && before.error().kind == kube::FailureKind::not_found)
        return add(result.objects[i], object.resource);
      if (!after || !before) {
        result.problems.push_back(make_problem(after ? before.error() : after.error(), display_name(id)));
        return;
      }
      if (version_of(*before) != version_of(*after) && attempt + 1 < kMaxAttempts) continue;
      return compare_states(i, *before, *after);
    }
  }

  static std::string_view version_of(const data::Value& object) {
    return data::text_at(object, {"metadata", "resourceVersion"});
  }

  void compare_object(std::size_t i, const data::Value& after) {
    if (version_of(after).empty()) return add(result.objects[i], objects_[i].resource);
    auto before = live_.find(current_[i].object);
    if (before == live_.end() || version_of(before->second) != version_of(after)) {
      unsettled_.push_back(i);
      return;
    }
    compare_states(i, before->second, after);
    live_.erase(before);
  }

  // What depends on a secret is shown like one.
  data::Value shown(const data::Value& object, const render::Resource& resource) const {
    data::Value copy = comparable(object);
    if (resource.kind == "Secret") return copy;
    for (const std::vector<std::string>& part : resource.secret_parts) model::redact_part(copy, part);
    for (data::Member& member : copy.as_map()) {
      if (member.key == "spec" || member.key == "data") secrets_.hide(member.value);
    }
    return copy;
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
      result.objects.push_back({entry, DifferenceKind::orphaned, {}, comparable(found->second), {}});
    }
  }

  kube::Client& client_;
  DesiredRelease release_;
  const ApplyOptions& options_;
  const SecretTexts& secrets_;
  std::vector<PlacedObject> objects_;
  std::vector<Entry> current_;
  std::map<ObjectId, data::Value> live_;
  std::vector<std::size_t> unsettled_;  // by index
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

DiffResult diff_release(kube::Client& client, DesiredRelease release, const ApplyOptions& options) {
  SecretTexts secrets(release.resources);
  Diff diff(client, std::move(release), options, secrets);
  diff.run();
  secrets.hide(diff.result.problems);
  secrets.hide(diff.result.warnings);
  return std::move(diff.result);
}

}  // namespace opm::release
