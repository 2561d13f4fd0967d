#include "opm/release/delete.h"

#include <fmt/core.h>

#include <algorithm>

#include "opm/release/live.h"

namespace opm::release {

namespace {

constexpr int kMaxRounds = 5;

class Delete {
 public:
  Delete(kube::Client& client, const ReleaseKey& release, const DeleteOptions& options)
      : client_(client), release_(release), options_(options) {}
  DeleteResult result;

  void run() {
    // Again when an apply wrote to the inventory meanwhile: it may have brought new objects.
    for (int round = 0; round < kMaxRounds; ++round) {
      auto found = find_inventory(client_, release_);
      if (!found) return fail(found.error());
      std::vector<Entry> entries;
      if (*found) {
        entries = known_entries(**found);
      } else {
        if (round > 0) return;
        Discovered discovered = discover_by_labels(client_, release_selector(release_));
        if (!discovered.problems.empty()) {
          result.problems = std::move(discovered.problems);
          return;
        }
        entries = std::move(discovered.entries);
        result.by_labels = true;
        if (entries.empty()) {
          result.problems.push_back({render::ProblemKind::not_found, not_found_message(), {}});
          return;
        }
      }
      if (!remove(entries, *found ? (*found)->release_id : release_.id)) return;
      if (!*found || options_.dry_run || took_own_namespace_) return;
      auto removed = remove_inventory(client_, **found);
      if (removed) return;
      if (removed.error().kind != kube::FailureKind::conflict) return fail(removed.error());
    }
    result.problems.push_back(
        {render::ProblemKind::general, "the release is applied again and again while it is deleted", {}});
  }

 private:
  std::string not_found_message() const {
    std::string who = release_.name.empty() ? release_.id : release_.name;
    return fmt::format("release \"{}\" is not in namespace \"{}\"", who, release_.namespace_name);
  }

  void fail(const kube::Failure& failure) { result.problems.push_back(make_problem(failure)); }

  bool remove(const std::vector<Entry>& entries, const std::string& release_id) {
    std::vector<Entry> first, own_namespace;
    result.kept.clear();
    for (const Entry& entry : entries) {
      bool is_namespace = entry.object.group.empty() && entry.object.kind == "Namespace";
      if (is_namespace && options_.keep_namespace) result.kept.push_back(entry);
      // The namespace that holds the inventory takes it along, so it goes last.
      else if (is_namespace && entry.object.name == release_.namespace_name)
        own_namespace.push_back(entry);
      else
        first.push_back(entry);
    }
    took_own_namespace_ = !own_namespace.empty();
    return remove_part(first, release_id) && remove_part(own_namespace, release_id);
  }

  bool remove_part(const std::vector<Entry>& entries, const std::string& release_id) {
    if (entries.empty()) return true;
    RemovalOptions removal;
    removal.release_id = release_id;
    removal.dry_run = options_.dry_run;
    removal.wait = options_.wait;
    removal.force = options_.force;
    removal.deadline = options_.deadline;
    removal.report = options_.report;
    RemovalResult removed = remove_objects(client_, entries, removal);
    std::ranges::move(removed.objects, std::back_inserter(result.objects));
    std::ranges::move(removed.problems, std::back_inserter(result.problems));
    return result.problems.empty();
  }

  kube::Client& client_;
  const ReleaseKey& release_;
  const DeleteOptions& options_;
  bool took_own_namespace_ = false;  // and the inventory with it
};

}  // namespace

std::string release_selector(const ReleaseKey& release) {
  if (!release.id.empty()) return fmt::format("{}={}", kReleaseIdLabel, release.id);
  return fmt::format("{}={},{}={},{}={}", kManagedByLabel, kManagedByOpm, kReleaseNameLabel, release.name,
                     kModuleNamespaceLabel, release.namespace_name);
}

DeleteResult delete_release(kube::Client& client, const ReleaseKey& release, const DeleteOptions& options) {
  Delete run(client, release, options);
  run.run();
  return std::move(run.result);
}

}  // namespace opm::release
