#include "opm/release/apply.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <thread>

#include "data/build.h"
#include "data/json.h"
#include "opm/release/inventory_store.h"
#include "opm/release/object_diff.h"
#include "opm/release/secret_texts.h"
#include "opm/release/stages.h"
#include "opm/release/trial.h"

namespace opm::release {

namespace {

using Clock = std::chrono::steady_clock;

// How long a new kind or namespace may take to be usable.
constexpr std::chrono::seconds kSettleTime{30};
constexpr std::chrono::milliseconds kPollTime{50};
constexpr std::chrono::seconds kLeaveTime{60};

bool is_true(const data::Value& object, std::string_view condition) {
  auto found = kube::condition_of(object, condition);
  return found && found->status == "True";
}

// Whether the two are the same in what is for others than controllers to write, and in which fields we have applied. The
// generation says less: servers count up for an empty list in the place of none.
bool is_same(const data::Value& before, const data::Value& after) {
  return applied_fields(before, kFieldManager) == applied_fields(after, kFieldManager) &&
         data::equal(written_part(before), written_part(after));
}

class Apply {
 public:
  Apply(kube::Client& client, DesiredRelease release, const ApplyOptions& options)
      : client_(client), release_(std::move(release)), options_(options) {}
  ApplyResult result;

  void run() {
    std::string digest = manifest_digest(release_.resources);
    result.change = change_id(release_.module, release_.values, digest);
    digest_ = std::move(digest);
    Placement placement = place_objects(client_, std::move(release_.resources), release_.namespace_name);
    if (fail(std::move(placement.problems))) return;
    objects_ = std::move(placement.objects);
    for (const PlacedObject& object : objects_) {
      current_.push_back(object.entry);
      result.objects.push_back({object.entry, ApplyOutcome::not_tried});
    }
    bool is_known = false;
    {
      // Two questions that have nothing to do with each other.
      std::jthread looking([&] { look_at_namespaces(); });
      is_known = read_inventory();
    }
    if (!is_known || !check_emptiness() || !check_namespaces() || !try_everything() || !check_owners()) return;
    if (options_.dry_run) {
      report_trial();
      prune();
      return;
    }
    if (!make_namespace() || !write_pending() || !apply_stages_in_order()) return;
    if (!prune()) return;
    write_change();
  }

 private:
  // Whether there is a problem.
  bool fail(std::vector<Problem> problems) {
    std::ranges::move(problems, std::back_inserter(result.problems));
    return !result.problems.empty();
  }
  bool fail(const kube::Failure& failure, std::string_view subject = {}) {
    result.problems.push_back(make_problem(failure, subject));
    return true;
  }

  bool read_inventory() {
    auto found = find_inventory(client_, {release_.name, release_.namespace_name, release_.id});
    if (!found) return !fail(found.error(), "the inventory of the release");
    if (*found)
      inventory_ = std::move(**found);
    else
      inventory_ = {release_.name, release_.namespace_name, release_.id, release_.module.name, {}, {}, {}, {}, {}};
    note_stale(inventory_);
    return true;
  }

  void note_stale(const Inventory& inventory) {
    seen_ = inventory.changes.empty() ? std::string{} : inventory.changes.front().id;
    doomed_.clear();
    result.kept.clear();
    for (Entry& entry : stale_entries(inventory, current_)) {
      bool keep = !options_.prune || (is_dangerous(entry.object) && !options_.prune_dangerous);
      (keep ? result.kept : doomed_).push_back(std::move(entry));
    }
  }

  // What the inventory will name.
  std::vector<Entry> all_entries() const {
    std::vector<Entry> entries = current_;
    std::ranges::copy(result.kept, std::back_inserter(entries));
    return entries;
  }

  bool check_emptiness() {
    if (!objects_.empty() || doomed_.empty() || options_.force) return true;
    return !fail({{render::ProblemKind::general,
                   fmt::format("nothing is rendered: all {} objects of the release would be removed", doomed_.size()),
                   "--force removes them; so does delete"}});
  }

  const PlacedObject* rendered_namespace(const std::string& name) const {
    auto found = std::ranges::find_if(objects_, [&](const PlacedObject& object) {
      return object.entry.object == ObjectId{"", "Namespace", "", name};
    });
    return found == objects_.end() ? nullptr : &*found;
  }

  void look_at_namespaces() {
    std::set<std::string> used{release_.namespace_name};
    for (const Entry& entry : current_) {
      if (!entry.object.namespace_name.empty()) used.insert(entry.object.namespace_name);
    }
    auto resource = client_.resource({"", "v1"}, "Namespace");
    std::vector<kube::Operation> questions;
    for (const std::string& name : used) {
      if (!resource) namespaces_.emplace_back(name, std::unexpected(resource.error()));
      else questions.push_back(kube::get_object(*resource, {}, name));
    }
    auto name = used.begin();
    for (kube::Result<data::Value>& answer : client_.run_all(questions)) namespaces_.emplace_back(*name++, std::move(answer));
  }

  // Which namespaces have to be made first. Whoever may not look at namespaces may still work in one.
  bool check_namespaces() {
    for (const auto& [name, found] : namespaces_) {
      if (found || found.error().kind == kube::FailureKind::forbidden) continue;
      if (found.error().kind != kube::FailureKind::not_found) return !fail(found.error());
      bool created = options_.create_namespace && name == release_.namespace_name;
      if (!created && rendered_namespace(name) == nullptr) {
        result.problems.push_back({render::ProblemKind::not_found, fmt::format("namespace \"{}\" is not there", name),
                                   name == release_.namespace_name
                                       ? "--create-namespace creates it"
                                       : "create it, or render it as an object of the module"});
        continue;
      }
      coming_namespaces_.insert(name);
      result.makes_namespace = result.makes_namespace || rendered_namespace(name) == nullptr;
    }
    return result.problems.empty();
  }

  bool try_everything() {
    unchanged_.assign(objects_.size(), false);
    TrialOptions options{coming_namespaces_, options_.force_conflicts,
                         inventory_.stored() ? release_.id : std::string{}, true,
                         [&](std::size_t i, const data::Value* before, const data::Value& after) {
                           if (before == nullptr || !is_same(*before, after)) return;
                           unchanged_[i] = true;
                           current_[i].fields = applied_fields(after, kFieldManager);
                         }};
    TrialResult trial = try_objects(client_, objects_, options);
    result.warnings = std::move(trial.warnings);
    trials_ = std::move(trial.trials);
    return !fail(std::move(trial.problems));
  }

  // What is there already must be ours, and stay.
  bool check_owners() {
    std::set<ObjectId> known;
    for (const Entry& entry : known_entries(inventory_)) known.insert(entry.object);
    std::vector<std::size_t> suspects;
    std::vector<Leaving> leaving;
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      if (!trials_[i].exists || (known.contains(current_[i].object) && !trials_[i].terminating)) continue;
      suspects.push_back(i);
    }
    bool is_first = !inventory_.stored();
    run_in_batches(
        client_, suspects.size(),
        [&](std::size_t n) {
          const PlacedObject& object = objects_[suspects[n]];
          return kube::get_object(*object.kind, object.entry.object.namespace_name, object.entry.object.name);
        },
        [&](std::size_t n, kube::Result<data::Value>& answer) {
          std::size_t i = suspects[n];
          if (!answer) {
            if (answer.error().kind != kube::FailureKind::not_found) fail(answer.error());
            return;
          }
          if (trials_[i].terminating && (is_first || options_.dry_run)) {
            result.problems.push_back({render::ProblemKind::general,
                                       fmt::format("{} is being deleted", display_name(current_[i].object)),
                                       "apply again when it is gone"});
          } else if (trials_[i].terminating) {
            leaving.push_back(
                {current_[i], *objects_[i].kind, std::string(data::text_at(*answer, {"metadata", "uid"}))});
          }
          if (!known.contains(current_[i].object) && !options_.adopt) check_owner(current_[i].object, *answer);
        });
    if (!result.problems.empty()) return false;
    if (leaving.empty()) return true;
    if (fail(wait_until_gone(client_, leaving, std::min(options_.deadline, Clock::now() + kLeaveTime)))) return false;
    return try_everything();
  }

  void check_owner(const ObjectId& object, const data::Value& live) {
    std::string_view owner = data::text_at(live, {"metadata", "labels", kReleaseIdLabel});
    if (owner == release_.id) return;
    bool managed = data::text_at(live, {"metadata", "labels", kManagedByLabel}) == kManagedByOpm;
    if (managed && owner.empty()) return;
    std::string whose = "is there already, and not from a release";
    if (managed) {
      std::string_view name = data::text_at(live, {"metadata", "labels", kReleaseNameLabel});
      whose = fmt::format("belongs to another release, \"{}\" ({})", name, owner);
    }
    result.problems.push_back(
        {render::ProblemKind::general, fmt::format("{} {}", display_name(object), whose), "--adopt takes it over"});
  }

  void report_trial() {
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      result.objects[i].outcome = !trials_[i].exists   ? ApplyOutcome::created
                                  : unchanged_[i]      ? ApplyOutcome::unchanged
                                                       : ApplyOutcome::configured;
    }
  }

  bool make_namespace() {
    if (!coming_namespaces_.contains(release_.namespace_name)) return true;
    auto resource = client_.resource({"", "v1"}, "Namespace");
    if (!resource) return !fail(resource.error());
    const PlacedObject* rendered = rendered_namespace(release_.namespace_name);
    data::Value plain = data::map({{"apiVersion", data::text("v1")},
                                   {"kind", data::text("Namespace")},
                                   {"metadata", data::map({{"name", data::text(release_.namespace_name)}})}});
    auto made = client_.run(rendered != nullptr ? kube::apply_object(*resource, {}, rendered->resource.object)
                                                : kube::create_object(*resource, {}, plain));
    if (!made && made.error().kind != kube::FailureKind::already_exists)
      return !fail(made.error(), fmt::format("namespace \"{}\"", release_.namespace_name));
    return wait_for({"", "Namespace", "", release_.namespace_name}, *resource, [](const data::Value& object) {
      return data::text_at(object, {"status", "phase"}) == "Active";
    });
  }

  // Polls: it is about few objects and short times.
  bool wait_for(const ObjectId& object, const kube::Resource& resource,
                const std::function<bool(const data::Value&)>& ready) {
    Clock::time_point end = std::min(options_.deadline, Clock::now() + kSettleTime);
    while (true) {
      auto found = client_.run(kube::get_object(resource, object.namespace_name, object.name));
      if (found && ready(*found)) return true;
      if (!found && found.error().kind != kube::FailureKind::not_found)
        return !fail(found.error(), display_name(object));
      if (Clock::now() >= end) break;
      std::this_thread::sleep_for(kPollTime);
    }
    return !fail({{render::ProblemKind::general, fmt::format("{} does not become usable", display_name(object)), {}}});
  }

  bool same_entries(const std::vector<Entry>& a, const std::vector<Entry>& b) const {
    return a.size() == b.size() && std::ranges::all_of(a, [&](const Entry& one) {
             return std::ranges::any_of(b, [&](const Entry& other) { return one.same(other); });
           });
  }

  bool write_pending() {
    std::string now = base::format_time(client_.clock().now());
    Inventory blank = inventory_;
    auto written = update_inventory(client_, blank, [&](Inventory latest) -> std::optional<Inventory> {
      note_stale(latest);
      // Everything that will be there is known already.
      if (latest.stored() && !latest.pending && !latest.changes.empty() && latest.changes.front().id == result.change &&
          doomed_.empty() && same_entries(latest.changes.front().entries, all_entries())) {
        is_repeated_ = true;
        return std::nullopt;
      }
      is_repeated_ = false;
      return with_pending(std::move(latest), result.change, current_, now);
    });
    if (!written) return !fail(written.error(), "the inventory of the release");
    inventory_ = std::move(*written);
    return true;
  }

  bool apply_stages_in_order() {
    for (const Stage& stage : apply_stages(current_)) {
      if (!apply_stage(stage) || !settle(stage)) return false;
    }
    return true;
  }

  bool apply_stage(const Stage& stage) {
    std::vector<std::size_t> left;
    for (std::size_t i : stage.objects) {
      if (unchanged_[i]) tell(i, ApplyOutcome::unchanged);
      else if (find_kind(i)) left.push_back(i);
    }
    // The second time for those of which others turn out to own fields.
    for (int attempt = 0; attempt < 2; ++attempt) {
      std::vector<std::size_t> again;
      run_in_batches(
          client_, left.size(),
          [&](std::size_t n) {
            std::size_t i = left[n];
            const PlacedObject& object = objects_[i];
            // What has been tried has been checked, and of the answer only the metadata is of interest.
            return kube::apply_object(*object.kind, object.entry.object.namespace_name, object.resource.object,
                                      {.force = trials_[i].force,
                                       .field_validation = trials_[i].deferred ? "" : "Ignore",
                                       .metadata_only = true});
          },
          [&](std::size_t n, kube::Result<data::Value>& answer) { take(left[n], answer, again); });
      left = std::move(again);
    }
    return result.problems.empty();
  }

  void tell(std::size_t i, ApplyOutcome outcome) {
    AppliedObject& object = result.objects[i];
    object.outcome = outcome;
    object.entry.fields = current_[i].fields;
    if (options_.report) options_.report(name_of(outcome), object.entry.object);
  }

  // A kind that a definition of an earlier stage brought.
  bool find_kind(std::size_t i) {
    if (objects_[i].kind) return true;
    Clock::time_point end = std::min(options_.deadline, Clock::now() + kSettleTime);
    while (true) {
      auto kind = client_.resource({current_[i].object.group, current_[i].version}, current_[i].object.kind);
      if (kind) {
        objects_[i].kind = std::move(*kind);
        return true;
      }
      if (kind.error().kind != kube::FailureKind::unknown_kind || Clock::now() >= end) {
        result.objects[i].outcome = ApplyOutcome::failed;
        fail(kind.error(), display_name(current_[i].object));
        return false;
      }
      std::this_thread::sleep_for(kPollTime);
      static_cast<void>(client_.refresh_resources());
    }
  }

  void take(std::size_t i, kube::Result<data::Value>& answer, std::vector<std::size_t>& again) {
    AppliedObject& object = result.objects[i];
    Trial& trial = trials_[i];
    if (answer) {
      bool is_new = trial.deferred ? data::integer_at(*answer, {"metadata", "generation"}) <= 1 : !trial.exists;
      bool is_written = kube::resource_version_of(*answer) != trial.resource_version;
      current_[i].fields = applied_fields(*answer, kFieldManager);
      return tell(i, is_new ? ApplyOutcome::created : is_written ? ApplyOutcome::configured : ApplyOutcome::unchanged);
    }
    if (!trial.force && !kube::field_conflicts(answer.error()).empty()) {
      if (options_.force_conflicts) {
        std::ranges::move(conflict_warnings(object.entry.object, answer.error()), std::back_inserter(result.warnings));
        trial.force = true;
        again.push_back(i);
        return;
      }
      result.problems.push_back(conflict_problem(object.entry.object, answer.error()));
    } else if (objects_[i].resource.kind != "CustomResourceDefinition" && trial.deferred && !retried_.contains(i) &&
               answer.error().kind == kube::FailureKind::not_found) {
      // The server is a moment late with what it has just been taught.
      retried_.insert(i);
      std::this_thread::sleep_for(kPollTime * 10);
      again.push_back(i);
      return;
    } else {
      fail(answer.error(), display_name(object.entry.object));
    }
    object.outcome = ApplyOutcome::failed;
    if (options_.report) options_.report("failed", object.entry.object);
  }

  // Waits for what later stages need.
  bool settle(const Stage& stage) {
    for (std::size_t i : stage.objects) {
      const ObjectId& object = current_[i].object;
      if (!is_dangerous(object)) continue;
      bool is_definition = object.kind == "CustomResourceDefinition";
      bool ready = wait_for(object, *objects_[i].kind, [&](const data::Value& live) {
        return is_definition ? is_true(live, "Established") : data::text_at(live, {"status", "phase"}) == "Active";
      });
      if (!ready) return false;
    }
    return true;
  }

  bool prune() {
    if (doomed_.empty()) return true;
    RemovalOptions removal;
    removal.release_id = release_.id;
    removal.dry_run = options_.dry_run;
    removal.wait = false;
    removal.force = true;
    removal.deadline = options_.deadline;
    if (options_.report && !options_.dry_run) {
      removal.report = [&](const RemovedObject& object) {
        if (object.outcome != RemovalOutcome::failed) options_.report("pruned", object.entry.object);
      };
    }
    RemovalResult removed = remove_objects(client_, doomed_, removal);
    result.pruned = std::move(removed.objects);
    return !fail(std::move(removed.problems));
  }

  void write_change() {
    bool nothing_happened = std::ranges::all_of(
        result.objects, [](const AppliedObject& object) { return object.outcome == ApplyOutcome::unchanged; });
    auto written = update_inventory(client_, inventory_, [&](Inventory latest) -> std::optional<Inventory> {
      bool is_recorded = is_repeated_ && !latest.changes.empty() && latest.changes.front().id == result.change &&
                         latest.resource_version == inventory_.resource_version;
      if (is_recorded && nothing_happened && same_fields(latest.changes.front().entries)) return std::nullopt;
      Change change{result.change, release_.module, release_.values, digest_, base::format_time(client_.clock().now()),
                    all_entries()};
      return with_change(std::move(latest), std::move(change), seen_, options_.max_history);
    });
    if (!written) fail(written.error(), "the inventory of the release");
  }

  bool same_fields(const std::vector<Entry>& recorded) const {
    std::map<ObjectId, std::string_view> fields;
    for (const Entry& entry : recorded) fields[entry.object] = entry.fields;
    return std::ranges::all_of(current_, [&](const Entry& entry) { return fields[entry.object] == entry.fields; });
  }

  kube::Client& client_;
  DesiredRelease release_;
  const ApplyOptions& options_;
  std::string digest_;
  std::vector<PlacedObject> objects_;
  std::vector<Entry> current_;       // by object
  std::vector<Trial> trials_;        // by object
  std::vector<bool> unchanged_;      // by object; the server would not make anything else of it
  std::set<std::size_t> retried_;
  Inventory inventory_;
  std::string seen_;           // the newest change when we began
  std::vector<Entry> doomed_;  // known, no longer rendered, and to be removed
  std::vector<std::pair<std::string, kube::Result<data::Value>>> namespaces_;  // that objects are in
  std::set<std::string> coming_namespaces_;
  bool is_repeated_ = false;  // the newest change is this one, and nothing is pending
};

}  // namespace

std::string_view name_of(ApplyOutcome outcome) {
  switch (outcome) {
    case ApplyOutcome::created:
      return "created";
    case ApplyOutcome::configured:
      return "configured";
    case ApplyOutcome::unchanged:
      return "unchanged";
    case ApplyOutcome::failed:
      return "failed";
    case ApplyOutcome::not_tried:
      break;
  }
  return "not tried";
}

ApplyResult apply_release(kube::Client& client, DesiredRelease release, const ApplyOptions& options) {
  SecretTexts secrets(release.resources);
  Apply apply(client, std::move(release), options);
  apply.run();
  secrets.hide(apply.result.problems);
  secrets.hide(apply.result.warnings);
  return std::move(apply.result);
}

}  // namespace opm::release
