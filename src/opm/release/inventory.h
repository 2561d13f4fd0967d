// The memory of a release: which objects it has in the cluster, which changes brought it there, and what an apply that
// has not ended was about to do. It is kept in one Secret in the namespace of the release. Here it is a value; store.h
// reads and writes it.
#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/tree.h"
#include "opm/release/entry.h"

namespace opm::release {

inline constexpr std::string_view kInventoryType = "opmodel.dev/release";
inline constexpr std::string_view kManagedByLabel = "app.kubernetes.io/managed-by";
inline constexpr std::string_view kManagedByOpm = "open-platform-model";
inline constexpr std::string_view kReleaseIdLabel = "module-release.opmodel.dev/uuid";
inline constexpr std::string_view kReleaseNameLabel = "module-release.opmodel.dev/name";
inline constexpr std::string_view kModuleNameLabel = "module.opmodel.dev/name";
inline constexpr std::string_view kModuleNamespaceLabel = "module.opmodel.dev/namespace";
inline constexpr std::string_view kComponentNameLabel = "component.opmodel.dev/name";
inline constexpr std::string_view kInventoryLabel = "opmodel.dev/component";
inline constexpr std::string_view kInventoryLabelValue = "inventory";
inline constexpr std::size_t kDefaultHistory = 10;

struct ModuleReference {
  std::string path;
  std::string version;  // empty: a local module without one
  std::string name;
  bool operator==(const ModuleReference&) const = default;
};

struct Change {
  std::string id;  // 8 hexadecimal digits
  ModuleReference module;
  std::string values;  // as CUE text
  std::string manifest_digest;
  std::string timestamp;  // RFC 3339
  std::vector<Entry> entries;
};

// What an apply that has not ended, or was killed, may have written.
struct Pending {
  std::string change;
  std::string timestamp;
  std::vector<Entry> entries;
};

struct Inventory {
  std::string release_name;
  std::string namespace_name;
  std::string release_id;
  std::string module_name;
  std::string last_transition;  // RFC 3339
  std::vector<Change> changes;  // newest first
  std::optional<Pending> pending;

  std::string resource_version;  // of the Secret that was read; empty: there is none yet
  std::string secret_name;       // likewise; somebody may have given it another than `inventory_name`

  bool stored() const { return !resource_version.empty(); }
};

std::string inventory_name(std::string_view release_name, std::string_view release_id);
// Of the Secret that holds this one.
std::string inventory_name(const Inventory& inventory);

// The Secret as it is written. Where history would not fit into a Secret, the oldest changes are left out.
data::Value to_secret(const Inventory& inventory);
// What is wrong, where it is no inventory. A change that the index does not name is kept, as the oldest.
std::expected<Inventory, std::string> from_secret(const data::Value& secret);

// SHA-256 over the resources in their order, "sha256:…".
std::string manifest_digest(const std::vector<render::Resource>& resources);
std::string change_id(const ModuleReference& module, std::string_view values, std::string_view digest);

// All objects that may be in the cluster because of the release: those of its last change and of an apply that has not
// ended.
std::vector<Entry> known_entries(const Inventory& inventory);

// Known entries that `current` does not have. One whose object is still rendered, for another component, is not stale.
std::vector<Entry> stale_entries(const Inventory& inventory, const std::vector<Entry>& current);

// The inventory before the first write of an apply: what it is about to do, and what another one was about to do.
Inventory with_pending(Inventory inventory, std::string_view change, const std::vector<Entry>& entries,
                       std::string_view now);

// The inventory after an apply that succeeded. `seen` is the newest change it knew when it began (empty: none): if
// another apply ended meanwhile, what that one applied stays known. Other changes are kept up to `max_history` in all.
Inventory with_change(Inventory inventory, Change change, std::string_view seen, std::size_t max_history);

}  // namespace opm::release
