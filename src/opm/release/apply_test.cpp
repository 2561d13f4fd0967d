#include "opm/release/apply.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opm/release/cluster_testing.h"
#include "opm/release/delete.h"
#include "opm/release/inventory_store.h"
#include "opm/release/release_diff.h"

namespace opm::release {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ReleaseTest : public ::testing::Test, protected testing::ClusterFixture {
 protected:
  ApplyResult apply(std::vector<render::Resource> resources, const ApplyOptions& options = {}) {
    server.writes.clear();
    return apply_release(*client, release(std::move(resources)), options);
  }
  static std::vector<std::string> outcomes(const ApplyResult& result) {
    std::vector<std::string> words;
    for (const AppliedObject& object : result.objects) words.emplace_back(name_of(object.outcome));
    return words;
  }
  Inventory inventory() {
    auto found = find_inventory(*client, {"live", "shop", "id-1"});
    return found && *found ? **found : Inventory{};
  }
  static std::vector<std::string> names(const std::vector<Entry>& entries) {
    std::vector<std::string> names;
    for (const Entry& entry : entries) names.push_back(entry.object.name);
    return names;
  }
};

const char* const kInventory = "secrets/opm.live.id-1";

TEST_F(ReleaseTest, NotesWhatComesThenAppliesByWeightThenNotesThatItIsDone) {
  ApplyResult result = apply({resource("ConfigMap", "c"), resource("Service", "s"), resource("Deployment", "d")});
  EXPECT_TRUE(result.succeeded());
  EXPECT_THAT(server.writes, ElementsAre("POST secrets/", "PATCH configmaps/c", "PATCH services/s",
                                         "PATCH deployments/d", std::string("PUT ") + kInventory));
  EXPECT_FALSE(inventory().pending);
  EXPECT_THAT(names(inventory().changes.at(0).entries), ElementsAre("c", "s", "d"));
}

TEST_F(ReleaseTest, ASecondApplyWritesNothing) {
  apply({resource("ConfigMap", "c"), resource("Deployment", "d")});
  ApplyResult result = apply({resource("ConfigMap", "c"), resource("Deployment", "d")});
  EXPECT_THAT(outcomes(result), ElementsAre("unchanged", "unchanged"));
  EXPECT_THAT(server.writes, IsEmpty());
}

TEST_F(ReleaseTest, WhatControllersWriteMeanwhileIsNoChange) {
  apply({resource("Deployment", "d")});
  int left = 1;
  server.before = [&](const std::string& what) {
    if (what == "DRY deployments/d" && left-- > 0) server.touch_status("deployments", "d");
  };
  EXPECT_THAT(outcomes(apply({resource("Deployment", "d")})), ElementsAre("unchanged"));
  EXPECT_THAT(server.writes, IsEmpty());
  EXPECT_THAT(outcomes(apply({resource("Deployment", "d", "2")})), ElementsAre("configured"));
}

TEST_F(ReleaseTest, TheInventoryIsReadOnceUnlessSomebodyElseWritesIt) {
  std::vector<std::string> asked;
  server.before = [&](const std::string& what) {
    if (what == std::string("GET ") + kInventory || what == "GET secrets/") asked.push_back(what);
  };
  apply({resource("ConfigMap", "c")});
  EXPECT_THAT(asked, ::testing::SizeIs(2));  // by its name, then by its label
  asked.clear();
  apply({resource("ConfigMap", "c", "2")});
  EXPECT_THAT(asked, ::testing::SizeIs(1));
  asked.clear();
  server.faults[std::string("PUT ") + kInventory] = {409};
  apply({resource("ConfigMap", "c", "3")});
  EXPECT_THAT(asked, ::testing::SizeIs(2));
}

TEST_F(ReleaseTest, AnInventoryThatSomebodyRemovesMeanwhileIsMadeAgain) {
  apply({resource("ConfigMap", "c")});
  bool is_removed = false;
  server.before = [&](const std::string& what) {
    if (what == "DRY configmaps/c" && !std::exchange(is_removed, true)) server.remove("secrets", "opm.live.id-1");
  };
  EXPECT_TRUE(apply({resource("ConfigMap", "c", "2")}).succeeded());
  EXPECT_THAT(names(inventory().changes.at(0).entries), ElementsAre("c"));
  EXPECT_FALSE(inventory().pending);
}

TEST_F(ReleaseTest, ADryRunTellsWhatWouldChange) {
  apply({resource("ConfigMap", "same"), resource("ConfigMap", "other"), resource("ConfigMap", "old")});
  ApplyOptions options;
  options.dry_run = true;
  ApplyResult result = apply(
      {resource("ConfigMap", "same"), resource("ConfigMap", "other", "2"), resource("ConfigMap", "new")}, options);
  EXPECT_THAT(outcomes(result), ElementsAre("unchanged", "configured", "created"));
  EXPECT_THAT(result.pruned, ::testing::SizeIs(1));
  EXPECT_THAT(server.writes, IsEmpty());
  EXPECT_THAT(server.names("configmaps"), ElementsAre("old", "other", "same"));
}

TEST_F(ReleaseTest, OneThatFailsStopsTheNextStageAndNothingIsPruned) {
  apply({resource("ConfigMap", "old")});
  server.faults["PATCH configmaps/bad"] = {403};
  ApplyResult result = apply({resource("ConfigMap", "bad"), resource("ConfigMap", "good"), resource("Service", "s")});
  EXPECT_THAT(outcomes(result), ElementsAre("failed", "created", "not tried"));
  ASSERT_EQ(result.problems.size(), 1U);
  EXPECT_EQ(result.problems[0].kind, render::ProblemKind::denied);
  EXPECT_THAT(server.names("configmaps"), ElementsAre("good", "old"));
  // Everything that may be there is known.
  EXPECT_TRUE(inventory().pending);
  EXPECT_THAT(names(known_entries(inventory())), ::testing::UnorderedElementsAre("old", "bad", "good", "s"));
  EXPECT_TRUE(
      apply({resource("ConfigMap", "bad"), resource("ConfigMap", "good"), resource("Service", "s")}).succeeded());
  EXPECT_THAT(server.names("configmaps"), ElementsAre("bad", "good"));
  EXPECT_FALSE(inventory().pending);
}

TEST_F(ReleaseTest, AMistakeShowsBeforeAnythingIsWritten) {
  server.faults["DRY services/s"] = {422};
  ApplyResult result = apply({resource("ConfigMap", "c"), resource("Service", "s")});
  ASSERT_EQ(result.problems.size(), 1U);
  EXPECT_THAT(server.writes, IsEmpty());
}

TEST_F(ReleaseTest, FieldsOfOthersAreTakenWithAWarningOrNotAtAll) {
  apply({resource("ConfigMap", "c")});
  server.owners["configmaps/c"] = "somebody";
  ApplyOptions options;
  options.force_conflicts = false;
  ApplyResult refused = apply({resource("ConfigMap", "c", "2")}, options);
  ASSERT_EQ(refused.problems.size(), 1U);
  EXPECT_THAT(refused.problems[0].message, HasSubstr("\"somebody\" owns .data.a"));
  EXPECT_THAT(server.writes, IsEmpty());
  ApplyResult taken = apply({resource("ConfigMap", "c", "2")});
  EXPECT_TRUE(taken.succeeded());
  EXPECT_THAT(taken.warnings, ElementsAre("ConfigMap shop/c: taking over .data.a from \"somebody\""));
}

TEST_F(ReleaseTest, ALostRaceForTheInventoryLosesNothing) {
  apply({resource("ConfigMap", "c")});
  server.faults[std::string("PUT ") + kInventory] = {409, 409, 500};
  EXPECT_TRUE(apply({resource("ConfigMap", "c"), resource("ConfigMap", "d")}).succeeded());
  EXPECT_THAT(names(inventory().changes.at(0).entries), ElementsAre("c", "d"));
  EXPECT_EQ(inventory().changes.size(), 2U);
}

TEST_F(ReleaseTest, WhatOthersMadeIsLeftAlone) {
  server.put("configmaps", data::map({{"metadata", data::map({{"name", data::text("c")}})}}));
  ApplyResult result = apply({resource("ConfigMap", "c")});
  ASSERT_EQ(result.problems.size(), 1U);
  EXPECT_THAT(result.problems[0].message, HasSubstr("is there already"));
  EXPECT_THAT(server.writes, IsEmpty());
  ApplyOptions options;
  options.adopt = true;
  EXPECT_TRUE(apply({resource("ConfigMap", "c")}, options).succeeded());
}

TEST_F(ReleaseTest, ADiffLooksAgainWhereSomebodyWritesMeanwhile) {
  apply({resource("Deployment", "d")});
  int left = 2;
  server.before = [&](const std::string& what) {
    if (what == "DRY deployments/d" && left-- > 0) server.touch_status("deployments", "d");
  };
  DiffResult same = diff_release(*client, release({resource("Deployment", "d")}), {});
  EXPECT_TRUE(same.problems.empty());
  EXPECT_FALSE(same.differs());
  left = 2;
  DiffResult other = diff_release(*client, release({resource("Deployment", "d", "2")}), {});
  ASSERT_EQ(other.objects.size(), 1U);
  ASSERT_EQ(other.objects[0].changes.size(), 1U);
  EXPECT_EQ(other.objects[0].changes[0].path, "data.a");
}

TEST_F(ReleaseTest, DeletesTheOtherWayRoundAndTheInventoryLast) {
  apply({resource("ConfigMap", "c"), resource("Service", "s"), resource("Deployment", "d")});
  server.writes.clear();
  DeleteResult result = delete_release(*client, {"live", "shop", {}}, {});
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_THAT(server.writes, ElementsAre("DELETE deployments/d", "DELETE services/s", "DELETE configmaps/c",
                                         std::string("DELETE ") + kInventory));
}

TEST_F(ReleaseTest, ADeleteThatFailsLeavesWhatTheOthersNeedAndTheInventory) {
  apply({resource("ConfigMap", "c"), resource("Service", "s")});
  server.writes.clear();
  server.faults["DELETE services/s"] = {403};
  DeleteResult result = delete_release(*client, {"live", "shop", {}}, {});
  ASSERT_EQ(result.problems.size(), 1U);
  EXPECT_THAT(server.writes, IsEmpty());
  EXPECT_THAT(names(known_entries(inventory())), ElementsAre("c", "s"));
  EXPECT_EQ(result.objects.back().outcome, RemovalOutcome::not_tried);
}

TEST_F(ReleaseTest, WithoutAnInventoryLabelsSayWhatToDelete) {
  apply({resource("ConfigMap", "c"), resource("Service", "s")});
  server.put("configmaps", data::map({{"metadata", data::map({{"name", data::text("theirs")}})}}));
  ASSERT_TRUE(remove_inventory(*client, inventory()));
  DeleteResult result = delete_release(*client, {"live", "shop", "id-1"}, {});
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_TRUE(result.by_labels);
  EXPECT_THAT(server.names("configmaps"), ElementsAre("theirs"));
  EXPECT_THAT(server.names("services"), IsEmpty());
}

TEST_F(ReleaseTest, WhatAnotherReleaseHasTakenOverIsLeft) {
  apply({resource("ConfigMap", "c")});
  server.put("configmaps",
             data::map({{"metadata",
                         data::map({{"name", data::text("c")},
                                    {"labels", data::map({{std::string(kReleaseIdLabel), data::text("id-2")}})}})}}));
  DeleteResult result = delete_release(*client, {"live", "shop", "id-1"}, {});
  ASSERT_EQ(result.objects.size(), 1U);
  EXPECT_EQ(result.objects[0].outcome, RemovalOutcome::foreign);
  EXPECT_THAT(server.names("configmaps"), ElementsAre("c"));
}

}  // namespace
}  // namespace opm::release
