#include "opm/render/resource_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opm::render {
namespace {

Resource resource(std::string api_version, std::string kind, std::string name) {
  Resource made;
  made.api_version = std::move(api_version);
  made.kind = std::move(kind);
  made.name = std::move(name);
  return made;
}

TEST(ResourceOrder, WhatOthersDependOnComesFirst) {
  std::vector<Resource> resources;
  resources.push_back(resource("example.com/v1", "Thing", "a"));
  resources.push_back(resource("apps/v1", "Deployment", "b"));
  resources.push_back(resource("apps/v1", "Deployment", "a"));
  resources.push_back(resource("v1", "Service", "a"));
  resources.push_back(resource("v1", "Namespace", "a"));
  resources.push_back(resource("apiextensions.k8s.io/v1", "CustomResourceDefinition", "a"));
  sort_resources(resources);
  std::vector<std::string> order;
  for (const Resource& each : resources) order.push_back(each.kind + "/" + each.name);
  EXPECT_THAT(order, testing::ElementsAre("CustomResourceDefinition/a", "Namespace/a", "Service/a", "Deployment/a",
                                          "Deployment/b", "Thing/a"));
}

TEST(ResourceOrder, ACustomResourceHasNoWeightOfKubernetes) {
  EXPECT_EQ(resource_weight("", "Service"), 50);
  EXPECT_EQ(resource_weight("networking.k8s.io", "Ingress"), 150);
  EXPECT_EQ(resource_weight("serving.example.com", "Service"), 1000);
}

}  // namespace
}  // namespace opm::render
