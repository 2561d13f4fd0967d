#include "opm/release/object_diff.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "data/build.h"
#include "data/json.h"
#include "opm/model/redaction.h"

namespace opm::release {

namespace {

constexpr std::string_view kServerMetadata[] = {"managedFields", "resourceVersion", "generation", "creationTimestamp",
                                                "uid",           "selfLink"};

struct MergeKey {
  std::string_view list;
  std::vector<std::string_view> keys;
};

// By which keys the items of a list are told apart, where it is not their name. The first that all items have counts.
const std::vector<MergeKey>& merge_keys() {
  static const std::vector<MergeKey> kKeys = {
      {"conditions", {"type"}},
      {"hostAliases", {"ip"}},
      {"ownerReferences", {"uid"}},
      {"ports", {"containerPort", "port"}},
      {"volumeDevices", {"devicePath"}},
      {"volumeMounts", {"mountPath"}},
      {"topologySpreadConstraints", {"topologyKey"}},
  };
  return kKeys;
}

std::string key_text(const data::Value& value) {
  return value.is_string() ? value.as_string() : data::write_json(value);
}

// Every item by its value of `key` and, for ports, its protocol; nothing where one has none or two are the same.
std::optional<std::vector<std::string>> names_by(const data::List& items, std::string_view key) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const data::Value& item : items) {
    const data::Value* value = item.find(key);
    if (value == nullptr || value->is_map() || value->is_list() || value->is_null()) return std::nullopt;
    std::string name = fmt::format("{}={}", key, key_text(*value));
    if (key == "containerPort" || key == "port") {
      std::string_view protocol = data::text_at(item, {"protocol"});
      if (!protocol.empty() && protocol != "TCP") name += fmt::format(",protocol={}", protocol);
    }
    if (!seen.insert(name).second) return std::nullopt;
    names.push_back(std::move(name));
  }
  return names;
}

struct Named {
  std::vector<std::string> before, after;
};

std::optional<Named> name_items(std::string_view list, const data::List& before, const data::List& after) {
  std::vector<std::string_view> keys;
  for (const MergeKey& candidate : merge_keys()) {
    if (candidate.list == list) keys = candidate.keys;
  }
  keys.push_back("name");
  for (std::string_view key : keys) {
    auto before_names = names_by(before, key);
    auto after_names = names_by(after, key);
    if (before_names && after_names) return Named{std::move(*before_names), std::move(*after_names)};
  }
  return std::nullopt;
}

bool is_plain_key(std::string_view key) {
  return !key.empty() && std::ranges::all_of(key, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

std::string child_path(const std::string& path, std::string_view key) {
  if (is_plain_key(key)) return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
  std::string quoted;
  data::append_json_string(quoted, key, false);
  return fmt::format("{}[{}]", path, quoted);
}

bool is_empty(const data::Value& value) {
  return value.is_null() || (value.is_map() && value.as_map().empty()) || (value.is_list() && value.as_list().empty());
}

class Comparison {
 public:
  std::vector<FieldChange> changes;

  void compare(const std::string& path, std::string_view key, const data::Value& before, const data::Value& after) {
    if (data::equal(before, after)) return;
    if (before.is_map() && after.is_map()) return compare_maps(path, before, after);
    if (before.is_list() && after.is_list()) return compare_lists(path, key, before.as_list(), after.as_list());
    changes.push_back({path, before, after});
  }

 private:
  void compare_maps(const std::string& path, const data::Value& before, const data::Value& after) {
    std::set<std::string_view> keys;
    for (const data::Member& member : before.as_map()) keys.insert(member.key);
    for (const data::Member& member : after.as_map()) keys.insert(member.key);
    for (std::string_view key : keys) {
      const data::Value* old_value = before.find(key);
      const data::Value* new_value = after.find(key);
      std::string below = child_path(path, key);
      if (old_value != nullptr && new_value != nullptr)
        compare(below, key, *old_value, *new_value);
      else if (old_value != nullptr)
        remove(below, *old_value);
      else
        add(below, *new_value);
    }
  }

  void compare_lists(const std::string& path, std::string_view key, const data::List& before, const data::List& after) {
    auto names = before.empty() || after.empty() ? std::nullopt : name_items(key, before, after);
    if (!names) {
      auto is_structure = [](const data::Value& item) { return item.is_map() || item.is_list(); };
      bool structures = std::ranges::any_of(before, is_structure) || std::ranges::any_of(after, is_structure);
      if (!structures) {
        changes.push_back({path, data::list(before), data::list(after)});
        return;
      }
      for (std::size_t i = 0; i < std::max(before.size(), after.size()); ++i) {
        std::string below = fmt::format("{}[{}]", path, i);
        if (i >= after.size())
          remove(below, before[i]);
        else if (i >= before.size())
          add(below, after[i]);
        else
          compare(below, key, before[i], after[i]);
      }
      return;
    }
    std::map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i < after.size(); ++i) places[names->after[i]] = i;
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < before.size(); ++i) {
      std::string below = fmt::format("{}[{}]", path, names->before[i]);
      auto place = places.find(names->before[i]);
      if (place == places.end()) {
        remove(below, before[i]);
        continue;
      }
      compare(below, {}, before[i], after[place->second]);
      kept.push_back(place->second);
      places.erase(place);
    }
    for (std::size_t i = 0; i < after.size(); ++i) {
      if (places.contains(names->after[i])) add(fmt::format("{}[{}]", path, names->after[i]), after[i]);
    }
    if (!std::ranges::is_sorted(kept)) {
      auto order = [](const std::vector<std::string>& all) {
        data::List list;
        for (const std::string& name : all) list.push_back(data::text(name));
        return data::list(std::move(list));
      };
      changes.push_back({path + "[order]", order(names->before), order(names->after)});
    }
  }

  // An empty map, list or null that comes or goes means nothing to the server.
  void remove(const std::string& path, const data::Value& value) {
    if (!is_empty(value)) changes.push_back({path, value, std::nullopt});
  }
  void add(const std::string& path, const data::Value& value) {
    if (!is_empty(value)) changes.push_back({path, std::nullopt, value});
  }
};

}  // namespace

data::Value written_part(data::Value object) {
  if (!object.is_map()) return data::map();
  data::erase(object, "status");
  for (data::Member& member : object.as_map()) {
    if (member.key != "metadata") continue;
    for (std::string_view key : kServerMetadata) data::erase(member.value, key);
  }
  return object;
}

data::Value comparable(const data::Value& object) {
  data::Value result = object;
  model::redact_object(result);
  return written_part(std::move(result));
}

std::vector<FieldChange> diff_objects(const data::Value& before, const data::Value& after) {
  Comparison comparison;
  comparison.compare("", "", before, after);
  return std::move(comparison.changes);
}

}  // namespace opm::release
