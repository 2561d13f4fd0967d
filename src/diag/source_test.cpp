#include "diag/source.h"

#include <gtest/gtest.h>

namespace opm::diag {
namespace {

std::string show(const SourceMap& map, Position position) {
  Location at = map.locate(position);
  return std::string(at.file) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

TEST(SourceMap, LocatesInTheRightFile) {
  SourceMap map;
  const Source* a = map.add("a.cue", "one\ntwo\n\nfour");
  const Source* b = map.add("b.cue", "");
  const Source* c = map.add("c.cue", "x\r\nyz\n");
  ASSERT_TRUE(a && b && c);
  EXPECT_EQ(show(map, a->begin), "a.cue:1:1");
  EXPECT_EQ(show(map, a->begin.plus(3)), "a.cue:1:4");
  EXPECT_EQ(show(map, a->begin.plus(4)), "a.cue:2:1");
  EXPECT_EQ(show(map, a->begin.plus(8)), "a.cue:3:1");
  EXPECT_EQ(show(map, a->begin.plus(13)), "a.cue:4:5");
  EXPECT_EQ(show(map, b->begin), "b.cue:1:1");
  EXPECT_EQ(show(map, c->begin.plus(4)), "c.cue:2:2");
  EXPECT_EQ(map.find(c->begin.plus(2)), c);
  EXPECT_EQ(map.locate(c->begin.plus(4)).offset, 4u);
}

TEST(SourceMap, TheEndBehindALastLineBreakIsOnThatLine) {
  SourceMap map;
  const Source* source = map.add("a.cue", "a: {\n");
  EXPECT_EQ(show(map, source->begin.plus(5)), "a.cue:1:6");
}

TEST(SourceMap, NowhereIsNowhere) {
  SourceMap map;
  EXPECT_EQ(map.find(Position{}), nullptr);
  EXPECT_EQ(map.locate(Position{7}).line, 0u);
  const Source* source = map.add("a.cue", "x");
  EXPECT_EQ(map.find(source->begin.plus(2)), nullptr);
  EXPECT_EQ(map.line_text(Position{}), "");
}

TEST(SourceMap, GivesTheTextOfALine) {
  SourceMap map;
  const Source* source = map.add("a.cue", "one\r\ntwo\nlast");
  EXPECT_EQ(map.line_text(source->begin.plus(1)), "one");
  EXPECT_EQ(map.line_text(source->begin.plus(8)), "two");
  EXPECT_EQ(map.line_text(source->begin.plus(13)), "last");
}

}  // namespace
}  // namespace opm::diag
