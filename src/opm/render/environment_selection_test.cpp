#include "opm/render/environment_selection.h"

#include <gtest/gtest.h>

#include "data/build.h"

namespace opm::render {
namespace {

model::ReleaseDeclaration release() {
  model::ReleaseDeclaration release;
  release.field = "shop";
  release.has_environments = true;
  for (auto [name, tier, region] : {std::tuple("staging", "test", "us"), {"prod-us", "prod", "us"}, {"prod-eu", "prod", "eu"}}) {
    model::Environment environment;
    environment.key = name;
    environment.labels = data::map({{"tier", data::text(tier)}, {"region", data::text(region)}});
    release.environments.push_back(std::move(environment));
  }
  return release;
}

std::vector<std::size_t> chosen(const EnvironmentSelection& selection) {
  auto result = select_environments(release(), selection);
  EXPECT_TRUE(result) << (result ? "" : result.error().diagnostic.message);
  return result.value_or(std::vector<std::size_t>());
}

std::string refused(const EnvironmentSelection& selection, const model::ReleaseDeclaration& of = release()) {
  auto result = select_environments(of, selection);
  return result ? "not refused" : result.error().diagnostic.message + "; " + result.error().diagnostic.advice;
}

TEST(EnvironmentSelection, ByNameInTheOrderOfTheRelease) {
  EXPECT_EQ(chosen({{"prod-eu"}, false}), std::vector<std::size_t>({2}));
  EXPECT_EQ(chosen({{"prod-eu", "staging", "staging"}, false}), std::vector<std::size_t>({0, 2}));
}

TEST(EnvironmentSelection, ByLabels) {
  EXPECT_EQ(chosen({{"tier=prod"}, false}), std::vector<std::size_t>({1, 2}));
  EXPECT_EQ(chosen({{"tier==prod,region!=us"}, false}), std::vector<std::size_t>({2}));
  EXPECT_EQ(chosen({{"tier=test", "region=eu"}, false}), std::vector<std::size_t>({0, 2}));
  // What has no such label has another value than any.
  EXPECT_EQ(chosen({{"zone!=a"}, false}), std::vector<std::size_t>({0, 1, 2}));
}

TEST(EnvironmentSelection, All) { EXPECT_EQ(chosen({{}, true}), std::vector<std::size_t>({0, 1, 2})); }

TEST(EnvironmentSelection, WhatIsRefusedSaysWhatThereIs) {
  EXPECT_EQ(refused({}), "release \"shop\" has environments: say which with -e; it has staging, prod-us, prod-eu");
  EXPECT_EQ(refused({{"prod-uk"}, false}),
            "release \"shop\" has no environment \"prod-uk\"; did you mean \"prod-us\"? it has staging, prod-us, prod-eu");
  EXPECT_EQ(refused({{"tier=x"}, false}),
            "release \"shop\" has no environment with tier=x; its environments have region=eu, region=us, tier=prod, tier=test");
  for (const char* wrong : {"=x", "!=x", ",tier=prod", "tier=prod,region"}) {
    EXPECT_TRUE(refused({{wrong}, false}).contains("selects no labels")) << wrong;
  }
}

TEST(EnvironmentSelection, OfAReleaseWithoutEnvironments) {
  model::ReleaseDeclaration plain;
  plain.field = "plain";
  auto none = select_environments(plain, {});
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->empty());
  EXPECT_EQ(refused({{"dev"}, false}, plain), "release \"plain\" has no environments; leave out -e");
  EXPECT_EQ(refused({{}, true}, plain), "release \"plain\" has no environments; leave out --all-environments");
}

}  // namespace
}  // namespace opm::render
