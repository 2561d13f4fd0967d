#include "cue/syntax/format_parts.h"

#include <gtest/gtest.h>

#include <string>

#include "base/arena.h"
#include "cue/syntax/format.h"
#include "cue/syntax/parser.h"
#include "diag/source.h"

namespace opm::cue::syntax {
namespace {

// The layout; empty if it cannot be parsed.
std::string laid_out(std::string_view text) {
  diag::Source source;
  source.text = std::string(text);
  source.begin = diag::Position{1};
  base::Arena arena;
  ParsedFile parsed = parse_file(arena, source);
  if (!parsed.errors.empty()) return "";
  FormatOptions options;
  options.source = &source;
  return format(*parsed.file, options);
}

std::string laid_out_in_parts(std::string_view text, std::size_t size) {
  std::string result;
  for (std::string_view part : parts_to_format(text, size)) {
    std::string piece = laid_out(part);
    if (piece.empty()) return "";
    if (!result.empty()) result += '\n';
    result += piece;
  }
  return result;
}

TEST(FormatParts, TogetherTheyAreTheWhole) {
  std::string text = "// about the file\n\npackage p\n\nimport \"strings\"\n\n#A: {\n  a:  1\n  bcd: 2 // x\n}\n\n";
  for (int i = 0; i < 20; ++i) {
    text += "// Of B" + std::to_string(i) + "\n// in two lines.\n#B" + std::to_string(i) +
            ": {\n  x: string @go(X)\n\n  // of y\n  yy:   #A\n}\n\n#C" + std::to_string(i) + ":  1 // c\n#D: 2\n\n";
  }
  std::string whole = laid_out(text);
  ASSERT_FALSE(whole.empty());
  EXPECT_GT(parts_to_format(text, 100).size(), 10u);
  for (std::size_t size : {1u, 50u, 100u, 333u, 1000u, 100000u}) EXPECT_EQ(laid_out_in_parts(text, size), whole) << size;
}

TEST(FormatParts, PartsAreTheTextInOrder) {
  std::string text = "#A: {\n}\n\n#B: {\n}\n\n// c\n#C: {\n}\n";
  std::vector<std::string_view> parts = parts_to_format(text, 1);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[1], "#B: {\n}\n\n");
  EXPECT_EQ(parts[2], "// c\n#C: {\n}\n");
}

TEST(FormatParts, CutsOnlyWhereADefinitionFollows) {
  for (const char* text : {"a: {\n}\n\nimport: 1\n", "a: {\n}\n\n// only a comment", "a: {\n}\n\n@x()\n", "a: {\n}\n\n// c\n\n#D: 1\n",
                           "@experiment(x)\na: {\n}\n\n#D: 1\n", ""}) {
    EXPECT_EQ(parts_to_format(text, 1).size(), 1u) << text;
  }
}

TEST(FormatParts, ACutInsideOfAStringOrAStructCannotBeParsed) {
  EXPECT_EQ(laid_out_in_parts("a: \"\"\"\n}\n\n#x\n\"\"\"\n", 1), "");
  EXPECT_EQ(laid_out_in_parts("a: {\nb: {\n}\n\n#c: 1\n}\n", 1), "");
}

}  // namespace
}  // namespace opm::cue::syntax
