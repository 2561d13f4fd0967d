#include "cue/load/glob.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opm::cue::load {
namespace {

using ::testing::ElementsAre;

TEST(Glob, MatchesOneElement) {
  EXPECT_TRUE(matches_glob("*.json", "a.json"));
  EXPECT_TRUE(matches_glob("a*b*c", "aXbXbc"));
  EXPECT_FALSE(matches_glob("a*b*c", "aXbX"));
  EXPECT_TRUE(matches_glob("?.txt", "\xC3\xA9.txt"));
  EXPECT_TRUE(matches_glob("[a-c]x", "bx"));
  EXPECT_FALSE(matches_glob("[^a-c]x", "bx"));
  EXPECT_TRUE(matches_glob("\\*", "*"));
  EXPECT_FALSE(matches_glob("\\*", "x"));
  EXPECT_FALSE(matches_glob("a", "ab"));
}

TEST(Glob, ManyStarsDoNotTakeForEver) {
  std::string pattern;
  for (int i = 0; i < 50; ++i) pattern += "*a";
  EXPECT_FALSE(matches_glob(pattern + "b", std::string(5000, 'a')));
}

TEST(Glob, BadPatternsAreRefused) {
  EXPECT_TRUE(check_glob("x/[a-z]*.json"));
  EXPECT_EQ(check_glob("x[").error(), "syntax error in pattern");
  EXPECT_EQ(check_glob("[]a]").error(), "syntax error in pattern");
  EXPECT_EQ(check_glob("x\\").error(), "syntax error in pattern");
  EXPECT_TRUE(check_glob("star/\\**"));
  EXPECT_EQ(check_glob("**/x").error(), "'**' is not supported in patterns as of yet");
}

TEST(Glob, FindsBelowAFolder) {
  base::MemoryFileSystem files{
      {"/m/x/b.json", ""}, {"/m/x/a.json", ""}, {"/m/x/.h.json", ""}, {"/m/.y/c.json", ""}, {"/m/d.json", ""}};
  EXPECT_THAT(find_glob(files, "/m", "*/*.json"), ElementsAre("x/a.json", "x/b.json"));
  EXPECT_THAT(find_glob(files, "/m", "x/.*"), ElementsAre("x/.h.json"));
  EXPECT_TRUE(find_glob(files, "/m", "nope/*").empty());
}

}  // namespace
}  // namespace opm::cue::load
