// The parts of a Kubernetes object that everyone needs, from the plain tree that it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "data/tree.h"

namespace opm::kube {

// "apps/v1" is group "apps", version "v1"; "v1" is group "", version "v1".
struct GroupVersion {
  std::string group;
  std::string version;

  std::string text() const { return group.empty() ? version : group + "/" + version; }
  bool operator==(const GroupVersion&) const = default;
  auto operator<=>(const GroupVersion&) const = default;
};
GroupVersion parse_group_version(std::string_view api_version);

// All of these are empty or 0 where the object does not say.
std::string text_at(const data::Value& object, std::initializer_list<std::string_view> path);
std::optional<std::int64_t> number_at(const data::Value& object, std::initializer_list<std::string_view> path);
std::string api_version_of(const data::Value& object);
std::string kind_of(const data::Value& object);
std::string name_of(const data::Value& object);
std::string namespace_of(const data::Value& object);
std::string uid_of(const data::Value& object);
std::string resource_version_of(const data::Value& object);

// A condition of status.conditions.
struct Condition {
  std::string type;
  std::string status;  // "True", "False", "Unknown"
  std::string reason;
  std::string message;
};
std::optional<Condition> condition_of(const data::Value& object, std::string_view type);

}  // namespace opm::kube
