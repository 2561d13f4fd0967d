// Comments in all the places where people put them.
#include <gtest/gtest.h>

#include "cue/syntax/format_testing.h"

namespace opm::cue::syntax {
namespace {

using namespace testing;

TEST(FormatComments, CommentsStandInAColumn) {
  expect_format(R"cue(
a: 1 // one
longer: "x" // two
b: 2
c: 3 // four
)cue",
  R"cue(
a:      1   // one
longer: "x" // two
b:      2
c:      3 // four
)cue");
}

TEST(FormatComments, DocComments) {
  expect_format(R"cue(
// the file

// about a
// more about a
a: 1


// about b
b: 2
// free

c: 3
)cue",
  R"cue(
// the file

// about a
// more about a
a: 1

// about b
b: 2
// free

c: 3
)cue");
}

TEST(FormatComments, CommentsInStructs) {
  expect_format(R"cue(
a: {
// first
b: 1

// second
c: 2
// last
}
)cue",
  R"cue(
a: {
	// first
	b: 1

	// second
	c: 2
	// last
}
)cue");
}

TEST(FormatComments, CommentBehindBrace) {
  expect_format(R"cue(
a: { // why
  b: 1
}
)cue",
  R"cue(
a: {// why
	b: 1
}
)cue");
}

TEST(FormatComments, ListComments) {
  expect_format(R"cue(
a: [
// first
1, // one
2 // two
// last
]
)cue",
  R"cue(
a: [
	// first
	1, // one
	2, // two

	// last
]
)cue");
}

TEST(FormatComments, CommentsAtTheEnd) {
  expect_unchanged(R"cue(
a: 1

// bye
)cue");
}

TEST(FormatComments, OnlyComments) {
  expect_unchanged(R"cue(
// one

// two
)cue");
}

TEST(FormatComments, CommentsBetweenDeclarations) {
  expect_format(R"cue(
a: 1
// loose

// about b
b: 2
#D: 1
// about c
c: 3
)cue",
  R"cue(
a: 1
// loose

// about b
b:  2
#D: 1

// about c
c: 3
)cue");
}

TEST(FormatComments, ClosingComments) {
  expect_format(R"cue(
a: {
  b: 1
  // end
} // after
c: [
  1,
  // end
] // after
)cue",
  R"cue(
a: {
	b: 1
	// end
} // after
c: [
	1,
	// end
] // after
)cue");
}

TEST(FormatComments, ACommentBehindAnImportStaysBehindIt) {
  expect_unchanged(R"cue(
import "list" // why

// about a
a: list.Max([1])
)cue");
}

// As CUE does it: teams that use both would otherwise change files back and forth.
TEST(FormatComments, ACommentBelowAnImportIsDrawnToIt) {
  EXPECT_EQ(formatted("import \"list\"\n\n// about all\n\na: 1\n"), "import ( \"list\"\n\n\t// about all\n)\n\na: 1\n");
  expect_unchanged("import ( \"list\"\n\n\t// about all\n)\n\na: 1\n");
}

TEST(FormatComments, CommentsBehindTheTypeOfAListStandBehindTheComma) {
  expect_format("a: [\n\t...int // all\n]\n", "a: [\n\t...int, // all\n]\n");
}

TEST(FormatComments, BehindOperatorsStayWhereTheyAre) {
  expect_unchanged(R"cue(
x: "a" | // first
	"b" | // second
	"c"
)cue");
}

// Where a comment stands before a token that can't begin a line, it goes behind that token.
TEST(FormatComments, DoNotPartWhatBelongsToALine) {
  EXPECT_EQ(formatted("x: #A | { // c\n}\n"), "x: #A | // c\n\t{}\n");
  EXPECT_EQ(formatted("x: (#A & { // c\n}).y\n"), "x: (#A & // c\n\t\t{}).y\n");
  EXPECT_EQ(formatted("x: [for k, // c\n v in y {k}]\n"), "x: [for k,\n\tv in y // c\n\t{k}]\n");
  EXPECT_EQ(formatted("a: 1 + b. // c\n c + 4\n"), "a: 1 + b.\n\tc + // c\n\t4\n");
}

TEST(FormatComments, AnAttributeStaysWithItsField) {
  EXPECT_EQ(formatted("a: b & // c\n c @x()\nd: 2\n"), "a: b &\n\tc @x() // c\nd: 2\n");
}

TEST(FormatComments, InsideTheTypeOfAList) { expect_unchanged("a: [...{// c\n}]\n"); }

}  // namespace
}  // namespace opm::cue::syntax
