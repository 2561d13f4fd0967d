#include "opm/render/resource_graph.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "data/build.h"
#include "opm/model/provider.h"

namespace opm::render {

namespace {

using data::text_at;

constexpr int kDeepest = 64;

const data::Value* pod_of(const data::Value& object, std::string_view kind) {
  if (kind == "Pod") return &object;
  if (kind == "CronJob") return object.find_path({"spec", "jobTemplate", "spec", "template"});
  for (std::string_view workload : {"Deployment", "StatefulSet", "DaemonSet", "Job", "ReplicaSet"}) {
    if (kind == workload) return object.find_path({"spec", "template"});
  }
  return nullptr;
}

class Builder {
 public:
  explicit Builder(const RenderResult& result) : result_(result) {
    graph_.module = result.module.name;
    for (const ComponentMatch& component : result.plan.components) graph_.components.push_back(component.component);
    for (const Resource& resource : result.resources) {
      by_name_.try_emplace({resource.kind, resource.name}, graph_.resources.size());
      graph_.resources.push_back({resource.kind, resource.name, resource.namespace_name, resource.component,
                                  std::string(model::short_name(resource.transformer))});
    }
  }

  ResourceGraph take() {
    for (from_ = 0; from_ < result_.resources.size(); ++from_) read(result_.resources[from_]);
    add_others();
    std::ranges::sort(graph_.references);
    auto repeated = std::ranges::unique(graph_.references);
    graph_.references.erase(repeated.begin(), repeated.end());
    return std::move(graph_);
  }

 private:
  void read(const Resource& resource) {
    const data::Value& object = resource.object;
    const std::string& kind = resource.kind;
    if (const data::Value* pod = pod_of(object, kind)) read_pod(*pod);
    if (kind == "Service") select(object.find_path({"spec", "selector"}), "selects");
    if (kind == "PodDisruptionBudget") select(object.find_path({"spec", "selector", "matchLabels"}), "protects");
    if (kind == "NetworkPolicy") select(object.find_path({"spec", "podSelector", "matchLabels"}), "guards");
    if (kind == "StatefulSet") refer("Service", text_at(object, {"spec", "serviceName"}), "service");
    if (kind == "HorizontalPodAutoscaler") {
      refer(std::string(text_at(object, {"spec", "scaleTargetRef", "kind"})), text_at(object, {"spec", "scaleTargetRef", "name"}), "scales");
    }
    if (kind == "ExternalSecret") refer("Secret", text_at(object, {"spec", "target", "name"}), "makes");
    if (kind == "Ingress" || kind.ends_with("Route")) read_backends(object, 0);
    if (kind == "Ingress") read_each(object.find_path({"spec", "tls"}), [&](const data::Value& tls) { refer("Secret", text_at(tls, {"secretName"}), "tls"); });
    if (kind == "RoleBinding" || kind == "ClusterRoleBinding") {
      refer(std::string(text_at(object, {"roleRef", "kind"})), text_at(object, {"roleRef", "name"}), "grants");
      read_each(object.find("subjects"), [&](const data::Value& subject) {
        if (text_at(subject, {"kind"}) == "ServiceAccount") refer("ServiceAccount", text_at(subject, {"name"}), "to");
      });
    }
  }

  template <typename Visit>
  static void read_each(const data::Value* list, Visit visit) {
    if (list == nullptr || !list->is_list()) return;
    for (const data::Value& item : list->as_list()) visit(item);
  }

  void read_pod(const data::Value& pod) {
    const data::Value* spec = pod.find("spec");
    if (spec == nullptr) return;
    refer("ServiceAccount", text_at(*spec, {"serviceAccountName"}), "runs as");
    read_each(spec->find("imagePullSecrets"), [&](const data::Value& secret) { refer("Secret", text_at(secret, {"name"}), "image pull"); });
    for (std::string_view containers : {"containers", "initContainers"}) {
      read_each(spec->find(containers), [&](const data::Value& container) {
        read_each(container.find("env"), [&](const data::Value& variable) {
          refer("Secret", text_at(variable, {"valueFrom", "secretKeyRef", "name"}), "env");
          refer("ConfigMap", text_at(variable, {"valueFrom", "configMapKeyRef", "name"}), "env");
        });
        read_each(container.find("envFrom"), [&](const data::Value& source) {
          refer("Secret", text_at(source, {"secretRef", "name"}), "env");
          refer("ConfigMap", text_at(source, {"configMapRef", "name"}), "env");
        });
      });
    }
    read_each(spec->find("volumes"), [&](const data::Value& volume) {
      refer("Secret", text_at(volume, {"secret", "secretName"}), "volume");
      refer("ConfigMap", text_at(volume, {"configMap", "name"}), "volume");
      refer("PersistentVolumeClaim", text_at(volume, {"persistentVolumeClaim", "claimName"}), "volume");
      read_each(volume.find_path({"projected", "sources"}), [&](const data::Value& source) {
        refer("Secret", text_at(source, {"secret", "name"}), "volume");
        refer("ConfigMap", text_at(source, {"configMap", "name"}), "volume");
      });
    });
  }

  // Services that requests are sent to, wherever they are named.
  void read_backends(const data::Value& value, int depth) {
    if (depth > kDeepest) return;
    if (value.is_list()) {
      for (const data::Value& item : value.as_list()) read_backends(item, depth + 1);
    } else if (value.is_map()) {
      for (const data::Member& member : value.as_map()) {
        if (member.key == "service") refer("Service", text_at(member.value, {"name"}), "routes to");
        if (member.key == "backendRefs") {
          read_each(&member.value, [&](const data::Value& backend) { refer("Service", text_at(backend, {"name"}), "routes to"); });
        } else {
          read_backends(member.value, depth + 1);
        }
      }
    }
  }

  // Workloads whose pods have all of these labels.
  void select(const data::Value* labels, std::string_view label) {
    if (labels == nullptr || !labels->is_map() || labels->as_map().empty()) return;
    for (std::size_t i = 0; i < result_.resources.size(); ++i) {
      const Resource& other = result_.resources[i];
      const data::Value* pod = i == from_ ? nullptr : pod_of(other.object, other.kind);
      const data::Value* has = pod == nullptr ? nullptr : pod->find_path({"metadata", "labels"});
      if (has == nullptr || other.namespace_name != result_.resources[from_].namespace_name) continue;
      bool is_selected = std::ranges::all_of(labels->as_map(), [&](const data::Member& wanted) {
        const data::Value* found = has->find(wanted.key);
        return found != nullptr && data::equal(*found, wanted.value);
      });
      if (is_selected) graph_.references.push_back({from_, i, std::string(label)});
    }
  }

  void refer(std::string kind, std::string_view name, std::string_view label) {
    if (kind.empty() || name.empty()) return;
    std::pair key(std::move(kind), std::string(name));
    auto found = by_name_.find(key);
    if (found != by_name_.end()) graph_.references.push_back({from_, found->second, std::string(label)});
    else others_.emplace(std::move(key), std::pair(from_, std::string(label)));
  }

  void add_others() {
    for (auto at = others_.begin(); at != others_.end();) {
      auto end = others_.upper_bound(at->first);
      std::size_t to = graph_.resources.size();
      graph_.resources.push_back({at->first.first, at->first.second, {}, {}, {}});
      for (; at != end; ++at) graph_.references.push_back({at->second.first, to, at->second.second});
    }
  }

  const RenderResult& result_;
  ResourceGraph graph_;
  std::map<std::pair<std::string, std::string>, std::size_t> by_name_;
  std::multimap<std::pair<std::string, std::string>, std::pair<std::size_t, std::string>> others_;  // not rendered
  std::size_t from_ = 0;
};

}  // namespace

ResourceGraph graph_of(const RenderResult& result) { return Builder(result).take(); }

}  // namespace opm::render
