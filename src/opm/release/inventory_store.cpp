#include "opm/release/inventory_store.h"

#include <fmt/core.h>

#include <algorithm>
#include <thread>
#include <tuple>

#include "data/build.h"

namespace opm::release {

namespace {

constexpr int kMaxAttempts = 30;
constexpr int kMaxFailures = 3;  // of the server: it may have written or not, so the inventory is read again

kube::Failure unreadable_inventory(const data::Value& secret, const std::string& problem) {
  return {.kind = kube::FailureKind::invalid,
          .message = fmt::format("Secret {}/{} is not the inventory of a release: {}",
                                 data::text_at(secret, {"metadata", "namespace"}),
                                 data::text_at(secret, {"metadata", "name"}), problem)};
}

kube::Result<Inventory> read(const data::Value& secret) {
  auto inventory = from_secret(secret);
  if (!inventory) return std::unexpected(unreadable_inventory(secret, inventory.error()));
  return std::move(*inventory);
}

std::string inventory_selector(const std::string& id) {
  std::string selector =
      fmt::format("{}={},{}={}", kManagedByLabel, kManagedByOpm, kInventoryLabel, kInventoryLabelValue);
  if (!id.empty()) selector += fmt::format(",{}={}", kReleaseIdLabel, id);
  return selector;
}

// Of one that is gone, to be made again.
Inventory without_state(Inventory inventory) {
  inventory.resource_version.clear();
  inventory.secret_name.clear();
  return inventory;
}

kube::Result<kube::Resource> secrets(kube::Client& client) { return client.resource({"", "v1"}, "Secret"); }

}  // namespace

kube::Result<std::optional<Inventory>> find_inventory(kube::Client& client, const ReleaseKey& key) {
  auto resource = secrets(client);
  if (!resource) return std::unexpected(std::move(resource.error()));
  if (!key.name.empty() && !key.id.empty()) {
    auto secret = client.run(kube::get_object(*resource, key.namespace_name, inventory_name(key.name, key.id)));
    if (secret) {
      auto inventory = read(*secret);
      if (!inventory) return std::unexpected(std::move(inventory.error()));
      return std::move(*inventory);
    }
    if (secret.error().kind != kube::FailureKind::not_found) return std::unexpected(std::move(secret.error()));
  }
  auto listing = client.list(*resource, key.namespace_name, {.label_selector = inventory_selector(key.id)});
  if (!listing) return std::unexpected(std::move(listing.error()));
  std::optional<Inventory> found;
  for (const data::Value& secret : listing->items) {
    auto inventory = read(secret);
    if (!inventory) {
      if (key.id.empty()) continue;
      return std::unexpected(std::move(inventory.error()));
    }
    if (!key.id.empty() ? inventory->release_id != key.id : inventory->release_name != key.name) continue;
    if (found) {
      return kube::fail(
          kube::FailureKind::invalid,
          fmt::format("two releases in namespace \"{}\" are called \"{}\": {} and {}; --release-id says which",
                      key.namespace_name, inventory->release_name, found->release_id, inventory->release_id));
    }
    found = std::move(*inventory);
  }
  return found;
}

kube::Result<std::vector<Inventory>> list_inventories(kube::Client& client, const std::string& namespace_name,
                                                      std::vector<std::string>& unreadable) {
  auto resource = secrets(client);
  if (!resource) return std::unexpected(std::move(resource.error()));
  auto listing = client.list(*resource, namespace_name, {.label_selector = inventory_selector({})});
  if (!listing) return std::unexpected(std::move(listing.error()));
  std::vector<Inventory> inventories;
  for (const data::Value& secret : listing->items) {
    auto inventory = read(secret);
    if (inventory)
      inventories.push_back(std::move(*inventory));
    else
      unreadable.push_back(inventory.error().message);
  }
  std::ranges::sort(inventories, {}, [](const Inventory& inventory) {
    return std::tie(inventory.namespace_name, inventory.release_name, inventory.release_id);
  });
  return inventories;
}

kube::Result<Inventory> update_inventory(kube::Client& client, const Inventory& known,
                                         const std::function<std::optional<Inventory>(Inventory)>& change) {
  auto resource = secrets(client);
  if (!resource) return std::unexpected(std::move(resource.error()));
  kube::Failure last;
  int failures = 0;
  for (int attempt = 0; attempt < kMaxAttempts && failures <= kMaxFailures; ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(std::chrono::milliseconds(5 * attempt));
    // Whether what is known already is still so, the server sees when it is written. Only who has nothing to write looks.
    std::optional<Inventory> next = attempt == 0 ? change(known) : std::nullopt;
    if (!next) {
      auto found = find_inventory(client, {known.release_name, known.namespace_name, known.release_id});
      if (!found) return std::unexpected(std::move(found.error()));
      Inventory latest = *found ? std::move(**found) : without_state(known);
      next = change(latest);
      if (!next) return latest;
    }
    data::Value secret = to_secret(*next);
    auto written = client.run(next->stored() ? kube::replace_object(*resource, known.namespace_name, secret)
                                             : kube::create_object(*resource, known.namespace_name, secret));
    if (written) return read(*written);
    bool raced = written.error().kind == kube::FailureKind::conflict ||
                 written.error().kind == kube::FailureKind::already_exists ||
                 (next->stored() && written.error().kind == kube::FailureKind::not_found);
    bool is_unknown = written.error().kind == kube::FailureKind::server ||
                      written.error().kind == kube::FailureKind::unreachable ||
                      written.error().kind == kube::FailureKind::too_many;
    last = std::move(written.error());
    if (is_unknown) {
      ++failures;
      std::this_thread::sleep_for(std::chrono::milliseconds(100 << failures));
    } else if (!raced) {
      break;
    }
  }
  return std::unexpected(std::move(last));
}

kube::Result<void> remove_inventory(kube::Client& client, const Inventory& inventory) {
  auto resource = secrets(client);
  if (!resource) return std::unexpected(std::move(resource.error()));
  auto removed = client.run(kube::delete_object(*resource, inventory.namespace_name,
                                                inventory_name(inventory),
                                                {.resource_version = inventory.resource_version}));
  if (removed || removed.error().kind == kube::FailureKind::not_found) return {};
  return std::unexpected(std::move(removed.error()));
}

}  // namespace opm::release
