// Which kinds of objects a server has, and what it calls them: plural, scope and verbs come
// from the server and are never guessed. Kept on disk for ten minutes, as asking takes a while.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "data/tree.h"
#include "kube/object.h"

namespace opm::kube {

struct Resource {
  GroupVersion group_version;
  std::string kind;
  std::string plural;
  bool namespaced = false;
  std::vector<std::string> verbs;
  std::vector<std::string> short_names;
  std::vector<std::string> subresources;  // e.g. "status", "scale"

  bool can(std::string_view verb) const;
  bool has_subresource(std::string_view name) const;
  // For messages: "deployments.apps"
  std::string name() const {
    return group_version.group.empty() ? plural : plural + "." + group_version.group;
  }
};

// Everything a server has.
class Resources {
 public:
  // nullptr: there is none.
  const Resource* find(const GroupVersion& group_version, std::string_view kind) const;
  // In the group's version that the server prefers.
  const Resource* find_preferred(std::string_view group, std::string_view kind) const;
  const std::vector<Resource>& all() const { return all_; }
  // Groups that the server knows of but whose own server does not answer.
  const std::vector<std::string>& stale_groups() const { return stale_; }

  // Groups come in the order that the server prefers, versions too.
  void add(Resource resource) { all_.push_back(std::move(resource)); }
  void add_stale(std::string group_version) { stale_.push_back(std::move(group_version)); }

 private:
  std::vector<Resource> all_;
  std::vector<std::string> stale_;
};

// From the answers to /api and /apis in their aggregated form (apidiscovery.k8s.io/v2 or v2beta1).
void add_aggregated(Resources& resources, const data::Value& list);
bool is_aggregated(const data::Value& list);
// Of the older form of both: "v1", or "apps/v1" and so on, in the order that the server prefers.
std::vector<std::string> group_versions_of(const data::Value& list);
// From the older form, one question for each group and version.
void add_resource_list(Resources& resources, const data::Value& list);

// For the file that keeps them.
data::Value to_data(const Resources& resources);
Resources resources_from_data(const data::Value& value);

}  // namespace opm::kube
