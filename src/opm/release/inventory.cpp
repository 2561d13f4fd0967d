#include "opm/release/inventory.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/digest.h"
#include "data/base64.h"
#include "data/build.h"
#include "data/json.h"

namespace opm::release {

namespace {

constexpr std::string_view kChangePrefix = "change-sha1-";
// A Secret holds a mebibyte; some of that is for the keys and for what is pending.
constexpr std::size_t kMaxBytes = 1000 * 1000;

std::string hexadecimal(std::string_view bytes) {
  std::string text;
  for (char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

data::Value entries_value(const std::vector<Entry>& entries) {
  data::List list;
  list.reserve(entries.size());
  for (const Entry& entry : entries) {
    data::Value item = data::map({{"group", data::text(entry.object.group)},
                                  {"kind", data::text(entry.object.kind)},
                                  {"namespace", data::text(entry.object.namespace_name)},
                                  {"name", data::text(entry.object.name)},
                                  {"component", data::text(entry.component)},
                                  {"v", data::text(entry.version)}});
    if (!entry.fields.empty()) data::set(item, "fields", data::text(entry.fields));
    list.push_back(std::move(item));
  }
  return data::list(std::move(list));
}

std::vector<Entry> read_entries(const data::Value* list) {
  std::vector<Entry> entries;
  if (list == nullptr || !list->is_list()) return entries;
  auto text = [](const data::Value& item, std::string_view key) { return std::string(data::text_at(item, {key})); };
  for (const data::Value& item : list->as_list()) {
    Entry entry{{text(item, "group"), text(item, "kind"), text(item, "namespace"), text(item, "name")},
                text(item, "component"),
                text(item, "v"),
                text(item, "fields")};
    if (!entry.object.kind.empty() && !entry.object.name.empty()) entries.push_back(std::move(entry));
  }
  return entries;
}

std::string change_text(const Change& change) {
  data::Value module = data::map({{"path", data::text(change.module.path)}});
  if (change.module.version.empty())
    data::set(module, "local", data::boolean(true));
  else
    data::set(module, "version", data::text(change.module.version));
  data::set(module, "name", data::text(change.module.name));
  return data::write_json(data::map({{"module", std::move(module)},
                                     {"values", data::text(change.values)},
                                     {"manifestDigest", data::text(change.manifest_digest)},
                                     {"timestamp", data::text(change.timestamp)},
                                     {"inventory", data::map({{"entries", entries_value(change.entries)}})}}));
}

Change read_change(std::string id, const data::Value& value) {
  auto text = [&](std::initializer_list<std::string_view> keys) { return std::string(data::text_at(value, keys)); };
  Change change;
  change.id = std::move(id);
  change.module = {text({"module", "path"}), text({"module", "version"}), text({"module", "name"})};
  change.values = text({"values"});
  change.manifest_digest = text({"manifestDigest"});
  change.timestamp = text({"timestamp"});
  change.entries = read_entries(value.find_path({"inventory", "entries"}));
  return change;
}

std::string pending_text(const Pending& pending) {
  return data::write_json(data::map({{"change", data::text(pending.change)},
                                     {"timestamp", data::text(pending.timestamp)},
                                     {"inventory", data::map({{"entries", entries_value(pending.entries)}})}}));
}

data::Value encoded(std::string_view bytes) {
  std::string text;
  data::append_base64(text, bytes);
  return data::text(std::move(text));
}

// The JSON in one key of the Secret.
std::expected<data::Value, std::string> read_key(const data::Value& data, const std::string& key) {
  const data::Value* value = data.find(key);
  if (value == nullptr || !value->is_string()) return std::unexpected(fmt::format("it has no data \"{}\"", key));
  auto bytes = data::decode_base64(value->as_string());
  if (!bytes) return std::unexpected(fmt::format("its data \"{}\" is no base64", key));
  diag::Source source{key, std::move(*bytes), {1}};
  auto read = data::read_json(source, {.max_depth = 50});
  if (!read) return std::unexpected(fmt::format("its data \"{}\" is no JSON", key));
  return std::move(*read);
}

}  // namespace

std::string inventory_name(std::string_view release_name, std::string_view release_id) {
  return fmt::format("opm.{}.{}", release_name, release_id);
}

std::string inventory_name(const Inventory& inventory) {
  return inventory.secret_name.empty() ? inventory_name(inventory.release_name, inventory.release_id)
                                       : inventory.secret_name;
}

data::Value to_secret(const Inventory& inventory) {
  data::Value metadata = data::map({{"kind", data::text("ModuleRelease")},
                                    {"apiVersion", data::text("core.opmodel.dev/v1alpha1")},
                                    {"name", data::text(inventory.release_name)},
                                    {"namespace", data::text(inventory.namespace_name)},
                                    {"releaseId", data::text(inventory.release_id)},
                                    {"lastTransitionTime", data::text(inventory.last_transition)}});
  data::Value content = data::map({{"metadata", encoded(data::write_json(metadata))}});
  std::size_t bytes = 0;
  if (inventory.pending) {
    std::string text = pending_text(*inventory.pending);
    bytes += text.size();
    data::set(content, "pending", encoded(text));
  }
  data::List index;
  for (const Change& change : inventory.changes) {
    std::string text = change_text(change);
    bytes += text.size();
    if (bytes > kMaxBytes && !index.empty()) break;
    index.push_back(data::text(change.id));
    data::set(content, std::string(kChangePrefix) + change.id, encoded(text));
  }
  data::set(content, "index", encoded(data::write_json(data::list(std::move(index)))));

  data::Value labels = data::map({{kManagedByLabel, data::text(std::string(kManagedByOpm))},
                                  {kModuleNameLabel, data::text(inventory.module_name)},
                                  {kModuleNamespaceLabel, data::text(inventory.namespace_name)},
                                  {kReleaseIdLabel, data::text(inventory.release_id)},
                                  {kInventoryLabel, data::text(std::string(kInventoryLabelValue))}});
  data::Value object_metadata = data::map({{"name", data::text(inventory_name(inventory))},
                                           {"namespace", data::text(inventory.namespace_name)},
                                           {"labels", std::move(labels)}});
  if (inventory.stored()) data::set(object_metadata, "resourceVersion", data::text(inventory.resource_version));
  return data::map({{"apiVersion", data::text("v1")},
                    {"kind", data::text("Secret")},
                    {"metadata", std::move(object_metadata)},
                    {"type", data::text(std::string(kInventoryType))},
                    {"data", std::move(content)}});
}

std::expected<Inventory, std::string> from_secret(const data::Value& secret) {
  if (data::text_at(secret, {"type"}) != kInventoryType)
    return std::unexpected(fmt::format("it is not of type {}", kInventoryType));
  const data::Value* content = secret.find("data");
  if (content == nullptr || !content->is_map()) return std::unexpected("it has no data");
  auto metadata = read_key(*content, "metadata");
  if (!metadata) return std::unexpected(metadata.error());
  auto index = read_key(*content, "index");
  if (!index) return std::unexpected(index.error());
  Inventory inventory;
  inventory.release_name = data::text_at(*metadata, {"name"});
  inventory.namespace_name = data::text_at(*metadata, {"namespace"});
  inventory.release_id = data::text_at(*metadata, {"releaseId"});
  inventory.last_transition = data::text_at(*metadata, {"lastTransitionTime"});
  inventory.module_name = data::text_at(secret, {"metadata", "labels", kModuleNameLabel});
  inventory.resource_version = data::text_at(secret, {"metadata", "resourceVersion"});
  inventory.secret_name = data::text_at(secret, {"metadata", "name"});
  if (inventory.release_name.empty() || inventory.release_id.empty())
    return std::unexpected("its data \"metadata\" does not name the release");

  std::vector<std::string> ids;
  if (index->is_list()) {
    for (const data::Value& id : index->as_list()) {
      if (id.is_string() && std::ranges::find(ids, id.as_string()) == ids.end()) ids.push_back(id.as_string());
    }
  }
  for (const data::Member& member : content->as_map()) {
    if (!member.key.starts_with(kChangePrefix)) continue;
    std::string id = member.key.substr(kChangePrefix.size());
    if (std::ranges::find(ids, id) == ids.end()) ids.push_back(std::move(id));
  }
  for (const std::string& id : ids) {
    if (content->find(std::string(kChangePrefix) + id) == nullptr) continue;
    auto change = read_key(*content, std::string(kChangePrefix) + id);
    if (!change) return std::unexpected(change.error());
    inventory.changes.push_back(read_change(id, *change));
  }
  if (content->find("pending") != nullptr) {
    auto pending = read_key(*content, "pending");
    if (!pending) return std::unexpected(pending.error());
    inventory.pending =
        Pending{std::string(data::text_at(*pending, {"change"})), std::string(data::text_at(*pending, {"timestamp"})),
                read_entries(pending->find_path({"inventory", "entries"}))};
  }
  return inventory;
}

std::string manifest_digest(const std::vector<render::Resource>& resources) {
  std::string all;
  for (const render::Resource& resource : resources) {
    if (!all.empty()) all += '\n';
    all += data::write_json(resource.object, {.sort_keys = true});
  }
  return "sha256:" + base::sha256_hex(all);
}

std::string change_id(const ModuleReference& module, std::string_view values, std::string_view digest) {
  std::string all = fmt::format("{}\n{}\n{}\n{}", module.path, module.version, values, digest);
  return hexadecimal(base::digest(base::DigestKind::sha1, all)).substr(0, 8);
}

std::vector<Entry> known_entries(const Inventory& inventory) {
  std::vector<Entry> known;
  std::set<ObjectId> seen;
  auto add = [&](const std::vector<Entry>& entries) {
    for (const Entry& entry : entries) {
      if (seen.insert(entry.object).second) known.push_back(entry);
    }
  };
  // An apply that has not ended comes first: it is what the objects look like now, if they do at all.
  if (inventory.pending) add(inventory.pending->entries);
  if (!inventory.changes.empty()) add(inventory.changes.front().entries);
  return known;
}

std::vector<Entry> stale_entries(const Inventory& inventory, const std::vector<Entry>& current) {
  std::set<ObjectId> rendered;
  for (const Entry& entry : current) rendered.insert(entry.object);
  std::vector<Entry> stale = known_entries(inventory);
  std::erase_if(stale, [&](const Entry& entry) { return rendered.contains(entry.object); });
  return stale;
}

Inventory with_pending(Inventory inventory, std::string_view change, const std::vector<Entry>& entries,
                       std::string_view now) {
  Pending pending{std::string(change), std::string(now), entries};
  if (inventory.pending) {
    std::set<ObjectId> ours;
    for (const Entry& entry : entries) ours.insert(entry.object);
    for (Entry& entry : inventory.pending->entries) {
      if (!ours.contains(entry.object)) pending.entries.push_back(std::move(entry));
    }
  }
  inventory.pending = std::move(pending);
  inventory.last_transition = now;
  return inventory;
}

Inventory with_change(Inventory inventory, Change change, std::string_view seen, std::size_t max_history) {
  std::string_view newest =
      inventory.changes.empty() ? std::string_view{} : std::string_view(inventory.changes.front().id);
  std::set<ObjectId> ours;
  for (const Entry& entry : change.entries) ours.insert(entry.object);
  if (newest != seen && newest != change.id && !inventory.changes.empty()) {
    for (const Entry& entry : inventory.changes.front().entries) {
      if (ours.insert(entry.object).second) change.entries.push_back(entry);
    }
  }
  if (inventory.pending && inventory.pending->change == change.id) inventory.pending.reset();
  std::erase_if(inventory.changes, [&](const Change& other) { return other.id == change.id; });
  inventory.last_transition = change.timestamp;
  inventory.changes.insert(inventory.changes.begin(), std::move(change));
  std::size_t kept = std::max<std::size_t>(max_history, 1);
  if (inventory.changes.size() > kept) inventory.changes.resize(kept);
  return inventory;
}

}  // namespace opm::release
