#include "opm/render/resource_query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/build.h"

namespace opm::render {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Resource resource(std::string api_version, std::string kind, std::string name) {
  Resource made;
  made.api_version = std::move(api_version);
  made.kind = std::move(kind);
  made.name = std::move(name);
  return made;
}

class ResourceQuery : public testing::Test {
 protected:
  std::vector<Resource> resources{resource("apps/v1", "Deployment", "web"), resource("v1", "Service", "web"),
                                  resource("networking.k8s.io/v1", "NetworkPolicy", "deny"),
                                  resource("example.com/v1", "Deployment", "web")};

  std::string found(std::string_view query) {
    auto index = find_resource(resources, query);
    return index ? std::to_string(*index) : index.error().diagnostic.message + "; " + index.error().diagnostic.advice;
  }
};

TEST(AsksForKind, AsKubectlMeansThemWithOrWithoutAGroup) {
  EXPECT_TRUE(asks_for_kind("deploy/web", "Deployment"));
  EXPECT_TRUE(asks_for_kind("Deployments.apps/web", "Deployment"));
  EXPECT_FALSE(asks_for_kind("service/web", "Deployment"));
  EXPECT_FALSE(asks_for_kind("web", "Deployment"));
}

TEST_F(ResourceQuery, KindsAreMeantAsKubectlMeansThem) {
  EXPECT_EQ(found("service/web"), "1");
  EXPECT_EQ(found("SVC/web"), "1");
  EXPECT_EQ(found("services/web"), "1");
  EXPECT_EQ(found("networkpolicies/deny"), "2");
  EXPECT_EQ(found("deny"), "2");
  EXPECT_EQ(found("deployment.apps/web"), "0");
  EXPECT_EQ(found("deploy.example.com/web"), "3");
}

TEST_F(ResourceQuery, WhatIsNotThereOrNotEnoughIsToldWithWhatThereIs) {
  EXPECT_EQ(found("deployment/web"), "\"deployment/web\" may be any of 2 resources; say which: deployment/web, deployment/web");
  EXPECT_EQ(found("service/wed"), "no resource \"service/wed\" is rendered; did you mean \"service/web\"?");
  EXPECT_EQ(found("ingress/deny"), "no resource \"ingress/deny\" is rendered; did you mean \"networkpolicy/deny\"?");
  EXPECT_THAT(found("configmap/settings"), HasSubstr("there are deployment/web, service/web"));
  resources.clear();
  EXPECT_THAT(found("web"), HasSubstr("nothing is rendered"));
}

class ResourcePart : public testing::Test {
 protected:
  ResourcePart() {
    deployment.object = data::map(
        {{"metadata", data::map({{"labels", data::map({{"app.example.com/name", data::text("web")}, {"app", data::text("x")}})}})},
         {"list", data::list({data::map({{"name", data::text("a")}}), data::map({{"name", data::text("b")}, {"n", data::integer(1)}})})}});
  }
  Resource deployment = resource("apps/v1", "Deployment", "web");

  std::vector<std::string> part(std::string_view path) {
    auto found = find_part(deployment, path);
    if (found) return *found;
    return {found.error().diagnostic.message, found.error().diagnostic.advice};
  }
};

TEST_F(ResourcePart, IsFoundByKeysWithAndWithoutQuotes) {
  EXPECT_THAT(part("metadata.labels.app"), ElementsAre("metadata", "labels", "app"));
  EXPECT_THAT(part(".metadata.labels.app.example.com/name"), ElementsAre("metadata", "labels", "app.example.com/name"));
  EXPECT_THAT(part("metadata.labels.\"app.example.com/name\""), ElementsAre("metadata", "labels", "app.example.com/name"));
  EXPECT_THAT(part("metadata.labels[\"app.example.com/name\"]"), ElementsAre("metadata", "labels", "app.example.com/name"));
  EXPECT_THAT(part(""), ElementsAre());
}

TEST_F(ResourcePart, ElementsAreFoundByIndexAndByName) {
  EXPECT_THAT(part("list[1].n"), ElementsAre("list", "1", "n"));
  EXPECT_THAT(part("list.1.n"), ElementsAre("list", "1", "n"));
  EXPECT_THAT(part("list[b].n"), ElementsAre("list", "1", "n"));
  EXPECT_THAT(part("list[b]"), ElementsAre("list", "1"));
}

TEST_F(ResourcePart, WhatIsNotThereIsToldWithWhatIsNear) {
  EXPECT_THAT(part("metadata.lables.app"),
              ElementsAre("deployment/web: there is no field \"lables\" in \"metadata\"", "did you mean \"labels\"?"));
  EXPECT_THAT(part("spec"), ElementsAre("deployment/web: there is no field \"spec\" in the object", "it has metadata, list"));
  EXPECT_THAT(part("list[7]"), ElementsAre("deployment/web: there is no element 7 in \"list\"", "it has 2, from [0]: a, b"));
  EXPECT_THAT(part("metadata.labels.app.more"),
              ElementsAre("deployment/web: \"metadata.labels.app\" is a single value, so there is no \"more\" below it", ""));
  EXPECT_THAT(part("list[0"), ElementsAre("deployment/web: \"]\" is missing in the path", ""));
}

TEST_F(ResourcePart, IsWrittenAsItIsRead) {
  for (std::string_view path : {"metadata.labels.\"app.example.com/name\"", "list[1].n"})
    EXPECT_EQ(part_text(part(path), deployment.object), path);
}

}  // namespace
}  // namespace opm::render
