// What the inventory of a release says of one object: which it is, the component that it was rendered for, and how the
// server knew it when it was applied.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "data/tree.h"
#include "opm/render/result.h"

namespace opm::release {

// Under which the server notes what we apply.
inline constexpr std::string_view kFieldManager = "opm";

struct ObjectId {
  std::string group;  // empty: core
  std::string kind;
  std::string namespace_name;  // empty: of the whole cluster
  std::string name;

  auto operator<=>(const ObjectId&) const = default;
};

struct Entry {
  ObjectId object;
  std::string component;
  std::string version;  // of the API; not part of its identity
  // A checksum of the fields that are ours, as the server noted them when they were applied; empty: not known. Whoever
  // changes one of those fields takes it over, so another checksum means drift.
  std::string fields;

  // Identity only.
  bool same(const Entry& other) const { return object == other.object && component == other.component; }
};

ObjectId object_id(const render::Resource& resource);
Entry make_entry(const render::Resource& resource);

// "apps/v1", "v1"
std::string api_version(const Entry& entry);
// "Deployment shop/web"; "Namespace shop" where there is no namespace.
std::string display_name(const ObjectId& object);

int weight(const ObjectId& object);

// What holds other things: removing it takes away more than the release put there.
bool is_dangerous(const ObjectId& object);

// What the checksum of Entry::fields is made from: the fields that the manager `manager` applied to the object; empty
// where it applied none.
std::string applied_fields(const data::Value& object, std::string_view manager);

}  // namespace opm::release
