#include "opm/release/secret_texts.h"

#include <gtest/gtest.h>

#include "data/json.h"
#include "diag/source.h"
#include "opm/model/redaction.h"

namespace opm::release {
namespace {

render::Resource resource(std::string kind, std::string_view json) {
  diag::SourceMap sources;
  auto object = data::read_json(*sources.add("test.json", std::string(json)));
  EXPECT_TRUE(object.has_value());
  render::Resource made;
  made.kind = std::move(kind);
  if (object) made.object = *object;
  return made;
}

TEST(SecretTexts, AServerDoesNotTellThem) {
  std::vector<render::Resource> resources;
  resources.push_back(resource("Secret", R"({"data": {"a": "aHVudGVyMg==", "short": "YWI="}})"));
  resources.push_back(resource("Deployment", R"({"spec": {"args": ["x", "postgres://hunter2@db"]}})"));
  resources.back().secret_parts = {{"spec", "args", "1"}, {"spec", "args", "7"}};
  SecretTexts texts(resources);
  EXPECT_EQ(texts.without(R"(data.a: Invalid value: "aHVudGVyMg==" (hunter2), "ab", absent)"),
            "data.a: Invalid value: \"" + model::redacted("aHVudGVyMg==") + "\" (" + model::redacted("hunter2") + "), \"" +
                model::redacted("ab") + "\", absent");
  EXPECT_EQ(texts.without("args[1]: postgres://hunter2@db"), "args[1]: " + model::redacted("postgres://hunter2@db"));
  EXPECT_EQ(texts.without("args[0]: x"), "args[0]: x");
}

}  // namespace
}  // namespace opm::release
