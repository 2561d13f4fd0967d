#include "opm/release/dependents.h"

#include <gtest/gtest.h>

#include "data/build.h"

namespace opm::release {
namespace {

data::Value object(const std::string& kind, const std::string& uid, const std::vector<std::string>& owners,
                   const std::vector<std::string>& finalizers = {}) {
  data::List references, names;
  for (const std::string& owner : owners) references.push_back(data::map({{"uid", data::text(owner)}}));
  for (const std::string& name : finalizers) names.push_back(data::text(name));
  return data::map({{"kind", data::text(kind)},
                    {"metadata", data::map({{"name", data::text("n-" + uid)},
                                            {"uid", data::text(uid)},
                                            {"ownerReferences", data::list(std::move(references))},
                                            {"finalizers", data::list(std::move(names))}})}});
}

Entry entry(const std::string& group, const std::string& kind) {
  return {{group, kind, "shop", "web"}, "web", "v1", {}};
}

TEST(Belongings, FindsWhatBelongsToTheOwnerAtAnyRemoveAndInAnyOrder) {
  Belongings belongings;
  belongings.add_owner("d1", entry("apps", "Deployment"));
  belongings.present(object("Pod", "p1", {"r1"}));
  EXPECT_TRUE(belongings.left().empty());  // nobody knows yet whose r1 is
  belongings.present(object("ReplicaSet", "r1", {"d1"}));
  auto left = belongings.left();
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left["d1"].names, (std::vector<std::string>{"Pod n-p1", "ReplicaSet n-r1"}));
}

TEST(Belongings, WhatHasGoneStillSaysWhoseItsOwnWere) {
  Belongings belongings;
  belongings.add_owner("d1", entry("apps", "Deployment"));
  belongings.present(object("ReplicaSet", "r1", {"d1"}));
  belongings.present(object("Pod", "p1", {"r1"}, {"example.com/hold"}));
  belongings.deleted(object("ReplicaSet", "r1", {}));
  auto left = belongings.left();
  EXPECT_EQ(left["d1"].names, std::vector<std::string>{"Pod n-p1"});
  EXPECT_EQ(left["d1"].finalizers, std::set<std::string>{"example.com/hold"});
  belongings.deleted(object("Pod", "p1", {}));
  EXPECT_TRUE(belongings.left().empty());
}

TEST(Belongings, OthersDoNotCount) {
  Belongings belongings;
  belongings.add_owner("d1", entry("apps", "Deployment"));
  belongings.present(object("Pod", "alone", {}));
  belongings.present(object("Pod", "p2", {"r2"}));
  belongings.present(object("ReplicaSet", "r2", {"d2"}));
  belongings.deleted(object("Pod", "never-seen", {"d1"}));
  EXPECT_TRUE(belongings.left().empty());
}

TEST(Belongings, OwnersThatOwnEachOtherEnd) {
  Belongings belongings;
  belongings.add_owner("d1", entry("apps", "Deployment"));
  belongings.present(object("ReplicaSet", "a", {"b"}));
  belongings.present(object("ReplicaSet", "b", {"a"}));
  EXPECT_TRUE(belongings.left().empty());
}

TEST(Belongings, WorkloadsAreKindsOfTheirGroup) {
  for (auto [group, kind] : {std::pair{"apps", "Deployment"},
                             {"apps", "StatefulSet"},
                             {"apps", "DaemonSet"},
                             {"apps", "ReplicaSet"},
                             {"batch", "Job"},
                             {"batch", "CronJob"}})
    EXPECT_TRUE(is_workload({group, kind, "shop", "x"})) << kind;
  EXPECT_FALSE(is_workload({"", "Service", "shop", "x"}));
  EXPECT_FALSE(is_workload({"example.com", "Deployment", "shop", "x"}));
}

}  // namespace
}  // namespace opm::release
