// Inventories in the cluster: found, changed without losing what others write at the same time, and removed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kube/client.h"
#include "opm/release/inventory.h"

namespace opm::release {

// Which release: by name, identity or both.
struct ReleaseKey {
  std::string name;  // empty: not known
  std::string namespace_name;
  std::string id;  // empty: not known
};

// Nothing: there is none.
kube::Result<std::optional<Inventory>> find_inventory(kube::Client& client, const ReleaseKey& key);

// All in the namespace, or in all namespaces (empty), by namespace and name. Those that cannot be read are told of in
// `unreadable`.
kube::Result<std::vector<Inventory>> list_inventories(kube::Client& client, const std::string& namespace_name,
                                                      std::vector<std::string>& unreadable);

// Writes what `change` makes of the inventory as it was read last, and reads it again if somebody else wrote in between.
// `known`: how that was; of one that is not there, what it is to begin with. `change` may return nothing: then nothing is
// written, if that is still so of what the cluster has by now.
kube::Result<Inventory> update_inventory(kube::Client& client, const Inventory& known,
                                         const std::function<std::optional<Inventory>(Inventory)>& change);

// Only in the state that was read: kube::FailureKind::conflict if it was written since.
kube::Result<void> remove_inventory(kube::Client& client, const Inventory& inventory);

}  // namespace opm::release
