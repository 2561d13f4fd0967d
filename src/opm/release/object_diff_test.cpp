#include "opm/release/object_diff.h"

#include <gtest/gtest.h>

#include "data/json.h"
#include "data/yaml.h"

namespace opm::release {
namespace {

data::Value yaml(std::string text) {
  diag::Source source{"test", std::move(text), {1}};
  auto documents = data::read_yaml(source);
  EXPECT_TRUE(documents && documents->size() == 1);
  return documents && !documents->empty() ? documents->front() : data::Value{};
}

std::vector<std::string> differences(std::string before, std::string after) {
  std::vector<std::string> lines;
  for (const FieldChange& change :
       diff_objects(comparable(yaml(std::move(before))), comparable(yaml(std::move(after))))) {
    auto text = [](const std::optional<data::Value>& value) {
      return value ? data::write_json(*value) : std::string("-");
    };
    lines.push_back(change.path + ": " + text(change.before) + " > " + text(change.after));
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(ObjectDiff, LeavesOutWhatTheServerManages) {
  EXPECT_EQ(
      differences("{kind: A, metadata: {name: a, resourceVersion: '1', generation: 1, uid: x}, status: {ready: false}}",
                  "{kind: A, metadata: {name: a, resourceVersion: '2', generation: 2, uid: y, managedFields: []}}"),
      Lines{});
}

TEST(ObjectDiff, NamesFieldsWithBeforeAndAfter) {
  EXPECT_EQ(differences("{metadata: {labels: {app.io/x: a, y: b}}, spec: {replicas: 2}}",
                        "{metadata: {labels: {app.io/x: c}}, spec: {replicas: 3, paused: true}}"),
            (Lines{"metadata.labels[\"app.io/x\"]: \"a\" > \"c\"", "metadata.labels.y: \"b\" > -",
                   "spec.paused: - > true", "spec.replicas: 2 > 3"}));
}

TEST(ObjectDiff, MatchesItemsByTheirMergeKey) {
  EXPECT_EQ(
      differences("containers: [{name: a, image: x}, {name: b, image: y}]",
                  "containers: [{name: new, image: z}, {name: b, image: y2}]"),
      (Lines{"containers[name=a]: {\"name\":\"a\",\"image\":\"x\"} > -", "containers[name=b].image: \"y\" > \"y2\"",
             "containers[name=new]: - > {\"name\":\"new\",\"image\":\"z\"}"}));
  EXPECT_EQ(differences("ports: [{name: web, port: 80}, {port: 53, protocol: UDP}, {port: 53, protocol: TCP}]",
                        "ports: [{name: http, port: 80}, {port: 53, protocol: UDP}, {port: 53, protocol: TCP}]"),
            (Lines{"ports[port=80].name: \"web\" > \"http\""}));
}

TEST(ObjectDiff, SaysWhereOnlyTheOrderChanged) {
  EXPECT_EQ(differences("env: [{name: A, value: '1'}, {name: B, value: '2'}]",
                        "env: [{name: B, value: '2'}, {name: A, value: '1'}]"),
            (Lines{"env[order]: [\"name=A\",\"name=B\"] > [\"name=B\",\"name=A\"]"}));
}

TEST(ObjectDiff, ListsWithoutKeysAreComparedByPlace) {
  EXPECT_EQ(differences("{args: [a, b], rules: [{verbs: [get]}]}",
                        "{args: [a], rules: [{verbs: [get, list]}, {verbs: [x]}]}"),
            (Lines{"args: [\"a\",\"b\"] > [\"a\"]", "rules[0].verbs: [\"get\"] > [\"get\",\"list\"]",
                   "rules[1]: - > {\"verbs\":[\"x\"]}"}));
}

TEST(ObjectDiff, MasksSecretsOnBothSides) {
  Lines lines =
      differences("{apiVersion: v1, kind: Secret, data: {a: aHVudGVyMg==, same: eA==}}",
                  "{apiVersion: v1, kind: Secret, data: {a: aHVudGVyMw==, same: eA==}, stringData: {b: hunter2}}");
  ASSERT_EQ(lines.size(), 2u);
  for (const std::string& line : lines) EXPECT_EQ(line.find("hunter"), std::string::npos) << line;
  EXPECT_EQ(lines[0].find("aHVudGVy"), std::string::npos);
  EXPECT_EQ(lines[0], "data.a: \"<redacted sha256:f52fbd32>\" > \"<redacted sha256:fb8c2e2b>\"");
  EXPECT_EQ(lines[1], "stringData: - > {\"b\":\"<redacted sha256:f52fbd32>\"}");
}

TEST(ObjectDiff, DoesNotShowTheCopyOfASecretInItsAnnotations) {
  data::Value object =
      comparable(yaml("{apiVersion: v1, kind: Secret, metadata: {annotations: "
                      "{kubectl.kubernetes.io/last-applied-configuration: hunter2}}}"));
  EXPECT_EQ(data::write_json(object).find("hunter2"), std::string::npos);
}

TEST(ObjectDiff, EmptyPartsThatComeOrGoMeanNothing) {
  EXPECT_EQ(differences("{spec: {a: 1, strategy: {}}}", "{spec: {a: 1, list: []}}"), Lines{});
}

}  // namespace
}  // namespace opm::release
