// What no honest person writes: it must end in errors, quickly, and never in a crash.
#include <gtest/gtest.h>

#include "cue/syntax/parser.h"

namespace opm::cue::syntax {
namespace {

std::string repeat(std::string_view text, std::size_t count) {
  std::string out;
  out.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

std::vector<std::string> errors_of(std::string text) {
  diag::SourceMap map;
  base::Arena arena;
  const diag::Source* source = map.add("test.cue", std::move(text));
  std::vector<std::string> messages;
  for (diag::Diagnostic& error : parse_file(arena, *source).errors) {
    diag::Location at = map.locate(error.positions.at(0));
    EXPECT_GT(at.line, 0u);
    messages.push_back(std::move(error.message));
  }
  return messages;
}

TEST(HostileInput, DeepNesting) {
  for (std::string_view open : {"[", "{", "(", "{a:", "{a: [", "-", "!", "*", "a[", "f(", "[X=", "\"\\(", "if a {",
                                "[if a {", "[for a in b {", "1 + (", "a: {", "try {", "if a {} else {", "(a): {", "x.y("}) {
    auto errors = errors_of("a: " + repeat(open, 100'000));
    ASSERT_FALSE(errors.empty()) << open;
    EXPECT_LE(errors.size(), 60u) << open;
  }
  EXPECT_EQ(errors_of("a: " + repeat("[", 100'000)),
            std::vector<std::string>{"expression exceeds maximum nesting depth of 1000"});
}

TEST(HostileInput, LongChains) {
  const std::vector<std::string> too_high{"expression exceeds maximum nesting depth of 10000"};
  EXPECT_EQ(errors_of("a: 1" + repeat(" + 1", 1'000'000)), too_high);
  EXPECT_EQ(errors_of("a: x" + repeat(".y", 1'000'000)), too_high);
  EXPECT_EQ(errors_of("a: x" + repeat("[0]", 1'000'000)), too_high);
  EXPECT_EQ(errors_of("a: x" + repeat("()", 1'000'000)), too_high);
  EXPECT_EQ(errors_of("a: x" + repeat("...", 1'000'000)), too_high);
  EXPECT_EQ(errors_of(repeat("a: ", 1'000'000)), too_high);
  EXPECT_TRUE(errors_of("a: 1" + repeat(" | 1", 9'000)).empty());
  EXPECT_TRUE(errors_of(repeat("a: ", 4'900) + "1").empty());
  EXPECT_TRUE(errors_of("a: " + repeat("[", 900) + repeat("]", 900)).empty());
}

// Neither nesting nor chains alone are too much here, but their product would be.
TEST(HostileInput, ChainsWithinNesting) {
  std::string text = "a: ";
  for (int i = 0; i < 100; ++i) text += "(1";
  for (int i = 0; i < 100; ++i) text += repeat(" + 1", 200) + ")" + repeat(".x", 200);
  EXPECT_EQ(errors_of(text), std::vector<std::string>{"expression exceeds maximum nesting depth of 10000"});
}

unsigned height_of(std::string text) {
  diag::SourceMap map;
  base::Arena arena;
  return parse_file(arena, *map.add("test.cue", std::move(text))).file->height;
}

TEST(HostileInput, HeightIsThatOfTheTree) {
  EXPECT_EQ(height_of(""), 1u);
  EXPECT_EQ(height_of("a: 1"), 3u);
  EXPECT_EQ(height_of("a: b: 1"), 5u);
  EXPECT_EQ(height_of("a: 1 + 2 + 3"), 5u);
  EXPECT_EQ(height_of("a: [if (x) {y}]"), 7u);
}

TEST(HostileInput, Encoding) {
  EXPECT_EQ(errors_of(std::string("a: \0 1", 6)), std::vector<std::string>{"illegal character NUL"});
  EXPECT_EQ(errors_of("a: \"\xff\"\n"), std::vector<std::string>{"illegal UTF-8 encoding"});
  EXPECT_EQ(errors_of("// \xC3\n"), std::vector<std::string>{"illegal UTF-8 encoding"});
  EXPECT_EQ(errors_of("a: 1\n\xEF\xBB\xBF" "b: 1\n"), std::vector<std::string>{"illegal byte order mark"});
  EXPECT_LE(errors_of(std::string(100'000, '\0')).size(), 60u);
  EXPECT_LE(errors_of(repeat("\xFE\n", 100'000)).size(), 60u);
}

TEST(HostileInput, LargeTokens) {
  EXPECT_TRUE(errors_of("a: " + repeat("9", 1'000'000)).empty());
  EXPECT_TRUE(errors_of(repeat("a", 1'000'000) + ": 1").empty());
  EXPECT_TRUE(errors_of("a: \"" + repeat("x\\n", 1'000'000) + "\"").empty());
  EXPECT_TRUE(errors_of("a: " + repeat("#", 100'000) + "\"x\"" + repeat("#", 100'000)).empty());
  EXPECT_LE(errors_of("a: 1" + repeat("__", 1'000'000)).size(), 60u);
  EXPECT_LE(errors_of("a: \"" + repeat("\\q", 1'000'000) + "\"").size(), 60u);
  auto errors = errors_of("a: 1 " + repeat("9", 1'000'000));
  ASSERT_EQ(errors.size(), 1u);
  errors = errors_of("[a " + repeat("9", 1'000'000) + "]: " + repeat("8", 1'000'000) + " x.\"\"");
  for (const std::string& error : errors) EXPECT_LT(error.size(), 1000u);
}

TEST(HostileInput, NestedAttributes) {
  EXPECT_FALSE(errors_of("a: 1 " + repeat("@a(", 100'000)).empty());
  EXPECT_TRUE(errors_of("a: 1 " + repeat("@a(", 1'000) + repeat(")", 1'000)).empty());
  EXPECT_FALSE(errors_of("a: 1 @a(" + repeat("([{", 100'000)).empty());
  EXPECT_FALSE(errors_of("a: 1 @a(" + repeat("\"\\(x)\" ", 100'000)).empty());
}

TEST(HostileInput, EveryPrefixEnds) {
  const std::string text =
      "@x(y)\npackage p\nimport a \"b\"\n#A: [X=string]: {b?: *1 | >=2, (c): \"\\(d)\" @e(f) // g\n"
      "for h, i in j if k let l = m {n: [1, ...int], o~(P,Q): r?.s[1:2](3)...}\n}\nt: \"\"\"\n  u\\(v)\n  \"\"\"\n";
  for (std::size_t size = 0; size <= text.size(); ++size) errors_of(text.substr(0, size));
  EXPECT_TRUE(errors_of(text).empty());
}

TEST(HostileInput, EveryBrokenByteEnds) {
  const std::string text = "a: {b: [1, \"\\(c)\"], d?: e.f(1)[2:3]}\nif g {h: *1 | 2}\nlet i = '''\n  j\n  '''\n";
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (char replacement : std::string("\0{}[]()\"'\\#,:=?!@._ \n\xff", 22)) {
      std::string broken = text;
      broken[at] = replacement;
      errors_of(broken);
    }
  }
  EXPECT_TRUE(errors_of(text).empty());
}

}  // namespace
}  // namespace opm::cue::syntax
