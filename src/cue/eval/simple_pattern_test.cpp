#include "cue/eval/simple_pattern.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include <string>
#include <vector>

namespace opm::cue::eval {
namespace {

const std::vector<std::string> kPatterns = {
    "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$",
    "^[a-z0-9]([a-z0-9-]{0,3}[a-z0-9])?$",
    "^[a-z0-9.-]+(/[a-z0-9.-]+)*@v[0-9]+#[A-Z][a-zA-Z0-9]*$",
    "^(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)(-[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)*)?(\\+[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)*)?$",
    "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
    "^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$",
    "^context(\\.[A-Za-z][0-9A-Za-z]*)+$",
    "[a-z]",
    "ab",
    "^a",
    "b$",
    "a?",
    "^a?$",
    "^a*$",
    "a*b",
    "(a|b)c",
    "a|bc",
    "^(?:a|bc){2,}$",
    "^a{0,}b$",
    "^(ab){2}$",
    "^(a?b){1}$",
    "^(a+){2}b$",
    "^(a){2,3}-{2}$",
    "^[a-cB-]{2,4}$",
    "(ab)+-",
    "[-a]",
    "[a-]b?",
    "a\\-b\\/c",
};

const std::vector<std::string> kTexts = {
    "", "a", "b", "ab", "abc", "c", "bc", "bcbc", "aa", "aab", "abab", "ababab", "abab-", "aa--", "Bc-a", "-", "a-b/c", "a-", "-a", "web-0000", "Web", "web-",
    "0", "1.0.0", "01.0.0", "1.0.0-rc.1+build.5", "1.0", "10Mi", "+1.5e10", ".5", "5.", "1k", "v1", "opmodel.dev/a/b@v0#Container",
    "opmodel.dev/a//b@v0#Container", "opmodel.dev@v0#container", "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "6ba7b8109dad", "context.a.b9", "context",
    "context.", "a\n", "\na", "é", "aé", "a\xff", std::string("a\0b", 3), std::string(63, 'a'), std::string(64, 'a'), std::string(63, '-'),
};

TEST(SimplePattern, AgreesWithRe2) {
  for (const std::string& pattern : kPatterns) {
    std::optional<SimplePattern> simple = SimplePattern::compile(pattern);
    ASSERT_TRUE(simple) << pattern;
    re2::RE2 program(pattern);
    ASSERT_TRUE(program.ok()) << pattern;
    for (const std::string& text : kTexts) {
      EXPECT_EQ(simple->matches(text), re2::RE2::PartialMatch(text, program)) << pattern << " of " << text;
    }
  }
}

// All texts of a few letters against all patterns of a few signs: what is taken means what RE2 says.
TEST(SimplePattern, MeansWhatRe2SaysOfEveryShortPattern) {
  const std::string signs = "ab(|)?*+^$[]-{2}";
  std::vector<std::string> texts{""};
  for (std::size_t i = 0; i < texts.size() && texts[i].size() < 4; ++i) {
    for (char c : {'a', 'b', '-'}) texts.push_back(texts[i] + c);
  }
  std::size_t taken = 0;
  std::vector<std::string> patterns{""};
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    std::string pattern = patterns[i];
    if (pattern.size() < 4) {
      for (char c : signs) patterns.push_back(pattern + c);
    }
    std::optional<SimplePattern> simple = SimplePattern::compile(pattern);
    if (!simple) continue;
    ++taken;
    RE2::Options options;
    options.set_log_errors(false);
    re2::RE2 program(pattern, options);
    ASSERT_TRUE(program.ok()) << pattern;
    for (const std::string& text : texts) {
      ASSERT_EQ(simple->matches(text), re2::RE2::PartialMatch(text, program)) << pattern << " of " << text;
    }
  }
  EXPECT_GT(taken, 500u);
}

TEST(SimplePattern, LeavesTheRestToRe2) {
  for (const char* pattern : {"", "a.b", "[^/]", "\\d", "(?i)a", "a**", "a*?", "^a|b$", "a^b", "a$b", "[", "[]", "[b-a]", "(a", "a)", "()", "(a|)",
                              "[[:alpha:]]", "é", "a{2", "a{200}", "a{0}", "(a?)*", "\\", "x{3,2}", "(a{100}){100}"}) {
    EXPECT_FALSE(SimplePattern::compile(pattern)) << pattern;
  }
  EXPECT_FALSE(SimplePattern::compile(std::string(600, 'a')));
  EXPECT_FALSE(SimplePattern::compile(std::string(200, '(') + "a" + std::string(200, ')')));
}

TEST(SimplePattern, TakesTimeInProportionToTheText) {
  std::optional<SimplePattern> pattern = SimplePattern::compile("^(a|a)*(a|aa)*(b|ab)*c$");
  ASSERT_TRUE(pattern);
  EXPECT_FALSE(pattern->matches(std::string(1 << 20, 'a')));
}

}  // namespace
}  // namespace opm::cue::eval
