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

class ThreeSources : public StoredSources {
 public:
  std::size_t count() const override { return 3; }
  Position begin(std::size_t source) const override { return first_of(15).plus(source == 0 ? 0 : source == 1 ? 5 : 6); }
  std::string_view path(std::size_t source) const override {
    return source == 0 ? "a.cue" : source == 1 ? "empty.cue" : "b.cue";
  }
  std::string text(std::size_t source) const override {
    asked.push_back(source);
    return source == 0 ? "a\nb\n" : source == 1 ? "" : "one\ntwo\n";
  }
  mutable std::vector<std::size_t> asked;
};

TEST(SourceMap, ReadsStoredTextsWhenSomebodyAsks) {
  ThreeSources stored;
  SourceMap map;
  EXPECT_EQ(map.find(stored.begin(0)), nullptr);
  map.add("before.cue", "x");
  ASSERT_TRUE(map.stand_on(stored));
  EXPECT_TRUE(map.stand_on(stored));
  const Source* after = map.add("after.cue", "y");
  EXPECT_EQ(show(map, after->begin), "after.cue:1:1");
  EXPECT_EQ(map.find(after->begin.plus(2)), nullptr);
  EXPECT_TRUE(stored.asked.empty());
  EXPECT_EQ(show(map, stored.begin(1)), "empty.cue:1:1");
  EXPECT_EQ(show(map, stored.begin(2).plus(5)), "b.cue:2:2");
  EXPECT_EQ(map.line_text(stored.begin(2).plus(5)), "two");
  EXPECT_EQ(map.find(stored.begin(2))->text, "one\ntwo\n");
  EXPECT_EQ(stored.asked, (std::vector<std::size_t>{1, 2}));
  const Source* first = map.find(stored.begin(0));
  EXPECT_EQ(first->text, "a\nb\n");
  EXPECT_EQ(map.find(stored.begin(0).plus(4)), first);
  EXPECT_LT(after->begin, first->begin);
}

TEST(SourceMap, StandsOnOneThing) {
  ThreeSources one, other;
  SourceMap map;
  ASSERT_TRUE(map.stand_on(one));
  EXPECT_FALSE(map.stand_on(other));
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
