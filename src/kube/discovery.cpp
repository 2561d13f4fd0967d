#include "kube/discovery.h"

#include <algorithm>

namespace opm::kube {
namespace {

// More kinds than any cluster has, so that a server cannot fill our memory.
constexpr std::size_t kMaxResources = 100'000;

const data::List& list_at(const data::Value& value, std::string_view key) {
  static const data::List none;
  const data::Value* found = value.find(key);
  return found != nullptr && found->is_list() ? found->as_list() : none;
}

std::vector<std::string> texts_at(const data::Value& value, std::string_view key) {
  std::vector<std::string> texts;
  for (const data::Value& element : list_at(value, key))
    if (element.is_string()) texts.push_back(element.as_string());
  return texts;
}

data::Value text(std::string value) { return {.variant = std::move(value), .position = {}}; }

data::Value texts(const std::vector<std::string>& values) {
  data::List list;
  for (const std::string& value : values) list.push_back(text(value));
  return {.variant = std::move(list), .position = {}};
}

// Names become parts of paths, so nothing else may be in them.
bool is_name(std::string_view name) {
  return !name.empty() && name.size() < 254 && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  });
}

void keep(Resources& resources, Resource resource) {
  if (resources.all().size() >= kMaxResources || !is_name(resource.plural) || !is_name(resource.group_version.version) ||
      (!resource.group_version.group.empty() && !is_name(resource.group_version.group)))
    return;
  resources.add(std::move(resource));
}

}  // namespace

bool Resource::can(std::string_view verb) const { return std::ranges::find(verbs, verb) != verbs.end(); }
bool Resource::has_subresource(std::string_view name) const {
  return std::ranges::find(subresources, name) != subresources.end();
}

const Resource* Resources::find(const GroupVersion& group_version, std::string_view kind) const {
  for (const Resource& resource : all_)
    if (resource.kind == kind && resource.group_version == group_version) return &resource;
  return nullptr;
}

const Resource* Resources::find_preferred(std::string_view group, std::string_view kind) const {
  for (const Resource& resource : all_)
    if (resource.kind == kind && resource.group_version.group == group) return &resource;
  return nullptr;
}

bool is_aggregated(const data::Value& list) { return text_at(list, {"kind"}) == "APIGroupDiscoveryList"; }

void add_aggregated(Resources& resources, const data::Value& list) {
  for (const data::Value& group : list_at(list, "items")) {
    std::string name = text_at(group, {"metadata", "name"});
    for (const data::Value& version : list_at(group, "versions")) {
      GroupVersion group_version{name, text_at(version, {"version"})};
      if (text_at(version, {"freshness"}) == "Stale") resources.add_stale(group_version.text());
      for (const data::Value& entry : list_at(version, "resources")) {
        Resource resource;
        resource.group_version = group_version;
        resource.plural = text_at(entry, {"resource"});
        resource.kind = text_at(entry, {"responseKind", "kind"});
        resource.namespaced = text_at(entry, {"scope"}) == "Namespaced";
        resource.verbs = texts_at(entry, "verbs");
        resource.short_names = texts_at(entry, "shortNames");
        for (const data::Value& sub : list_at(entry, "subresources"))
          resource.subresources.push_back(text_at(sub, {"subresource"}));
        // Without a kind of its own it is only a folder for subresources.
        if (!resource.kind.empty()) keep(resources, std::move(resource));
      }
    }
  }
}

std::vector<std::string> group_versions_of(const data::Value& list) {
  if (text_at(list, {"kind"}) == "APIVersions") {
    std::vector<std::string> versions;
    for (std::string& version : texts_at(list, "versions"))
      if (is_name(version)) versions.push_back(std::move(version));
    return versions;
  }
  std::vector<std::string> found;
  for (const data::Value& group : list_at(list, "groups")) {
    std::string preferred = text_at(group, {"preferredVersion", "groupVersion"});
    std::vector<std::string> versions;
    for (const data::Value& version : list_at(group, "versions")) {
      std::string name = text_at(version, {"groupVersion"});
      GroupVersion parts = parse_group_version(name);
      if (!is_name(parts.group) || !is_name(parts.version)) continue;
      versions.insert(name == preferred ? versions.begin() : versions.end(), std::move(name));
    }
    found.insert(found.end(), versions.begin(), versions.end());
  }
  return found;
}

void add_resource_list(Resources& resources, const data::Value& list) {
  GroupVersion group_version = parse_group_version(text_at(list, {"groupVersion"}));
  std::vector<Resource> found;
  std::vector<std::pair<std::string, std::string>> subresources;
  for (const data::Value& entry : list_at(list, "resources")) {
    std::string name = text_at(entry, {"name"});
    if (std::size_t slash = name.find('/'); slash != std::string::npos) {
      subresources.emplace_back(name.substr(0, slash), name.substr(slash + 1));
      continue;
    }
    Resource resource;
    resource.group_version = group_version;
    resource.plural = name;
    resource.kind = text_at(entry, {"kind"});
    const data::Value* namespaced = entry.find("namespaced");
    resource.namespaced = namespaced != nullptr && namespaced->is_bool() && namespaced->as_bool();
    resource.verbs = texts_at(entry, "verbs");
    resource.short_names = texts_at(entry, "shortNames");
    found.push_back(std::move(resource));
  }
  for (auto& [plural, sub] : subresources) {
    auto owner = std::ranges::find(found, plural, &Resource::plural);
    if (owner != found.end()) owner->subresources.push_back(std::move(sub));
  }
  for (Resource& resource : found) keep(resources, std::move(resource));
}

data::Value to_data(const Resources& resources) {
  data::List list;
  for (const Resource& resource : resources.all()) {
    data::Map map;
    map.push_back({"apiVersion", text(resource.group_version.text()), {}});
    map.push_back({"kind", text(resource.kind), {}});
    map.push_back({"plural", text(resource.plural), {}});
    map.push_back({"namespaced", {.variant = resource.namespaced, .position = {}}, {}});
    map.push_back({"verbs", texts(resource.verbs), {}});
    map.push_back({"shortNames", texts(resource.short_names), {}});
    map.push_back({"subresources", texts(resource.subresources), {}});
    list.push_back({.variant = std::move(map), .position = {}});
  }
  data::Map top;
  top.push_back({"resources", {.variant = std::move(list), .position = {}}, {}});
  top.push_back({"stale", texts(resources.stale_groups()), {}});
  return {.variant = std::move(top), .position = {}};
}

Resources resources_from_data(const data::Value& value) {
  Resources resources;
  for (const data::Value& entry : list_at(value, "resources")) {
    Resource resource;
    resource.group_version = parse_group_version(text_at(entry, {"apiVersion"}));
    resource.kind = text_at(entry, {"kind"});
    resource.plural = text_at(entry, {"plural"});
    const data::Value* namespaced = entry.find("namespaced");
    resource.namespaced = namespaced != nullptr && namespaced->is_bool() && namespaced->as_bool();
    resource.verbs = texts_at(entry, "verbs");
    resource.short_names = texts_at(entry, "shortNames");
    resource.subresources = texts_at(entry, "subresources");
    keep(resources, std::move(resource));
  }
  for (std::string& group : texts_at(value, "stale")) resources.add_stale(std::move(group));
  return resources;
}

}  // namespace opm::kube
