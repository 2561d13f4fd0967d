#include "opm/model/platform_query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/json.h"
#include "opm/model/environment.h"

namespace opm::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

data::Value read(std::string_view text) {
  diag::SourceMap sources;
  return *data::read_json(*sources.add("test.json", std::string(text)));
}

bool passes(std::string_view filter, std::string_view object) {
  PlatformQuery query;
  auto conditions = parse_filter(filter);
  EXPECT_TRUE(conditions) << filter << ": " << (conditions ? "" : conditions.error());
  if (conditions) query.filter = *conditions;
  return matches(query, read(object));
}

TEST(PlatformQuery, Paths) {
  EXPECT_THAT(parse_object_path("metadata.name").value(), ElementsAre("metadata", "name"));
  EXPECT_THAT(parse_object_path("metadata.annotations['a.b/c'].d").value(), ElementsAre("metadata", "annotations", "a.b/c", "d"));
  EXPECT_THAT(parse_object_path("spec.rules[0][\"x\"]").value(), ElementsAre("spec", "rules", "0", "x"));
  for (std::string_view wrong : {"", ".", "a.", "a..b", "a[", "a['b'", "a['b]", "a[b]", "a[]", "a b", "a[0]b", "ä"})
    EXPECT_FALSE(parse_object_path(wrong)) << wrong;
  EXPECT_FALSE(parse_object_path(std::string(100'000, 'a')));
}

TEST(PlatformQuery, Filters) {
  constexpr std::string_view kDefault = R"({"metadata": {"annotations": {"storageclass.kubernetes.io/is-default-class": "true"}}, "n": 3, "on": true})";
  EXPECT_TRUE(passes("metadata.annotations['storageclass.kubernetes.io/is-default-class'] == 'true'", kDefault));
  EXPECT_TRUE(passes("  n==3&&on == true && metadata.name != \"x\"", kDefault));
  EXPECT_FALSE(passes("n == '3'", kDefault));
  EXPECT_FALSE(passes("n == 3 && on == false", kDefault));
  EXPECT_FALSE(passes("nothing == 'x'", kDefault));
  EXPECT_TRUE(passes("nothing != 'x'", kDefault));
  for (std::string_view wrong : {"", "a", "a ==", "a = 'b'", "a == b", "a == 'b", "a == 'b' &&", "a == 'b' || c == 'd'", "a == 'b' c", "a == 1.5", "== 'a'"})
    EXPECT_FALSE(parse_filter(wrong)) << wrong;
}

class PlatformQueriesTest : public ::testing::Test {
 protected:
  Platform platform(std::string text) {
    program_ = cue::Program::from_text("p.cue", std::move(text));
    context_ = std::make_unique<cue::Context>(program_);
    return read_platform(context_->instance(0));
  }

  std::shared_ptr<const cue::Program> program_;
  std::unique_ptr<cue::Context> context_;
};

TEST_F(PlatformQueriesTest, Parts) {
  Platform read = platform(R"(queries: [
  {field: "context.a", query: "k8s:v1:Secret:infra:tls", extract: "metadata.name"},
  {field: "context.b", query: "k8s:storage.k8s.io/v1:StorageClass", filter: "x == 'y'", extract: "metadata.name", all: true, optional: true},
  {field: "context.c", query: "k8s:v1:Node::one", extract: "metadata.name", value: "v"}])");
  ASSERT_EQ(read.queries.size(), 3u);
  EXPECT_TRUE(read.mistakes.empty());
  EXPECT_EQ(read.queries[0].namespace_name + "/" + read.queries[0].name, "infra/tls");
  EXPECT_EQ(read.queries[1].api_version + " " + read.queries[1].kind, "storage.k8s.io/v1 StorageClass");
  EXPECT_TRUE(read.queries[1].all && read.queries[1].optional);
  EXPECT_EQ(read.queries[1].text, "k8s:storage.k8s.io/v1:StorageClass where x == 'y' -> metadata.name (all)");
  EXPECT_EQ(read.queries[2].namespace_name + "/" + read.queries[2].name, "/one");
}

TEST_F(PlatformQueriesTest, MistakesSayWhere) {
  Platform read = platform(R"(queries: [
  {field: "context.a", query: "k8s:v1:ConfigMap", extract: "a..b"},
  {field: "context.b", query: "k8s:v1:ConfigMap", filter: "x", extract: "metadata.name"},
  {field: "context.c", query: "k8s:v1:Secret:a:b", extract: "data.password"},
  {field: "context.d", query: "k8s:v1:Secret:a:b", filter: "data.password == 'x'", extract: "metadata.name"}])");
  EXPECT_TRUE(read.queries.empty());
  ASSERT_EQ(read.mistakes.size(), 4u);
  EXPECT_EQ(read.mistakes[0].path, "queries.0.extract");
  EXPECT_THAT(read.mistakes[1].message, HasSubstr("== or !="));
  EXPECT_THAT(read.mistakes[2].message, HasSubstr("only the metadata"));
  EXPECT_THAT(read.mistakes[3].message, HasSubstr("only the metadata"));
  for (const diag::Diagnostic& mistake : read.mistakes) EXPECT_FALSE(mistake.positions.empty());
}

TEST_F(PlatformQueriesTest, UnansweredUntilTheSameWasAsked) {
  constexpr std::string_view kQueries = R"(queries: [
  {field: "context.a", query: "k8s:v1:Node", extract: "metadata.name", all: true},
  {field: "context.a", query: "k8s:v1:Pod", extract: "metadata.name", all: true}]
)";
  Platform never = platform(std::string(kQueries));
  ASSERT_EQ(unanswered(never).size(), 1u);
  EXPECT_FALSE(unanswered(never)[0].is_changed);
  Platform changed = platform(std::string(kQueries) + R"x(queried: "context.a": "k8s:v1:Node -> metadata.name (all)")x");
  ASSERT_EQ(unanswered(changed).size(), 1u);
  EXPECT_TRUE(unanswered(changed)[0].is_changed);
  Platform same = platform(std::string(kQueries) +
                           R"x(queried: "context.a": "k8s:v1:Node -> metadata.name (all); k8s:v1:Pod -> metadata.name (all)")x");
  EXPECT_TRUE(unanswered(same).empty());
}

}  // namespace
}  // namespace opm::model
