#include "data/toml.h"

#include <gtest/gtest.h>

#include "data/json.h"

namespace opm::data {
namespace {

std::string read(std::string text) {
  diag::SourceMap sources;
  const diag::Source* source = sources.add("x.toml", std::move(text));
  auto value = read_toml(*source);
  if (value) return write_json(*value);
  diag::Location place = sources.locate(value.error().at(0).positions.at(0));
  return value.error()[0].message + " @" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

TEST(Toml, Scalars) {
  EXPECT_EQ(
      read("a = 1\nb = 0x1F\nc = 1_000\nd = -2.5e3\ne = +5\nf = 0o17\ng = 0b11\nh = true\ni = 0.5\nj = 007\nk = 0"),
      R"({"a":1,"b":31,"c":1000,"d":-2.5e3,"e":5,"f":15,"g":3,"h":true,"i":0.5,"j":7,"k":0})");
  EXPECT_EQ(read("a = 99999999999999999999999"), R"({"a":99999999999999999999999})");
}

TEST(Toml, Strings) {
  EXPECT_EQ(read("a = \"x\\u00e9\\n\\\"\"\nb = 'c:\\x'\nc = '''\nx\r\ny'''\nd = \"\"\"a \\\n   b\"\"\"\ne = "
                 "\"\"\"\"q\"\"\"\""),
            R"({"a":"xé\n\"","b":"c:\\x","c":"x\ny","d":"a b","e":"\"q\""})");
}

TEST(Toml, DatesAreText) {
  EXPECT_EQ(read("a = 1979-05-27T07:32:00Z\nb = 1979-05-27\nc = 07:32:00.5\nd = 1979-05-27 00:32:00.99-07:00 # x"),
            R"({"a":"1979-05-27T07:32:00Z","b":"1979-05-27","c":"07:32:00.5","d":"1979-05-27 00:32:00.99-07:00"})");
  EXPECT_EQ(read("a = 2021-13-45"), "invalid date or time 2021-13-45 @1:5");
}

TEST(Toml, TablesAndKeys) {
  EXPECT_EQ(read("[a.b]\nc = 1\n[a]\nd = 2\n[[x]]\ny=1\n[[x]]\ny=2\n[x.z]\nq=1\n"),
            R"({"a":{"b":{"c":1},"d":2},"x":[{"y":1},{"y":2,"z":{"q":1}}]})");
  EXPECT_EQ(read("a.b.c = 1\na . d = 2\n\"quoted key\" = 1\n3 = 4\n"),
            R"({"a":{"b":{"c":1},"d":2},"quoted key":1,"3":4})");
  EXPECT_EQ(read("a = {b = 1, c.d = 2}\nl = [1, # one\n [2, \"x\"],\n {y = 1},\n]\n"),
            R"({"a":{"b":1,"c":{"d":2}},"l":[1,[2,"x"],{"y":1}]})");
  EXPECT_EQ(read(""), "{}");
  EXPECT_EQ(read("\xEF\xBB\xBF# c\r\n"), "{}");
}

TEST(Toml, WhatIsWrittenTwiceIsAnError) {
  EXPECT_EQ(read("a = 1\na = 2"), "duplicate key: a @2:1");
  EXPECT_EQ(read("[a]\n[a]"), "duplicate key: a @2:2");
  EXPECT_EQ(read("a = 1\n[a]"), "duplicate key: a @2:2");
  EXPECT_EQ(read("[a.b]\nx=1\n[a]\nb = 1"), "duplicate key: a.b @4:1");
  EXPECT_EQ(read("x = [1]\n[[x]]\n"), "cannot redeclare key \"x\" as a table array @2:3");
  EXPECT_EQ(read("[[a]]\nb=1\n[a]\nc=1"), "cannot redeclare table array \"a\" as a table @3:2");
}

TEST(Toml, MistakesHavePlaces) {
  EXPECT_EQ(read("a = \"x"), "basic string not terminated by \" @1:7");
  EXPECT_EQ(read("a"), "expected = after a key, but the document ends there @1:2");
  EXPECT_EQ(read("a = "), "expected value, not eof @1:5");
  EXPECT_EQ(read("= 1"), "invalid character at start of key: = @1:1");
  EXPECT_EQ(read("a = 1 b = 2"), "expected newline but got 'b' @1:7");
  EXPECT_EQ(read("[a"), "expected character ] but the document ended here @1:3");
  EXPECT_EQ(read("a = tru"), "expected 'true' @1:5");
  EXPECT_EQ(read("a = inf"), "illegal number start \"inf\" @1:5");
  EXPECT_EQ(read("a = 1__0"), "illegal number start \"1__0\" @1:5");
  EXPECT_EQ(read("a = \"\\q\""), "invalid escaped character @1:6");
  EXPECT_EQ(read("a = \"\\ud800\""), "invalid escaped character @1:6");
  EXPECT_EQ(read("a = \"\xff\""), "invalid UTF-8 @1:6");
  EXPECT_EQ(read("a = [1,"), "expected value, not eof @1:8");
}

TEST(Toml, DepthIsCapped) {
  EXPECT_EQ(read("a = " + std::string(100000, '[')).substr(0, 11), "nested more");
  std::string key = "a";
  for (int i = 0; i < 100000; ++i) key += ".a";
  EXPECT_EQ(read(key + " = 1").substr(0, 11), "nested more");
  EXPECT_EQ(read("[" + key + "]").substr(0, 11), "nested more");
  std::string tables;
  for (int i = 0; i < 100000; ++i) tables += "{a=";
  EXPECT_EQ(read("a = " + tables).substr(0, 11), "nested more");
}

TEST(Toml, WritesTablesBehindPlainMembers) {
  diag::SourceMap sources;
  auto written = [&](std::string json) {
    auto text = write_toml(*read_json(*sources.add("test.json", std::move(json))));
    return text ? *text : "error: " + text.error();
  };
  EXPECT_EQ(written(R"({"z": 1, "d": {"e": {"f": 1}}, "a": {"g": [], "c": [1, {"q": null, "r": "x"}], "e": {}}, "n": null})"),
            "z = 1\n\n[a]\nc = [1, {r = 'x'}]\ng = []\n\n[a.e]\n\n[d]\n[d.e]\nf = 1\n");
  EXPECT_EQ(written(R"({"a": [{"b": 1, "s": {"t": true}}, {}]})"), "[[a]]\nb = 1\n\n[a.s]\nt = true\n\n[[a]]\n");
  EXPECT_EQ(written(R"({"a": [null]})"), "error: TOML has no null");
}

TEST(Toml, WritesTextAndNumbersAsCueDoes) {
  diag::SourceMap sources;
  auto written = [&](std::string json) { return write_toml(*read_json(*sources.add("test.json", std::move(json)))).value(); };
  EXPECT_EQ(written(R"({"a b": "x\ty", "c'": "a\\b"})"), "'a b' = 'x\ty'\n\"c'\" = 'a\\b'\n");
  EXPECT_EQ(written(R"(["x'y", "1\n\u0007\t"])"), "[\"x'y\", \"1\\n\\u0007\\t\"]");
  EXPECT_EQ(written("[1.5e10, 1.0, 9223372036854775807, 9223372036854775808]"),
            "[15000000000.0, 1.0, 9223372036854775807, '9223372036854775808']");
}

}  // namespace
}  // namespace opm::data
