#include "opm/model/redaction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/json.h"
#include "diag/source.h"

namespace opm::model {
namespace {

using testing::HasSubstr;
using testing::Not;

data::Value read(std::string_view text) {
  diag::SourceMap sources;
  auto value = data::read_json(*sources.add("test.json", std::string(text)));
  EXPECT_TRUE(value.has_value());
  return value ? *value : data::Value();
}

std::string masked_object(std::string_view text) {
  data::Value object = read(text);
  redact_object(object);
  return data::write_json(object);
}

std::string masked_values(std::string_view text) {
  data::Value values = read(text);
  redact_values(values);
  return data::write_json(values);
}

TEST(Redaction, ShowsTheStartOfTheChecksum) {
  EXPECT_EQ(redacted("hunter2"), "<redacted sha256:f52fbd32>");
  EXPECT_EQ(redacted(""), "<redacted sha256:e3b0c442>");
}

TEST(Redaction, ASecretIsShownAlikeWhereverItStands) {
  std::string shown = redacted("hunter2");
  EXPECT_EQ(masked_object(R"({"kind": "Secret", "data": {"k": "aHVudGVyMg=="}})"), R"({"kind":"Secret","data":{"k":")" + shown + "\"}}");
  EXPECT_EQ(masked_object(R"({"kind": "Secret", "stringData": {"k": "hunter2"}})"),
            R"({"kind":"Secret","stringData":{"k":")" + shown + "\"}}");
  EXPECT_EQ(masked_values(R"({"a": [{"$opm": "secret", "value": "hunter2"}]})"),
            R"({"a":[{"$opm":"secret","value":")" + shown + "\"}]}");
}

TEST(Redaction, LeavesOtherObjectsAndValuesAsTheyAre) {
  std::string map = R"({"kind":"ConfigMap","data":{"k":"hunter2"}})";
  EXPECT_EQ(masked_object(map), map);
  std::string values = R"({"$opm":"other","value":"hunter2","n":1})";
  EXPECT_EQ(masked_values(values), values);
}

TEST(Redaction, MasksWhatIsNoTextToo) {
  for (std::string_view text : {R"({"kind": "Secret", "data": ["hunter2"]})", R"({"kind": "Secret", "data": {"k": ["hunter2"]}})",
                                R"({"kind": "Secret", "data": {"k": "hunter2, not base64"}})",
                                R"({"kind": "Secret", "stringData": "hunter2"})"})
    EXPECT_THAT(masked_object(text), Not(HasSubstr("hunter2"))) << text;
  EXPECT_THAT(masked_values(R"({"$opm": "secret", "value": {"deep": "hunter2"}})"), Not(HasSubstr("hunter2")));
}

TEST(Redaction, MasksWhatKubectlKeptOfASecret) {
  EXPECT_THAT(masked_object(R"({"kind": "Secret", "metadata": {"annotations":
      {"kubectl.kubernetes.io/last-applied-configuration": "{\"stringData\":{\"k\":\"hunter2\"}}"}}})"),
              Not(HasSubstr("hunter2")));
}

TEST(Redaction, MasksOnePartOfAnObject) {
  data::Value object = read(R"({"a": [{"b": "hunter2"}, 1], "c": "x"})");
  for (std::vector<std::string> path : {std::vector<std::string>{"a", "0", "b"}, {"a", "9"}, {"a", "x"}, {"c", "d"}, {"none"}})
    redact_part(object, path);
  EXPECT_EQ(data::write_json(object), R"({"a":[{"b":")" + redacted("hunter2") + R"("},1],"c":"x"})");
}

TEST(Redaction, KeepsWhereASecretIsKept) {
  std::string reference =
      R"({"$opm":"secret","$secretName":"db","$dataKey":"pw","description":"d","source":"k8s","path":"p","remoteKey":"r"})";
  EXPECT_EQ(masked_values(reference), reference);
}

}  // namespace
}  // namespace opm::model
