#include "cue/compile/same_expression.h"

#include "cue/compile/compile_fixture.h"

namespace opm::cue::compile {
namespace {

class SameExpressionTest : public CompileTest {
 protected:
  // Whether the first field of the file says what the last one says.
  bool same(const std::string& text) {
    const StructExpression* literal = file(text);
    return literal != nullptr && says_the_same(*literal->fields.front()->value, *literal->fields.back()->value);
  }
};

TEST_F(SameExpressionTest, ConstantsSayTheSameWhereTheyAreWrittenAlike) {
  EXPECT_TRUE(same(R"cue(a: 1 | "b" | null | true | 'c' | _, b: 1|"b"|null|true|'c'|_)cue"));
  EXPECT_TRUE(same(R"cue(a: *(>1 & int) | !="b" | -1, b: *(>1 & int) | !="b" | -1)cue"));
}

TEST_F(SameExpressionTest, OthersDoNot) {
  EXPECT_FALSE(same(R"cue(a: 1, b: 2)cue"));
  EXPECT_FALSE(same(R"cue(a: 1, b: 1.0)cue"));
  EXPECT_FALSE(same(R"cue(a: "1", b: '1')cue"));
  EXPECT_FALSE(same(R"cue(a: 1 | 2, b: 1 | *2)cue"));
  EXPECT_FALSE(same(R"cue(a: 1 | 2, b: 1 | 2 | 3)cue"));
  EXPECT_FALSE(same(R"cue(a: >1, b: >=1)cue"));
}

TEST_F(SameExpressionTest, ReferencesAndWhatHasPartsNeverDo) {
  EXPECT_FALSE(same(R"cue(a: c, c: 1, b: c)cue"));
  EXPECT_FALSE(same(R"cue(a: 1 | c, c: 1, b: 1 | c)cue"));
  EXPECT_FALSE(same(R"cue(a: "\(c)", c: 1, b: "\(c)")cue"));
  EXPECT_FALSE(same(R"cue(a: len("c"), b: len("c"))cue"));
  EXPECT_FALSE(same(R"cue(a: {c: 1}, b: {c: 1})cue"));
  EXPECT_FALSE(same(R"cue(a: [1], b: [1])cue"));
}

}  // namespace
}  // namespace opm::cue::compile
