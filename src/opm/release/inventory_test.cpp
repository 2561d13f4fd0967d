#include "opm/release/inventory.h"

#include <gtest/gtest.h>

#include "data/base64.h"
#include "data/build.h"
#include "data/json.h"
#include "opm/release/stages.h"

namespace opm::release {
namespace {

Entry entry(std::string kind, std::string name, std::string component = "web") {
  std::string group = kind == "Deployment" ? "apps" : "";
  return {{group, std::move(kind), "shop", std::move(name)}, std::move(component), "v1", {}};
}

std::vector<std::string> names(const std::vector<Entry>& entries) {
  std::vector<std::string> result;
  for (const Entry& one : entries) result.push_back(one.object.name);
  return result;
}

using Names = std::vector<std::string>;

Change change(std::string id, std::vector<Entry> entries) {
  return {std::move(id),          {"example.com/shop@v0", "1.2.3", "shop"},
          "count: 2\n",           "sha256:00",
          "2026-01-02T03:04:05Z", std::move(entries)};
}

Inventory inventory() {
  Inventory result;
  result.release_name = "shop";
  result.namespace_name = "shop";
  result.release_id = "11bc6112-a6e8-4021-bec9-b3ad246f9466";
  result.module_name = "shop";
  result.last_transition = "2026-01-02T03:04:05Z";
  return result;
}

std::string decoded(const data::Value& secret, std::string_view key) {
  return data::decode_base64(data::text_at(secret, {"data", key})).value_or("");
}

TEST(Inventory, IsTheSecretOfTheSpecification) {
  Inventory written = inventory();
  written.changes.push_back(change("0a1b2c3d", {entry("Deployment", "web")}));
  written.resource_version = "17";
  data::Value secret = to_secret(written);
  EXPECT_EQ(data::text_at(secret, {"metadata", "name"}), "opm.shop.11bc6112-a6e8-4021-bec9-b3ad246f9466");
  EXPECT_EQ(data::text_at(secret, {"metadata", "resourceVersion"}), "17");
  EXPECT_EQ(data::text_at(secret, {"type"}), "opmodel.dev/release");
  EXPECT_EQ(
      data::write_json(*secret.find_path({"metadata", "labels"}), {.sort_keys = true}),
      R"({"app.kubernetes.io/managed-by":"open-platform-model","module-release.opmodel.dev/uuid":)"
      R"("11bc6112-a6e8-4021-bec9-b3ad246f9466","module.opmodel.dev/name":"shop","module.opmodel.dev/namespace":"shop",)"
      R"("opmodel.dev/component":"inventory"})");
  EXPECT_EQ(decoded(secret, "index"), R"(["0a1b2c3d"])");
  EXPECT_EQ(decoded(secret, "metadata"),
            R"({"kind":"ModuleRelease","apiVersion":"core.opmodel.dev/v1alpha1","name":"shop","namespace":"shop",)"
            R"("releaseId":"11bc6112-a6e8-4021-bec9-b3ad246f9466","lastTransitionTime":"2026-01-02T03:04:05Z"})");
  EXPECT_EQ(
      decoded(secret, "change-sha1-0a1b2c3d"),
      R"({"module":{"path":"example.com/shop@v0","version":"1.2.3","name":"shop"},"values":"count: 2\n",)"
      R"("manifestDigest":"sha256:00","timestamp":"2026-01-02T03:04:05Z","inventory":{"entries":[{"group":"apps",)"
      R"("kind":"Deployment","namespace":"shop","name":"web","component":"web","v":"v1"}]}})");
}

TEST(Inventory, ComesBackAsItWasWritten) {
  Inventory written = inventory();
  written.changes = {change("00000002", {entry("Service", "web")}), change("00000001", {})};
  written.changes[0].module.version.clear();
  written.changes[0].entries[0].fields = "abc";
  written.pending = Pending{"00000003", "2026-01-03T00:00:00Z", {entry("ConfigMap", "new")}};
  data::Value secret = to_secret(written);
  EXPECT_NE(decoded(secret, "change-sha1-00000002").find(R"("local":true)"), std::string::npos);
  auto read = from_secret(secret);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(data::write_json(to_secret(*read)), data::write_json(secret));
  EXPECT_EQ(read->changes[0].entries[0].fields, "abc");
  EXPECT_FALSE(read->stored());
}

TEST(Inventory, AChangeThatTheIndexForgotIsKept) {
  Inventory written = inventory();
  written.changes = {change("00000002", {}), change("00000001", {entry("Service", "old")})};
  data::Value secret = to_secret(written);
  std::string index;
  data::append_base64(index, R"(["00000002","0000dead"])");
  for (data::Member& member : secret.as_map()) {
    if (member.key == "data") data::set(member.value, "index", data::text(index));
  }
  auto read = from_secret(secret);
  ASSERT_TRUE(read) << read.error();
  ASSERT_EQ(read->changes.size(), 2u);
  EXPECT_EQ(read->changes[1].id, "00000001");
}

TEST(Inventory, SaysWhatIsWrongWithASecretThatIsNone) {
  EXPECT_EQ(from_secret(data::map({})).error(), "it is not of type opmodel.dev/release");
  data::Value secret = to_secret(inventory());
  for (data::Member& member : secret.as_map()) {
    if (member.key == "data") data::set(member.value, "metadata", data::text("?"));
  }
  EXPECT_EQ(from_secret(secret).error(), "its data \"metadata\" is no base64");
}

TEST(Inventory, KeepsWhatFitsIntoASecret) {
  Inventory written = inventory();
  std::vector<Entry> many;
  for (int i = 0; i < 1500; ++i) many.push_back(entry("ConfigMap", "a-name-of-usual-length-" + std::to_string(i)));
  for (int i = 0; i < 12; ++i)
    written.changes.push_back(change("0000000" + std::string(1, static_cast<char>('a' + i)), many));
  written.pending = Pending{"0000000a", "", many};
  data::Value secret = to_secret(written);
  std::size_t bytes = 0;
  for (const data::Member& member : secret.find("data")->as_map())
    bytes += data::decode_base64(member.value.as_string())->size();
  EXPECT_LT(bytes, std::size_t{1} << 20);
  auto read = from_secret(secret);
  ASSERT_TRUE(read);
  EXPECT_GE(read->changes.size(), 3u);
  EXPECT_LT(read->changes.size(), 12u);
  EXPECT_EQ(read->changes[0].id, "0000000a");
}

TEST(Inventory, DigestsAreThoseOfTheSpecification) {
  render::Resource a, b;
  a.object = data::map({{"kind", data::text("B")}, {"apiVersion", data::text("v1")}});
  b.object = data::map({{"a", data::integer(1)}});
  // sha256 of {"apiVersion":"v1","kind":"B"}\n{"a":1}
  EXPECT_EQ(manifest_digest({a, b}), "sha256:27e0ca47856eb6e676f8943d54173d8f1f3ec26c0f62056128a04385ccf20a90");
  std::string id = change_id({"p", "1", "n"}, "v", "d");
  EXPECT_EQ(id.size(), 8u);
  EXPECT_NE(id, change_id({"p", "2", "n"}, "v", "d"));
  EXPECT_NE(id, change_id({"p", "1", "n"}, "w", "d"));
  EXPECT_EQ(id, change_id({"p", "1", "other"}, "v", "d"));
}

TEST(Stale, IsWhatWasAndIsNoLongerRendered) {
  Inventory known = inventory();
  known.changes = {change("2", {entry("Deployment", "web"), entry("Service", "gone")}),
                   change("1", {entry("Secret", "older")})};
  known.pending = Pending{"3", "", {entry("ConfigMap", "half"), entry("Deployment", "web")}};
  EXPECT_EQ(names(stale_entries(known, {entry("Deployment", "web")})), (Names{"half", "gone"}));
}

TEST(Stale, NotWhenAnotherComponentRendersIt) {
  Inventory known = inventory();
  known.changes = {change("1", {entry("Deployment", "web", "old-name")})};
  EXPECT_EQ(names(stale_entries(known, {entry("Deployment", "web", "new-name")})), Names{});
}

TEST(Stale, NotWhenOnlyTheApiVersionChanged) {
  Inventory known = inventory();
  known.changes = {change("1", {entry("Deployment", "web")})};
  Entry newer = entry("Deployment", "web");
  newer.version = "v2";
  EXPECT_EQ(names(stale_entries(known, {newer})), Names{});
}

TEST(Pending, KeepsWhatAnotherApplyWasAboutToDo) {
  Inventory first = with_pending(inventory(), "a", {entry("ConfigMap", "one")}, "t1");
  Inventory second = with_pending(first, "b", {entry("ConfigMap", "two")}, "t2");
  EXPECT_EQ(second.pending->change, "b");
  EXPECT_EQ(names(second.pending->entries), (Names{"two", "one"}));
}

TEST(History, TheSameChangeMovesToTheFront) {
  Inventory known = inventory();
  known.changes = {change("2", {}), change("1", {})};
  known = with_change(known, change("1", {entry("Service", "web")}), "2", 10);
  ASSERT_EQ(known.changes.size(), 2u);
  EXPECT_EQ(known.changes[0].id, "1");
  EXPECT_EQ(names(known.changes[0].entries), Names{"web"});
}

TEST(History, IsPruned) {
  Inventory known = inventory();
  for (int i = 0; i < 5; ++i) {
    std::string seen = known.changes.empty() ? "" : known.changes[0].id;
    known = with_change(known, change(std::to_string(i), {}), seen, 3);
  }
  ASSERT_EQ(known.changes.size(), 3u);
  EXPECT_EQ(known.changes[0].id, "4");
  EXPECT_EQ(known.changes[2].id, "2");
}

TEST(History, WhatAnotherApplyEndedWithMeanwhileStaysKnown) {
  // Two applies began at change 1; the other one ended first.
  Inventory latest = inventory();
  latest.changes = {change("other", {entry("Service", "theirs")}), change("1", {entry("Service", "before")})};
  latest.pending = Pending{"ours", "", {entry("Service", "ours"), entry("Service", "theirs")}};
  Inventory ended = with_change(latest, change("ours", {entry("Service", "ours")}), "1", 10);
  EXPECT_EQ(names(ended.changes[0].entries), (Names{"ours", "theirs"}));
  EXPECT_FALSE(ended.pending);
}

TEST(History, LeavesWhatAnotherApplyIsAboutToDo) {
  Inventory latest = inventory();
  latest.pending = Pending{"theirs", "", {entry("Service", "theirs")}};
  Inventory ended = with_change(latest, change("ours", {}), "", 10);
  ASSERT_TRUE(ended.pending);
  EXPECT_EQ(names(ended.pending->entries), Names{"theirs"});
}

TEST(Stages, GoUpInWeightAndDownToDelete) {
  std::vector<Entry> entries = {entry("Deployment", "web"),
                                entry("ConfigMap", "a"),
                                entry("Secret", "b"),
                                {{"", "Namespace", "", "shop"}, "", "v1", {}},
                                {{"example.com", "Widget", "shop", "w"}, "", "v1", {}}};
  std::vector<Stage> stages = apply_stages(entries);
  ASSERT_EQ(stages.size(), 4u);
  EXPECT_EQ(stages[0].weight, 0);
  EXPECT_EQ(stages[1].objects, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(stages[3].weight, 1000);
  EXPECT_EQ(delete_stages(entries)[0].weight, 1000);
}

TEST(Entry, KnowsWhatHoldsOtherThings) {
  EXPECT_TRUE(is_dangerous({"", "Namespace", "", "shop"}));
  EXPECT_TRUE(is_dangerous({"apiextensions.k8s.io", "CustomResourceDefinition", "", "widgets.example.com"}));
  EXPECT_FALSE(is_dangerous({"example.com", "Namespace", "shop", "x"}));
}

TEST(Entry, ChecksumOfFieldsIsThatOfOurManagerOnly) {
  auto object = [](std::string_view manager, std::string_view field) {
    data::Value fields = data::map({{"f:spec", data::map({{field, data::map()}})}});
    data::Value part = data::map({{"manager", data::text(std::string(manager))},
                                  {"operation", data::text("Apply")},
                                  {"fieldsV1", std::move(fields)}});
    return data::map({{"metadata", data::map({{"managedFields", data::list({std::move(part)})}})}});
  };
  EXPECT_EQ(applied_fields(object("kubectl", "f:a"), "opm"), "");
  std::string ours = applied_fields(object("opm", "f:a"), "opm");
  EXPECT_EQ(ours.size(), 10u);
  EXPECT_NE(ours, applied_fields(object("opm", "f:b"), "opm"));
}

}  // namespace
}  // namespace opm::release
