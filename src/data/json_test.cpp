#include "data/json.h"

#include <gtest/gtest.h>

#include <fmt/core.h>

namespace opm::data {
namespace {

class JsonTest : public testing::Test {
 protected:
  std::expected<Value, std::vector<diag::Diagnostic>> read(std::string text, const ReadLimits& limits = {}) {
    return read_json(*sources_.add("test.json", std::move(text)), limits);
  }
  // The value written back, or the error with its place.
  std::string pass(std::string text, const JsonWriteOptions& options = {}) {
    auto value = read(std::move(text));
    if (value) return write_json(*value, options);
    auto where = sources_.locate(value.error().at(0).positions.at(0));
    return fmt::format("{}:{}: {}", where.line, where.column, value.error()[0].message);
  }
  std::string place(diag::Position position) {
    auto where = sources_.locate(position);
    return fmt::format("{}:{}", where.line, where.column);
  }

  diag::SourceMap sources_;
};

TEST_F(JsonTest, ReadsEveryKindOfValue) {
  EXPECT_EQ(pass(R"( {"a": [1, -2.50e+3, "x", true, false, null], "b": {}, "c": []} )"),
            R"({"a":[1,-2.50e+3,"x",true,false,null],"b":{},"c":[]})");
}

TEST_F(JsonTest, KeepsNumbersAsWritten) {
  auto value = read("[123456789012345678901234567890, 1.10, 1E400, -0]");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->as_list()[0].as_number(), (NumberText{"123456789012345678901234567890", true}));
  EXPECT_EQ(value->as_list()[1].as_number(), (NumberText{"1.10", false}));
  EXPECT_EQ(value->as_list()[2].as_number(), (NumberText{"1E400", false}));
  EXPECT_EQ(value->as_list()[3].as_number(), (NumberText{"-0", true}));
}

TEST_F(JsonTest, DecodesEscapes) {
  auto value = read(R"(["\"\\\/\b\f\n\r\t", "\u00e9\u20AC", "\ud83d\ude00", "\ud83dx", "\udc00", "\ud83d\u0041"])");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->as_list()[0].as_string(), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(value->as_list()[1].as_string(), "é€");
  EXPECT_EQ(value->as_list()[2].as_string(), "😀");
  EXPECT_EQ(value->as_list()[3].as_string(), "\uFFFDx");
  EXPECT_EQ(value->as_list()[4].as_string(), "\uFFFD");
  EXPECT_EQ(value->as_list()[5].as_string(), "\uFFFD" "A");
}

TEST_F(JsonTest, KnowsWhereKeysAndValuesStand) {
  auto value = read("{\n  \"a\": [1,\n    22],\n  \"b\": {\"c\": true}\n}");
  ASSERT_TRUE(value);
  EXPECT_EQ(place(value->position), "1:1");
  EXPECT_EQ(place(value->as_map()[0].key_position), "2:3");
  EXPECT_EQ(place(value->find("a")->position), "2:8");
  EXPECT_EQ(place(value->find("a")->as_list()[1].position), "3:5");
  EXPECT_EQ(place(value->find_path({"b", "c"})->position), "4:14");
}

TEST_F(JsonTest, RejectsWhatIsNotJson) {
  EXPECT_EQ(pass(""), "1:1: unexpected end of JSON input");
  EXPECT_EQ(pass("{\"a\":1,\n\"a\" 2}"), "2:5: invalid character '2' after object key");
  EXPECT_EQ(pass("{\"a\":1} x"), "1:9: invalid character 'x' after top-level value");
  EXPECT_EQ(pass("[1,]"), "1:4: invalid character ']' looking for beginning of value");
  EXPECT_EQ(pass("{\"a\":1,}"), "1:8: invalid character '}' looking for beginning of object key string");
  EXPECT_EQ(pass("{a:1}"), "1:2: invalid character 'a' looking for beginning of object key string");
  EXPECT_EQ(pass("[1 2]"), "1:4: invalid character '2' after array element");
  EXPECT_EQ(pass("\"a\nb\""), "1:3: invalid character '\\x0a' in string literal");
  EXPECT_EQ(pass("\"\\x\""), "1:3: invalid character 'x' in string escape code");
  EXPECT_EQ(pass("\"\\u12g4\""), "1:6: invalid character 'g' in \\u hexadecimal character escape");
  EXPECT_EQ(pass("tru"), "1:4: unexpected end of JSON input");
  EXPECT_EQ(pass("nul1"), "1:4: invalid character '1' in literal null");
  EXPECT_EQ(pass("\"abc"), "1:5: unexpected end of JSON input");
  EXPECT_EQ(pass("[1"), "1:3: unexpected end of JSON input");
  for (std::string_view text : {"01", "-", "+1", ".5", "1.", "1e", "1e+", "0x1", "NaN", "Infinity", "'a'", "1_0"}) {
    EXPECT_FALSE(read(std::string(text))) << text;
  }
  EXPECT_EQ(pass("[\"\xff\"]"), "1:3: invalid UTF-8");
}

TEST_F(JsonTest, RejectsDuplicateKeys) {
  auto value = read("{\"a\": 1,\n \"b\": 2,\n \"a\": 3}");
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error()[0].message, "duplicate key \"a\"");
  EXPECT_EQ(place(value.error()[0].positions.at(0)), "3:2");
  EXPECT_EQ(place(value.error()[0].positions.at(1)), "1:2");
  std::string many = "{";
  for (int i = 0; i < 1000; ++i) many += fmt::format("\"k{}\":0,", i);
  EXPECT_TRUE(read(many + "\"last\":0}"));
  EXPECT_FALSE(read(many + "\"k500\":0}"));
}

TEST_F(JsonTest, HoldsHostileInputInCheck) {
  EXPECT_EQ(pass(std::string(1'000'000, '[')), "1:1001: nested more than 1000 levels deep");
  EXPECT_FALSE(read("[1,2,3]", {.max_nodes = 3}));
  EXPECT_TRUE(read("[1,2,3]", {.max_nodes = 4}));
  EXPECT_FALSE(read("[1,2,3]", {.max_bytes = 6}));
}

TEST_F(JsonTest, IndentsAsCueExportDoes) {
  EXPECT_EQ(pass(R"({"b":[1,[]],"a":{}})", {.indent = 4, .final_newline = true}),
            "{\n    \"b\": [\n        1,\n        []\n    ],\n    \"a\": {}\n}\n");
  EXPECT_EQ(pass(R"({"b":1,"a":2})", {.sort_keys = true}), R"({"a":2,"b":1})");
}

TEST_F(JsonTest, EscapesAsGoDoes) {
  std::string out;
  append_json_string(out, "\x01\b\f\n\r\t\"\\/\x7f<&>é\u2028\u2029😀", false);
  EXPECT_EQ(out, "\"\\u0001\\b\\f\\n\\r\\t\\\"\\\\/\x7f<&>é\\u2028\\u2029😀\"");
  out.clear();
  append_json_string(out, "<&>\"", true);
  EXPECT_EQ(out, R"("\u003c\u0026\u003e\"")");
  out.clear();
  append_json_string(out, "a\xff" "b", false);
  EXPECT_EQ(out, R"("a\ufffdb")");
}

TEST_F(JsonTest, WritesBytesAsBase64) {
  EXPECT_EQ(write_json(Value{.variant = Bytes{"\xff\xfe"}}), "\"//4=\"");
}

TEST_F(JsonTest, ReadsStreamsValueByValue) {
  const diag::Source& source = *sources_.add("test.jsonl", " {\n\"a\": 1}\n[2]3 \"x\" \n{\"b\": ]}");
  std::size_t offset = 0;
  std::string all;
  for (;;) {
    auto value = read_json_next(source, offset);
    if (!value) {
      all += value.error()[0].message + " @" + place(value.error()[0].positions[0]);
      break;
    }
    ASSERT_TRUE(*value);
    all += write_json(**value) + " ";
  }
  EXPECT_EQ(all, "{\"a\":1} [2] 3 \"x\" invalid character ']' looking for beginning of value @4:7");
  const diag::Source& blank = *sources_.add("blank.jsonl", " \n ");
  offset = 0;
  EXPECT_FALSE(read_json_next(blank, offset).value().has_value());
}

}  // namespace
}  // namespace opm::data
