#include "data/tree.h"

#include <algorithm>
#include <cstddef>

namespace opm::data {

std::vector<const Member*> sorted_members(const Map& map) {
  std::vector<const Member*> members;
  members.reserve(map.size());
  for (const Member& member : map) members.push_back(&member);
  std::sort(members.begin(), members.end(), [](const Member* a, const Member* b) { return a->key < b->key; });
  return members;
}

namespace {

bool equal_maps(const Map& a, const Map& b) {
  if (a.size() != b.size()) return false;
  bool same_order =
      std::equal(a.begin(), a.end(), b.begin(), [](const Member& x, const Member& y) { return x.key == y.key; });
  if (same_order) {
    return std::equal(a.begin(), a.end(), b.begin(),
                      [](const Member& x, const Member& y) { return equal(x.value, y.value); });
  }
  std::vector<const Member*> left = sorted_members(a);
  std::vector<const Member*> right = sorted_members(b);
  return std::equal(left.begin(), left.end(), right.begin(), [](const Member* x, const Member* y) {
    return x->key == y->key && equal(x->value, y->value);
  });
}

}  // namespace

const Value* Value::find(std::string_view key) const {
  const auto* map = std::get_if<Map>(&variant);
  if (map == nullptr) return nullptr;
  for (const Member& member : *map) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

const Value* Value::find_path(std::initializer_list<std::string_view> keys) const {
  const Value* value = this;
  for (std::string_view key : keys) {
    value = value->find(key);
    if (value == nullptr) return nullptr;
  }
  return value;
}

bool equal(const Value& a, const Value& b) {
  if (a.variant.index() != b.variant.index()) return false;
  if (a.is_null()) return true;
  if (a.is_bool()) return a.as_bool() == b.as_bool();
  if (a.is_number()) return a.as_number() == b.as_number();
  if (a.is_string()) return a.as_string() == b.as_string();
  if (a.is_bytes()) return a.as_bytes() == b.as_bytes();
  if (a.is_map()) return equal_maps(a.as_map(), b.as_map());
  return std::equal(a.as_list().begin(), a.as_list().end(), b.as_list().begin(), b.as_list().end(),
                    [](const Value& x, const Value& y) { return equal(x, y); });
}

}  // namespace opm::data
