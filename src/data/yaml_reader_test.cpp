#include <fmt/core.h>
#include <gtest/gtest.h>

#include <chrono>

#include "data/yaml.h"

namespace opm::data {
namespace {

class YamlReaderTest : public testing::Test {
 protected:
  std::expected<std::vector<Value>, std::vector<diag::Diagnostic>> read(std::string text,
                                                                        const ReadLimits& limits = {}) {
    return read_yaml(*sources_.add("test.yaml", std::move(text)), limits);
  }
  // The documents as JSON, or the error with its place.
  std::string json(std::string text) {
    auto documents = read(std::move(text));
    if (!documents) {
      auto where = sources_.locate(documents.error().at(0).positions.at(0));
      return fmt::format("{}:{}: {}", where.line, where.column, documents.error()[0].message);
    }
    std::string out;
    for (const Value& document : *documents) out += (out.empty() ? "" : " ") + write_json(document);
    return out;
  }
  std::string place(diag::Position position) {
    auto where = sources_.locate(position);
    return fmt::format("{}:{}", where.line, where.column);
  }

  diag::SourceMap sources_;
};

TEST_F(YamlReaderTest, ReadsCollections) {
  EXPECT_EQ(json("a:\n  - 1\n  - b: x\n    c: [y, {d: z}]\n  -\ne: {}\n"),
            R"({"a":[1,{"b":"x","c":["y",{"d":"z"}]},null],"e":{}})");
}

TEST_F(YamlReaderTest, ResolvesPlainScalars) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", "null"},          {"~", "null"},         {"null", "null"},       {"Null", "null"},
      {"nUll", "\"nUll\""},  {"true", "true"},      {"False", "false"},     {"tRue", "\"tRue\""},
      {"yes", "\"yes\""},    {"off", "\"off\""},    {"y", "\"y\""},         {"1", "1"},
      {"-12", "-12"},        {"+12", "12"},         {"0o17", "15"},         {"0777", "511"},
      {"-0777", "-511"},     {"0789", "\"0789\""},  {"0x1F", "31"},         {"-0x1f", "-31"},
      {"0b101", "5"},        {"1_000", "1000"},     {"_1", "\"_1\""},       {"1.50", "1.50"},
      {"1.", "1.0"},           {".5", "0.5"},         {"+.5", "0.5"},         {"1e3", "1e3"},
      {"1e400", "\"1e400\""}, {"1_0.5", "10.5"},    {"09.5", "9.5"},        {"12:30", "\"12:30\""},
      {"0x", "\"0x\""},      {"1a", "\"1a\""},      {"v1.2", "\"v1.2\""},   {"=", "\"=\""},
      {"2001-01-01", "\"2001-01-01\""},
      {"123456789012345678901234567890", "123456789012345678901234567890"},
      {"0xFFFFFFFFFFFFFFFFF", "\"0xFFFFFFFFFFFFFFFFF\""},
      {"'1'", "\"1\""},      {"\"true\"", "\"true\""}, {"\"\\u00e9\\n\"", "\"é\\n\""},
      {"|\n  a\n   b\n", "\"a\\n b\\n\""}, {">-\n  a\n  b\n", "\"a b\""},
  };
  for (auto [text, expected] : cases) EXPECT_EQ(json(fmt::format("- {}", text)), fmt::format("[{}]", expected)) << text;
}

TEST_F(YamlReaderTest, TellsIntegersFromFloats) {
  auto documents = read("[1, 1.0, 1e3, 0x10, 99999999999999999999, 3.]");
  ASSERT_TRUE(documents);
  const List& list = documents->at(0).as_list();
  EXPECT_TRUE(list[0].as_number().is_integer);
  EXPECT_FALSE(list[1].as_number().is_integer);
  EXPECT_FALSE(list[2].as_number().is_integer);
  EXPECT_TRUE(list[3].as_number().is_integer);
  EXPECT_TRUE(list[4].as_number().is_integer);
  EXPECT_FALSE(list[5].as_number().is_integer);
}

TEST_F(YamlReaderTest, ObeysTags) {
  EXPECT_EQ(json("[!!str 1, !!int \"12\", !!float 1, ! 12, !!str, !!timestamp 2001-01-01, !!bool TRUE, !!null ~]"),
            R"(["1",12,1,12,"","2001-01-01",true,null])");
  EXPECT_EQ(json("a: !!binary |\n  aGVs\n  bG8=\n"), R"({"a":"aGVsbG8="})");
  EXPECT_TRUE(read("!!binary aGVsbG8=")->at(0).is_bytes());
  EXPECT_EQ(json("a: !foo {b: 1}"), R"({"a":{"b":1}})");
  EXPECT_EQ(json("a: !foo b"), "1:4: cannot unmarshal tag \"!foo\"");
  EXPECT_EQ(json("a: !!int 1.5"), "1:4: cannot decode \"1.5\" as !!int");
  EXPECT_EQ(json("a: !!int abc"), "1:4: cannot decode \"abc\" as !!int");
  EXPECT_EQ(json("a: !!float abc"), "1:4: cannot decode \"abc\" as !!float");
  EXPECT_EQ(json("a: !!bool yes"), "1:4: cannot decode \"yes\" as !!bool");
  EXPECT_EQ(json("a: !!binary '*'"), "1:4: !!binary value contains invalid base64 data");
  EXPECT_EQ(json("a: .inf"), "1:4: \".inf\" is not a finite number");
  EXPECT_EQ(json("a: <<"), "1:4: cannot unmarshal tag \"!!merge\"");
}

TEST_F(YamlReaderTest, MakesStringsOfKeys) {
  EXPECT_EQ(json("{1: a, 1.50: b, Null: c, True: d, 0777: e, 2001-01-01: f, '': g, \"x y\": h, !!binary aGk=: i}"),
            R"({"1":"a","1.50":"b","null":"c","true":"d","0o777":"e","2001-01-01":"f","":"g","x y":"h","aGk=":"i"})");
  EXPECT_EQ(json("-1: x"), "1:1: invalid label -1");
  EXPECT_EQ(json("? [a]\n: x"), "1:3: invalid map key: !!seq");
  EXPECT_EQ(json("? {a: b}\n: x"), "1:3: invalid map key: !!map");
}

TEST_F(YamlReaderTest, ReadsAllDocuments) {
  EXPECT_EQ(json("a: 1\n---\nb: 2\n--- c\n...\n---\n"), R"({"a":1} {"b":2} "c" null)");
  EXPECT_EQ(read("")->size(), 0u);
  EXPECT_EQ(read("# nothing\n")->size(), 0u);
  EXPECT_EQ(json("%YAML 1.2\n---\na: 1\n"), R"({"a":1})");
  EXPECT_EQ(json("\xEF\xBB\xBF" "a: 1\n"), R"({"a":1})");
}

TEST_F(YamlReaderTest, ExpandsAliases) {
  EXPECT_EQ(json("a: &x {b: [1]}\nc: *x\nd: [*x]\n"), R"({"a":{"b":[1]},"c":{"b":[1]},"d":[{"b":[1]}]})");
  EXPECT_EQ(json("- &k key\n- *k : 1\n"), R"(["key",{"key":1}])");
  EXPECT_EQ(json("- &a 1\n- &a 2\n- *a\n"), "[1,2,2]");
  EXPECT_EQ(json("a: *x\nx: &x 1\n"), "1:4: unknown anchor 'x' referenced");
  EXPECT_EQ(json("a: &x 1\n---\nb: *x\n"), "3:4: unknown anchor 'x' referenced");
  EXPECT_EQ(json("&a [1, *a]"), "1:8: anchor 'a' value contains itself");
  auto documents = read("a: &x {b: 1}\nc: *x\n");
  ASSERT_TRUE(documents);
  EXPECT_EQ(place(documents->at(0).find("c")->position), "2:4");
  EXPECT_EQ(place(documents->at(0).find_path({"c", "b"})->position), "1:11");
}

TEST_F(YamlReaderTest, MergesMaps) {
  EXPECT_EQ(json("b: &b {x: 1, y: 2}\nd:\n  <<: *b\n  y: 3\n  z: 4\n"), R"({"b":{"x":1,"y":2},"d":{"x":1,"y":3,"z":4}})");
  EXPECT_EQ(json("<<: [{a: 1}, {a: 2, b: 3}]\nc: 4\n"), R"({"a":1,"b":3,"c":4})");
  EXPECT_EQ(json("a: 1\n<<: {a: 2, b: 3}\nb: 4\n"), R"({"a":2,"b":4})");  // as CUE has it
  EXPECT_EQ(json("\"<<\": {a: 1}\n"), R"({"<<":{"a":1}})");
  EXPECT_EQ(json("<<: 1\n"), "1:5: map merge requires map or sequence of maps as the value");
  EXPECT_EQ(json("<<: {a: 1}\nb: 1\nb: 2\n"), "3:1: duplicate key \"b\"");
}

TEST_F(YamlReaderTest, RejectsDuplicateKeys) {
  auto documents = read("a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n");
  ASSERT_FALSE(documents);
  EXPECT_EQ(documents.error()[0].message, "duplicate key \"c\"");
  EXPECT_EQ(place(documents.error()[0].positions.at(0)), "5:3");
  EXPECT_EQ(place(documents.error()[0].positions.at(1)), "3:3");
}

TEST_F(YamlReaderTest, KnowsWhereKeysAndValuesStand) {
  auto documents = read("é: ü\nlist:\n  - 日本: 'x'\n    b: 1\n");
  ASSERT_TRUE(documents);
  const Map& map = documents->at(0).as_map();
  EXPECT_EQ(place(map[0].value.position), "1:5");  // columns count bytes
  EXPECT_EQ(place(map[1].key_position), "2:1");
  const Value& item = map[1].value.as_list()[0];
  EXPECT_EQ(place(item.position), "3:5");
  EXPECT_EQ(place(item.as_map()[0].value.position), "3:13");
  EXPECT_EQ(place(item.as_map()[1].key_position), "4:5");
}

TEST_F(YamlReaderTest, ReportsSyntaxErrors) {
  EXPECT_EQ(json("a: b: c\n"), "1:5: mapping values are not allowed in this context");
  EXPECT_EQ(json("a: 'x\n"), "1:7: found unexpected end of stream (while scanning a quoted scalar)");
  EXPECT_EQ(json("a:\n\t- 1\n").substr(0, 2), "2:");
  EXPECT_EQ(json("a: \xff"), "1:4: invalid UTF-8");
  for (std::string_view text : {"a: [1", "a: {b", "a: \"\\q\"", "a: @x", "- a\nb: c", "a: 'b'c"}) {
    EXPECT_FALSE(read(std::string(text))) << text;
  }
}

TEST_F(YamlReaderTest, HoldsHostileInputInCheck) {
  auto start = std::chrono::steady_clock::now();
  std::string laughs = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 10; ++i) {
    laughs += fmt::format("a{0}: &a{0} [*a{1},*a{1},*a{1},*a{1},*a{1},*a{1},*a{1},*a{1},*a{1},*a{1}]\n", i, i - 1);
  }
  EXPECT_TRUE(json(laughs).ends_with("aliases expand to more than 200000 nodes"));

  std::string merges = "a0: &a0 {x: 1}\n";
  for (int i = 1; i < 60; ++i) merges += fmt::format("a{0}: &a{0} {{<<: [*a{1}, *a{1}]}}\n", i, i - 1);
  EXPECT_TRUE(json(merges).ends_with("aliases expand to more than 200000 nodes"));

  std::string large = "a: &a \"" + std::string(1'000'000, 'x') + "\"\nb: [";
  for (int i = 0; i < 1000; ++i) large += "*a,";
  EXPECT_TRUE(json(large + "]\n").ends_with("aliases expand to more than 67108864 bytes"));

  std::string chain = "a0: &a0 {x: 1}\n";
  for (int i = 1; i < 3000; ++i) chain += fmt::format("a{0}: &a{0} {{y: *a{1}}}\n", i, i - 1);
  EXPECT_FALSE(read(chain, {.max_alias_nodes = 100'000'000}));

  for (std::string_view unit : {"[", "{a: ", "- ", "? "}) {
    std::string deep;
    for (int i = 0; i < 100'000; ++i) deep += unit;
    EXPECT_TRUE(json(deep).ends_with("nested more than 1000 levels deep")) << unit;
  }
  std::string directives;
  for (int i = 0; i < 1000; ++i) directives += fmt::format("%TAG !t{}! x\n", i);
  EXPECT_FALSE(read(directives + "---\na\n"));
  EXPECT_FALSE(read("[1, 2, 3]", {.max_nodes = 3}));
  EXPECT_FALSE(read("[1, 2, 3]", {.max_bytes = 5}));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

}  // namespace
}  // namespace opm::data
