#include "lsp/cursor.h"

#include <gtest/gtest.h>

#include "lsp/analysis.h"

namespace opm::lsp {
namespace {

// What stands where the bar is: the kind, a colon and the path.
std::string at(std::string text) {
  std::size_t bar = text.find('|');
  text.erase(bar, 1);
  ParsedText parsed(text);
  Cursor cursor = cursor_at(parsed, bar);
  const char* kinds[] = {"nothing", "label", "reference", "member", "import", "literal", "package"};
  return std::string(kinds[static_cast<int>(cursor.kind)]) + ":" + (cursor.path ? cursor.path->text() : "?");
}

TEST(Cursor, KnowsThePathOfAField) {
  EXPECT_EQ(at("a: b: c|: 1"), "label:a.b.c");
  EXPECT_EQ(at("a: {b: {\"x-y\": |foo}}"), "reference:a.b.\"x-y\"");
  EXPECT_EQ(at("#D: _h: [1, {n|: 2}]"), "label:#D._h[1].n");
  EXPECT_EQ(at("a: #D & {b|: 1}"), "label:a.b");
  EXPECT_EQ(at("a: close({b|: 1})"), "label:a.b");
  EXPECT_EQ(at("if x {a: b|: 1}"), "label:a.b");
  EXPECT_EQ(at("a: *{b|: 1} | string"), "label:a.b");
  EXPECT_EQ(at("X=a: b|: 1"), "label:a.b");
}

TEST(Cursor, KnowsWhatHasNoPath) {
  EXPECT_EQ(at("[string]: b|: 1"), "label:?");
  EXPECT_EQ(at("(x): b|: 1"), "label:?");
  EXPECT_EQ(at("a: f({b|: 1})"), "label:?");
  EXPECT_EQ(at("let x = {b|: 1}"), "label:?");
  EXPECT_EQ(at("a: [for x in y {b|: 1}]"), "label:?");
  EXPECT_EQ(at("a: 1 + |b"), "reference:?");
}

TEST(Cursor, TellsReferencesFromMembers) {
  EXPECT_EQ(at("a: b|.c"), "reference:?");
  EXPECT_EQ(at("a: b.c|"), "member:a");
  EXPECT_EQ(at("a: b.c|.d"), "member:?");
  EXPECT_EQ(at("a: \"x \\(b|)\""), "reference:?");
  EXPECT_EQ(at("import \"str|ings\""), "import:?");
  EXPECT_EQ(at("pack|age x"), "package:?");
  EXPECT_EQ(at("a: \"te|xt\""), "literal:a");
}

TEST(Cursor, FindsItsWayInBrokenText) {
  EXPECT_EQ(at("a: {b: {c|"), "reference:a.b");
  EXPECT_EQ(at("a: {\n\tb: \n\tc|: 1\n}"),
            "label:a.b.c");  // as the parser has it: the value may stand on the next line
  EXPECT_EQ(at("x: }\na: b|: 1"), "nothing:?");
  EXPECT_EQ(at("|"), "nothing:?");
}

TEST(Mending, LeavesOutWhatIsWrong) {
  EXPECT_EQ(mended("a: foo.b\n", 3, "reference-not-found"), "a: _  .b\n");
  EXPECT_EQ(mended("a: 1\nb: 1 2\nc: 3\n", 10, "syntax"), "a: 1\n      \nc: 3\n");
  EXPECT_EQ(mended("a: {\n\tb: \n}\n", 9, "syntax"), "a: {\n    \n}\n");
  EXPECT_EQ(mended("a: {b: [\n", 9, "syntax"), "a: {b: [\n\n]}\n");
  EXPECT_EQ(mended("x y {\n}\n", 2, "syntax"), "    {\n}\n");
  EXPECT_EQ(mended("}\n", 0, "syntax"), std::nullopt);
  EXPECT_EQ(mended("", 0, "syntax"), std::nullopt);
  EXPECT_EQ(mended("", 7, "reference-not-found"), std::nullopt);
}

}  // namespace
}  // namespace opm::lsp
