#include "opm/render/resource_order.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace opm::render {

namespace {

constexpr int kUnknownWeight = 1000;

struct Weight {
  std::string_view kind;
  int weight;
};

// Sorted by kind.
constexpr Weight kWeights[] = {
    {"ClusterRole", 5},
    {"ClusterRoleBinding", 5},
    {"ConfigMap", 15},
    {"CronJob", 110},
    {"CustomResourceDefinition", -100},
    {"DaemonSet", 100},
    {"Deployment", 100},
    {"HorizontalPodAutoscaler", 200},
    {"Ingress", 150},
    {"Job", 110},
    {"LimitRange", 5},
    {"MutatingWebhookConfiguration", 500},
    {"Namespace", 0},
    {"NetworkPolicy", 150},
    {"PersistentVolume", 20},
    {"PersistentVolumeClaim", 20},
    {"ReplicaSet", 100},
    {"ResourceQuota", 5},
    {"Role", 10},
    {"RoleBinding", 10},
    {"Secret", 15},
    {"Service", 50},
    {"ServiceAccount", 10},
    {"StatefulSet", 100},
    {"StorageClass", 20},
    {"ValidatingWebhookConfiguration", 500},
};
static_assert(std::ranges::is_sorted(kWeights, {}, &Weight::kind));

// A custom resource may have a name that Kubernetes uses for something else.
bool is_kubernetes_group(std::string_view group) {
  return group.find('.') == std::string_view::npos || group.ends_with(".k8s.io");
}

}  // namespace

int resource_weight(std::string_view group, std::string_view kind) {
  const Weight* found = std::ranges::lower_bound(kWeights, kind, {}, &Weight::kind);
  if (found == std::end(kWeights) || found->kind != kind || !is_kubernetes_group(group)) return kUnknownWeight;
  return found->weight;
}

std::pair<std::string_view, std::string_view> split_api_version(std::string_view api_version) {
  std::size_t slash = api_version.find('/');
  if (slash == std::string_view::npos) return {{}, api_version};
  return {api_version.substr(0, slash), api_version.substr(slash + 1)};
}

void sort_resources(std::vector<Resource>& resources) {
  // There are many names, but few of all that comes before them.
  using Shelf = std::tuple<int, std::string_view, std::string_view, std::string_view>;
  std::map<Shelf, std::size_t> shelves;
  std::vector<const std::size_t*> shelf_of;
  shelf_of.reserve(resources.size());
  for (const Resource& resource : resources) {
    std::string_view group = split_api_version(resource.api_version).first;
    Shelf shelf(resource_weight(group, resource.kind), group, resource.kind, resource.namespace_name);
    shelf_of.push_back(&shelves.try_emplace(shelf).first->second);
  }
  for (std::size_t number = 0; auto& [shelf, place] : shelves) place = number++;
  std::vector<std::tuple<std::size_t, std::string_view, std::string_view, std::size_t>> order;
  order.reserve(resources.size());
  for (std::size_t i = 0; i < resources.size(); ++i) order.emplace_back(*shelf_of[i], resources[i].name, resources[i].api_version, i);
  std::ranges::sort(order);
  std::vector<Resource> sorted;
  sorted.reserve(resources.size());
  for (const auto& key : order) sorted.push_back(std::move(resources[std::get<3>(key)]));
  resources = std::move(sorted);
}

}  // namespace opm::render
