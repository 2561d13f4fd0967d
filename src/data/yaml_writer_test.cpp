#include <fmt/core.h>
#include <gtest/gtest.h>

#include "data/yaml.h"

namespace opm::data {
namespace {

constexpr YamlWriteOptions kCue{.style = YamlStyle::cue};

Value json(std::string text) {
  diag::SourceMap sources;
  auto value = read_json(*sources.add("test.json", std::move(text)));
  EXPECT_TRUE(value.has_value());
  return value.value_or(Value{});
}

Value text(std::string_view content) { return Value{.variant = std::string(content)}; }

TEST(YamlWriterTest, LaysOutCollections) {
  Value value = json(R"({"b":[1,[2,[3],{}],{"x":1,"y":[{"z":null}]},[]],"a":{"c":{"d":true}},"e":{}})");
  EXPECT_EQ(write_yaml(value),
            "b:\n  - 1\n  - - 2\n    - - 3\n    - {}\n  - x: 1\n    \"y\":\n      - z: null\n  - []\n"
            "a:\n  c:\n    d: true\ne: {}\n");
  EXPECT_EQ(write_yaml(json(R"({"b":[1,{"x":[2]}],"a":[[3]]})"), {.sort_keys = true, .indent_lists = false}),
            "a:\n- - 3\nb:\n- 1\n- x:\n  - 2\n");
  EXPECT_EQ(write_yaml(json("[]")), "[]\n");
  EXPECT_EQ(write_yaml(json("[{}]")), "- {}\n");
  EXPECT_EQ(write_yaml(json("null")), "null\n");
}

TEST(YamlWriterTest, SortsKeysOnlyWhenAsked) {
  Value value = json(R"({"b":1,"a":{"d":1,"c":2},"B":3})");
  EXPECT_EQ(write_yaml(value), "b: 1\na:\n  d: 1\n  c: 2\nB: 3\n");
  EXPECT_EQ(write_yaml(value, kManifestYaml), "B: 3\na:\n  c: 2\n  d: 1\nb: 1\n");
}

TEST(YamlWriterTest, KeepsFloatsThatAreWhole) {
  auto number = [](std::string_view digits, bool is_integer) {
    return write_yaml(Value{.variant = NumberText{.text = std::string(digits), .is_integer = is_integer}});
  };
  EXPECT_EQ(number("6", true), "6\n");
  EXPECT_EQ(number("6", false), "6.\n");
  EXPECT_EQ(number("6.0", false), "6.0\n");
  EXPECT_EQ(number("6E+3", false), "6E+3\n");
}

// Each of these is what `cue export --out yaml` prints.
TEST(YamlWriterTest, QuotesAsCueDoes) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"abc", "abc"},           {"a b", "a b"},          {"", "\"\""},            {"yes", "\"yes\""},
      {"t", "\"t\""},           {"null", "\"null\""},    {"~", "\"~\""},          {"true", "\"true\""},
      {"1", "\"1\""},           {"1.5", "\"1.5\""},      {"1e400", "1e400"},      {"0789", "\"0789\""},
      {"0x1F", "\"0x1F\""},     {"12:30", "\"12:30\""},  {"2001-01-01", "\"2001-01-01\""},
      {"10.0.0.1", "10.0.0.1"}, {"1a", "1a"},            {"<<", "<<"},            {"=", "="},
      {"a: b", "'a: b'"},       {"a:b", "a:b"},          {"a:", "'a:'"},          {"a #b", "'a #b'"},
      {"a#b", "a#b"},           {"- a", "'- a'"},        {"-a", "-a"},            {"-", "'-'"},
      {"--- a", "'--- a'"},         {"?a", "?a"},            {"? a", "'? a'"},        {"[a]", "'[a]'"},
      {"a]", "a]"},             {"*a", "'*a'"},          {"it's", "it's"},        {"'a'", "'''a'''"},
      {" a", "' a'"},           {"a ", "'a '"},          {"a\tb", "\"a\\tb\""},   {"a\rb", "\"a\\rb\""},
      {"\x01", "\"\\x01\""},    {"é", "é"},              {"😀", "\"\\U0001F600\""}, {"a\\b", "a\\b"},
      {"\"a\"", "'\"a\"'"},     {"\uFEFFa", "\"\\uFEFF\\x61\""}, {"\u0085", "\"\\N\""}, {"\u00A0", "\u00A0"},
      {"a\u2028b", "'a\u2028  b'"},
  };
  for (auto [value, expected] : cases) EXPECT_EQ(write_yaml(text(value), kCue), fmt::format("{}\n", expected)) << value;
}

TEST(YamlWriterTest, WritesLinesAsBlocks) {
  auto member = [](std::string_view content) {
    Value map{.variant = Map{}};
    map.as_map().push_back({"k", text(content), {}});
    map.as_map().push_back({"z", text("end"), {}});
    return write_yaml(map, kCue);
  };
  EXPECT_EQ(member("a\nb"), "k: |-\n  a\n  b\nz: end\n");
  EXPECT_EQ(member("a\nb\n"), "k: |\n  a\n  b\nz: end\n");
  EXPECT_EQ(member("a\n\n"), "k: |+\n  a\n\nz: end\n");
  EXPECT_EQ(member("\n"), "k: |2+\n\nz: end\n");
  EXPECT_EQ(member(" a\nb"), "k: |2-\n   a\n  b\nz: end\n");
  EXPECT_EQ(member("a\n\nb"), "k: |-\n  a\n\n  b\nz: end\n");
  EXPECT_EQ(member("a \nb"), "k: \"a \\nb\"\nz: end\n");
  EXPECT_EQ(member("a\nb "), "k: \"a\\nb \"\nz: end\n");
  EXPECT_EQ(member("a\r\nb"), "k: \"a\\r\\nb\"\nz: end\n");
  EXPECT_EQ(write_yaml(json(R"([["a\nb"]])")), "- - |-\n    a\n    b\n");
  EXPECT_EQ(write_yaml(text("a\nb")), "|-\n  a\n  b\n");
}

TEST(YamlWriterTest, WritesLongKeysInTheirOwnForm) {
  std::string key(130, 'k');
  EXPECT_EQ(write_yaml(json("{\"" + key + "\": {\"a\": 1}}")), "? " + key + "\n: a: 1\n");
  EXPECT_EQ(write_yaml(json(R"({"a\nb": [1]})")), "? |-\n  a\n  b\n: - 1\n");
}

TEST(YamlWriterTest, WritesBytesWithTheirTag) {
  auto bytes = [](std::string_view content) { return write_yaml(Value{.variant = Bytes{std::string(content)}}, kCue); };
  EXPECT_EQ(bytes("hello"), "!!binary aGVsbG8=\n");
  EXPECT_EQ(bytes("hello\nworld"), "!!binary |-\n  aGVsbG8Kd29ybGQ=\n");
  EXPECT_EQ(bytes("\xff\xfe"), "!!binary //4=\n");
}

TEST(YamlWriterTest, QuotesForEveryReaderWhenStrict) {
  for (std::string_view value : {"yES", "nO", "oFF", "TruE", "nULL", "1e400", "<<", "=", ".iNF", "-0xFFFFFFFFFFFFFFFFFFFFF",
                                 "0B11", "0o8", "1_0_0", "190:20:30", "1:30.5", "+12e03"}) {
    std::string written = write_yaml(text(value));
    EXPECT_EQ(written, fmt::format("\"{}\"\n", value));
  }
  for (std::string_view value : {"10.0.0.1", "1.2.3", "nginx:1.25", "a-b", "100m", "10Gi", "v1", "null1", "-flag"}) {
    EXPECT_EQ(write_yaml(text(value)), fmt::format("{}\n", value));
  }
  EXPECT_EQ(write_yaml(text("a\u2028b")), "\"a\\Lb\"\n");
  EXPECT_EQ(write_yaml(text("\ta\nb")), "\"\\ta\\nb\"\n");
}

TEST(YamlWriterTest, ReadsBackWhatItWrote) {
  const std::string_view parts[] = {" ", "\n", "\t", ":", "#", "-", "?", ",", "[", "}", "&", "*", "!", "|", "'", "\"",
                                    "%", "a", "0", ".", "\\", "e", "é", "\u2028", "~", "null", "<<", "=", "\r", "😀"};
  std::uint64_t state = 7;
  auto next = [&](std::size_t below) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<std::size_t>(state >> 33) % below;
  };
  for (int round = 0; round < 5000; ++round) {
    std::string content;
    for (std::size_t i = next(6); i > 0; --i) content += parts[next(std::size(parts))];
    Value value{.variant = Map{}};
    value.as_map().push_back({content, text(content), {}});
    value.as_map().push_back({content + "2", Value{.variant = List{text(content), text("x")}}, {}});
    diag::SourceMap sources;
    auto back = read_yaml(*sources.add("test.yaml", write_yaml(value)));
    ASSERT_TRUE(back.has_value() && back->size() == 1) << write_yaml(value);
    EXPECT_TRUE(equal(back->at(0), value)) << write_yaml(value);
  }
}

}  // namespace
}  // namespace opm::data
