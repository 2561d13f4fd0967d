#include "opm/render/manifests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "opm/model/redaction.h"

namespace opm::render {
namespace {

data::Value text(std::string value) {
  data::Value made;
  made.variant = std::move(value);
  return made;
}

data::Value map(std::vector<std::pair<std::string, data::Value>> members) {
  data::Map content;
  for (auto& [key, value] : members) content.push_back({key, std::move(value), {}});
  data::Value made;
  made.variant = std::move(content);
  return made;
}

Resource resource(std::string kind, std::string name, std::string where, data::Value object) {
  Resource made;
  made.api_version = "v1";
  made.kind = std::move(kind);
  made.name = std::move(name);
  made.namespace_name = std::move(where);
  made.object = std::move(object);
  return made;
}

TEST(Manifests, FilesAreNamedByKindAndNameAndNeverLeaveTheFolder) {
  std::vector<Resource> resources;
  resources.push_back(resource("ConfigMap", "a", "one", map({})));
  resources.push_back(resource("ConfigMap", "a", "two", map({})));
  resources.push_back(resource("Role", "../x:y", "", map({})));
  std::vector<std::string> names;
  for (const ManifestFile& file : manifest_files(resources, ManifestFormat::yaml)) names.push_back(file.name);
  EXPECT_THAT(names, testing::ElementsAre("configmap-a-one.yaml", "configmap-a-two.yaml", "role-.._x_y.yaml"));
}

TEST(Manifests, DocumentsHaveSortedKeysAndADividerBetweenThem) {
  std::vector<Resource> resources;
  resources.push_back(resource("X", "a", "", map({{"kind", text("X")}, {"apiVersion", text("v1")}})));
  resources.push_back(resource("X", "b", "", map({{"kind", text("X")}})));
  EXPECT_EQ(write_manifests(resources, ManifestFormat::yaml), "apiVersion: v1\nkind: X\n---\nkind: X\n");
}

TEST(Manifests, AreTheSameHoweverManyThreadsWriteThem) {
  std::vector<Resource> resources;
  for (int i = 0; i < 500; ++i) resources.push_back(resource("X", "a", "", map({{"name", text(std::to_string(i) + "\nx")}})));
  std::string alone = write_manifests(resources, ManifestFormat::yaml);
  EXPECT_EQ(std::ranges::count(alone, '|'), 500);
  for (unsigned threads : {1u, 2u, 3u, 8u}) {
    std::string together;
    write_manifests(resources, threads, [&](std::string_view piece) { together += piece; });
    EXPECT_EQ(together, alone);
  }
  write_manifests({}, 2, [](std::string_view) { FAIL(); });
}

TEST(Manifests, OnlySecretsAreMasked) {
  std::vector<Resource> resources;
  resources.push_back(resource("Secret", "a", "", map({{"kind", text("Secret")}, {"stringData", map({{"key", text("hunter2")}})}})));
  resources.push_back(resource("ConfigMap", "a", "", map({{"kind", text("ConfigMap")}, {"data", map({{"key", text("hunter2")}})}})));
  redact_secrets(resources);
  EXPECT_EQ(resources[0].object.find_path({"stringData", "key"})->as_string(), model::redacted("hunter2"));
  EXPECT_EQ(resources[1].object.find_path({"data", "key"})->as_string(), "hunter2");
}

}  // namespace
}  // namespace opm::render
