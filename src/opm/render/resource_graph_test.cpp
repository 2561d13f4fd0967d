#include "opm/render/resource_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/json.h"

namespace opm::render {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class Graph : public ::testing::Test {
 protected:
  void render(std::string kind, std::string name, std::string_view rest = "{}", std::string where = "shop") {
    diag::SourceMap sources;
    Resource resource;
    resource.object = *data::read_json(*sources.add("object.json", std::string(rest)));
    resource.component = "web";
    resource.transformer = "opmodel.dev/providers@v0#" + kind + "Transformer";
    resource.kind = std::move(kind);
    resource.name = std::move(name);
    resource.namespace_name = std::move(where);
    result_.resources.push_back(std::move(resource));
  }

  void workload(std::string_view pod) {
    render("Deployment", "web", R"({"spec": {"template": {"metadata": {"labels": {"app": "web", "tier": "front"}}, "spec": )" + std::string(pod) + "}}}");
  }

  // "Service web selects Deployment web"; what is not rendered is in brackets.
  std::vector<std::string> references() const {
    ResourceGraph graph = graph_of(result_);
    auto shown = [&](std::size_t index) {
      const GraphResource& resource = graph.resources.at(index);
      std::string text = resource.kind + " " + resource.name;
      return resource.is_rendered() ? text : "(" + text + ")";
    };
    std::vector<std::string> lines;
    for (const GraphReference& reference : graph.references)
      lines.push_back(shown(reference.from) + " " + reference.label + " " + shown(reference.to));
    return lines;
  }

  RenderResult result_;
};

TEST_F(Graph, AServiceSelectsWorkloadsWithAllOfItsLabels) {
  workload("{}");
  render("Service", "web", R"({"spec": {"selector": {"app": "web"}}})");
  render("Service", "other", R"({"spec": {"selector": {"app": "web", "tier": "back"}}})");
  render("Service", "elsewhere", R"({"spec": {"selector": {"app": "web"}}})", "other");
  render("Service", "external", R"({"spec": {"externalName": "example.com"}})");
  EXPECT_THAT(references(), ElementsAre("Service web selects Deployment web"));
}

TEST_F(Graph, WhatAContainerReads) {
  for (std::string kind : {"Secret", "ConfigMap"}) render(kind, "settings");
  workload(R"({"containers": [{"env": [{"valueFrom": {"secretKeyRef": {"name": "settings", "key": "a"}}},
                                       {"valueFrom": {"configMapKeyRef": {"name": "settings", "key": "a"}}}, {"value": "plain"}]}],
               "initContainers": [{"envFrom": [{"secretRef": {"name": "first"}}, {"configMapRef": {"name": "settings"}}]}],
               "imagePullSecrets": [{"name": "pull"}], "serviceAccountName": "runner"})");
  EXPECT_THAT(references(), UnorderedElementsAre("Deployment web env Secret settings", "Deployment web env ConfigMap settings",
                                                 "Deployment web env (Secret first)", "Deployment web image pull (Secret pull)",
                                                 "Deployment web runs as (ServiceAccount runner)"));
}

TEST_F(Graph, WhatIsMounted) {
  render("PersistentVolumeClaim", "data");
  render("ConfigMap", "files");
  workload(R"({"volumes": [{"persistentVolumeClaim": {"claimName": "data"}}, {"configMap": {"name": "files"}},
                           {"secret": {"secretName": "keys"}}, {"emptyDir": {}},
                           {"projected": {"sources": [{"secret": {"name": "keys"}}, {"configMap": {"name": "files"}}]}}]})");
  EXPECT_THAT(references(), UnorderedElementsAre("Deployment web volume PersistentVolumeClaim data", "Deployment web volume ConfigMap files",
                                                 "Deployment web volume (Secret keys)"));
}

TEST_F(Graph, TheWayInFromOutside) {
  render("Service", "web");
  render("Ingress", "web", R"({"spec": {"rules": [{"http": {"paths": [{"backend": {"service": {"name": "web"}}}]}}],
                               "tls": [{"secretName": "certificate"}]}})");
  render("HTTPRoute", "web", R"({"spec": {"rules": [{"backendRefs": [{"name": "web", "port": 80}, {"name": "beta"}]}]}})");
  EXPECT_THAT(references(), UnorderedElementsAre("Ingress web routes to Service web", "Ingress web tls (Secret certificate)",
                                                 "HTTPRoute web routes to Service web", "HTTPRoute web routes to (Service beta)"));
}

TEST_F(Graph, WhatIsAboutWorkloads) {
  workload("{}");
  render("HorizontalPodAutoscaler", "web", R"({"spec": {"scaleTargetRef": {"kind": "Deployment", "name": "web"}}})");
  render("PodDisruptionBudget", "web", R"({"spec": {"selector": {"matchLabels": {"app": "web"}}}})");
  render("NetworkPolicy", "web", R"({"spec": {"podSelector": {"matchLabels": {"tier": "front"}}}})");
  EXPECT_THAT(references(), UnorderedElementsAre("HorizontalPodAutoscaler web scales Deployment web",
                                                 "PodDisruptionBudget web protects Deployment web", "NetworkPolicy web guards Deployment web"));
}

TEST_F(Graph, PodsOfAllKindsOfWorkloads) {
  constexpr std::string_view kPod = R"({"spec": {"serviceAccountName": "runner"}})";
  for (std::string kind : {"StatefulSet", "DaemonSet", "Job"}) render(kind, "w", R"({"spec": {"template": )" + std::string(kPod) + "}}");
  render("CronJob", "w", R"({"spec": {"jobTemplate": {"spec": {"template": )" + std::string(kPod) + "}}}}");
  EXPECT_THAT(references(), UnorderedElementsAre("StatefulSet w runs as (ServiceAccount runner)", "DaemonSet w runs as (ServiceAccount runner)",
                                                 "Job w runs as (ServiceAccount runner)", "CronJob w runs as (ServiceAccount runner)"));
}

TEST_F(Graph, ObjectsThatAreNotAsTheyShouldBeAreNoHarm) {
  for (std::string_view odd : {"{}", "[]", "null", R"({"spec": []})", R"({"spec": {"selector": 5, "template": {"spec": {"volumes": {}}}}})"}) {
    for (std::string kind : {"Service", "Deployment", "Ingress", "HorizontalPodAutoscaler", "NetworkPolicy"}) render(kind, "x", odd);
  }
  EXPECT_THAT(references(), IsEmpty());
}

}  // namespace
}  // namespace opm::render
