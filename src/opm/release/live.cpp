#include "opm/release/live.h"

#include <fmt/core.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <tuple>

#include "base/thread_pool.h"
#include "data/build.h"
#include "opm/release/inventory.h"

namespace opm::release {

namespace {

constexpr std::size_t kListsAtOnce = 8;

struct Group {
  kube::Resource resource;
  std::string namespace_name;
  std::vector<const Entry*> entries;
};

// What controllers make in the likeness of others, labels included, without saying to whom it belongs.
bool is_copy(const kube::Resource& resource) {
  const std::string& kind = resource.kind;
  return kind == "Endpoints" || kind == "EndpointSlice" || kind == "Event" || kind == "ControllerRevision" ||
         resource.group_version.group == "metrics.k8s.io";
}

bool has_owner(const data::Value& object) {
  const data::Value* owners = object.find_path({"metadata", "ownerReferences"});
  return owners != nullptr && owners->is_list() && !owners->as_list().empty();
}

}  // namespace

kube::Result<kube::Resource> find_resource(kube::Client& client, const Entry& entry) {
  auto found = client.resource({entry.object.group, entry.version}, entry.object.kind);
  if (found || found.error().kind != kube::FailureKind::unknown_kind) return found;
  if (auto resources = client.resources()) {
    if (const kube::Resource* preferred = (*resources)->find_preferred(entry.object.group, entry.object.kind))
      return *preferred;
  }
  return found;
}

LiveObjects fetch_live(kube::Client& client, const std::vector<Entry>& entries, const FetchOptions& options) {
  LiveObjects live;
  using Key = std::tuple<std::string, std::string, std::string>;  // group, kind, namespace
  std::map<Key, Group> groups;
  std::set<std::pair<std::string, std::string>> unknown;
  for (const Entry& entry : entries) {
    if (unknown.contains({entry.object.group, entry.object.kind})) {
      live.unknown_kinds.push_back(entry);
      continue;
    }
    Key key{entry.object.group, entry.object.kind, entry.object.namespace_name};
    auto place = groups.find(key);
    if (place == groups.end()) {
      auto resource = find_resource(client, entry);
      if (!resource && resource.error().kind == kube::FailureKind::unknown_kind) {
        unknown.insert({entry.object.group, entry.object.kind});
        live.unknown_kinds.push_back(entry);
        continue;
      }
      if (!resource) {
        live.problems.push_back(make_problem(resource.error()));
        return live;
      }
      place = groups.emplace(key, Group{std::move(*resource), entry.object.namespace_name, {}}).first;
    }
    place->second.entries.push_back(&entry);
  }

  std::vector<const Group*> order;
  for (const auto& [key, group] : groups) order.push_back(&group);
  std::mutex mutex;
  base::ThreadPool pool(std::min(kListsAtOnce, std::max<std::size_t>(order.size(), 1)));
  auto done = pool.parallel_for(order.size(), [&](std::size_t i) {
    const Group& group = *order[i];
    std::set<std::string> wanted;
    for (const Entry* entry : group.entries) wanted.insert(entry->object.name);
    for (bool labelled : {true, false}) {
      if (wanted.empty()) return;
      if (labelled ? options.release_id.empty() : options.labelled_only) continue;
      // A few without the label are asked for one by one, rather than all there are.
      if (!labelled && wanted.size() <= 2) {
        for (const std::string& name : wanted) {
          auto object = client.run(kube::get_object(group.resource, group.namespace_name, name));
          std::lock_guard lock(mutex);
          if (object)
            live.objects[{group.resource.group_version.group, group.resource.kind, group.namespace_name, name}] =
                *object;
          else if (object.error().kind != kube::FailureKind::not_found)
            live.problems.push_back(make_problem(object.error()));
        }
        return;
      }
      kube::ListOptions request;
      if (labelled) request.label_selector = fmt::format("{}={}", kReleaseIdLabel, options.release_id);
      request.metadata_only = options.metadata_only;
      auto listing = client.list(group.resource, group.namespace_name, request);
      std::lock_guard lock(mutex);
      if (!listing && listing.error().kind == kube::FailureKind::not_found) {
        // What we knew of the server is old: a kind that it has can always be listed.
        for (const Entry* entry : group.entries) live.unknown_kinds.push_back(*entry);
        return;
      }
      if (!listing) {
        live.problems.push_back(make_problem(listing.error()));
        return;
      }
      for (data::Value& object : listing->items) {
        std::string name(data::text_at(object, {"metadata", "name"}));
        if (wanted.erase(name) == 0) continue;
        data::set(object, "apiVersion", data::text(group.resource.group_version.text()));
        data::set(object, "kind", data::text(group.resource.kind));
        live.objects[{group.resource.group_version.group, group.resource.kind, group.namespace_name, name}] =
            std::move(object);
      }
    }
  });
  if (!done) live.problems.push_back({render::ProblemKind::general, done.error().message, {}});
  return live;
}

Discovered discover_by_labels(kube::Client& client, const std::string& selector) {
  Discovered discovered;
  auto resources = client.resources();
  if (!resources) {
    discovered.problems.push_back(make_problem(resources.error()));
    return discovered;
  }
  std::vector<const kube::Resource*> kinds;
  std::set<std::pair<std::string, std::string>> seen;
  for (const kube::Resource& resource : (*resources)->all()) {
    if (!resource.can("list") || !resource.can("delete") || is_copy(resource)) continue;
    if (seen.insert({resource.group_version.group, resource.kind}).second) kinds.push_back(&resource);
  }
  std::mutex mutex;
  base::ThreadPool pool(kListsAtOnce);
  auto done = pool.parallel_for(kinds.size(), [&](std::size_t i) {
    const kube::Resource& resource = *kinds[i];
    auto listing = client.list(resource, {}, {.label_selector = selector, .metadata_only = true});
    std::lock_guard lock(mutex);
    if (!listing) {
      // Kinds that one may not see are not ours, or else we could not have made them.
      if (listing.error().kind != kube::FailureKind::forbidden && listing.error().kind != kube::FailureKind::not_found)
        discovered.problems.push_back(make_problem(listing.error()));
      return;
    }
    for (const data::Value& object : listing->items) {
      if (has_owner(object) || data::text_at(object, {"metadata", "labels", kInventoryLabel}) == kInventoryLabelValue)
        continue;
      discovered.entries.push_back(
          {{resource.group_version.group, resource.kind, std::string(data::text_at(object, {"metadata", "namespace"})),
            std::string(data::text_at(object, {"metadata", "name"}))},
           std::string(data::text_at(object, {"metadata", "labels", kComponentNameLabel})),
           resource.group_version.version,
           {}});
    }
  });
  if (!done) discovered.problems.push_back({render::ProblemKind::general, done.error().message, {}});
  std::ranges::sort(discovered.entries, {},
                    [](const Entry& entry) { return std::tuple(weight(entry.object), entry.object); });
  return discovered;
}

}  // namespace opm::release
