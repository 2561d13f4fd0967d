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

TEST(SourceMap, ReadsTextsWhenSomebodyAsks) {
  SourceMap map;
  map.add("before.cue", "x");
  std::vector<std::size_t> asked;
  std::vector<const Source*> added = map.add_unread({{"a.cue", 4}, {"empty.cue", 0}, {"b.cue", 8}}, [&](std::size_t source) {
    asked.push_back(source);
    return std::string(source == 0 ? "a\nb\n" : "one\ntwo\n");
  });
  ASSERT_EQ(added.size(), 3u);
  const Source* after = map.add("after.cue", "y");
  EXPECT_EQ(added[1]->begin.value, added[0]->begin.value + 5);
  EXPECT_EQ(show(map, after->begin), "after.cue:1:1");
  EXPECT_EQ(show(map, added[1]->begin), "empty.cue:1:1");
  EXPECT_TRUE(asked.empty());
  EXPECT_EQ(show(map, added[2]->begin.plus(5)), "b.cue:2:2");
  EXPECT_EQ(map.line_text(added[2]->begin.plus(5)), "two");
  EXPECT_EQ(map.find(added[2]->begin)->text, "one\ntwo\n");
  EXPECT_EQ(asked, std::vector<std::size_t>{2});
  EXPECT_EQ(map.find(added[0]->begin)->text, "a\nb\n");
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
