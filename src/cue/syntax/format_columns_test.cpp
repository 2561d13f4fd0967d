#include "cue/syntax/format_columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace opm::cue::syntax {
namespace {

// Writes rows: `|` is a stop, a line break ends a line, `~` ends a section, and what stands behind `^` is a line that is
// appended whole. Leading tabs are indentation.
std::string laid_out(std::string_view rows, std::size_t tab_width = 8) {
  ColumnWriter writer(16, tab_width);
  auto indent_at = [&](std::size_t i) {
    std::size_t indent = 0;
    while (i + indent < rows.size() && rows[i + indent] == '\t') ++indent;
    return indent;
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    switch (rows[i]) {
      case '|': writer.stop(); break;
      case '\n':
      case '~': {
        std::size_t indent = indent_at(i + 1);
        if (rows[i] == '~') {
          writer.end_section(indent, 0);
        } else {
          writer.end_line(indent);
        }
        i += indent;
        break;
      }
      case '^': {
        std::size_t indent = indent_at(i + 1);
        i += indent;
        std::string_view text = rows.substr(i + 1, rows.find_first_of("|\n~^", i + 1) - (i + 1));
        writer.append_line(indent, text);
        i += text.size();
        break;
      }
      default: writer.append(rows[i]);
    }
  }
  return writer.take();
}

TEST(ColumnWriter, PadsCellsOfNeighbouringLines) {
  EXPECT_EQ(laid_out("a|1\nlong|2\n"), "a    1\nlong 2\n");
  EXPECT_EQ(laid_out("a|1|x\nlong|22|y\n"), "a    1  x\nlong 22 y\n");
}

TEST(ColumnWriter, ALineWithoutTheCellPartsTheColumn) {
  EXPECT_EQ(laid_out("a|1\nb\nlong|2\n"), "a 1\nb\nlong 2\n");
  EXPECT_EQ(laid_out("a|1|x\nb|2\nlong|333|y\n"), "a    1 x\nb    2\nlong 333 y\n");
}

TEST(ColumnWriter, SectionsHaveTheirOwnColumns) { EXPECT_EQ(laid_out("a|1~long|2\n"), "a 1\nlong 2\n"); }

TEST(ColumnWriter, CountsCharactersNotBytes) { EXPECT_EQ(laid_out("żó|1\nabc|2\n"), "żó  1\nabc 2\n"); }

TEST(ColumnWriter, DropsColumnsThatAreEmptyThroughout) {
  EXPECT_EQ(laid_out("a||x\nlong||y\n"), "a    x\nlong y\n");
  EXPECT_EQ(laid_out("a||x\nlong|b|y\n"), "a      x\nlong b y\n");
}

TEST(ColumnWriter, ALineByItselfHasABlankBehindEachCell) {
  EXPECT_EQ(laid_out("a|bb|ccc~\td||e|f~|g|h"), "a bb ccc\n\td e f\ng h");
  EXPECT_EQ(laid_out("a|1|x\nlong|2\nb\nc|d|e\n"), "a    1 x\nlong 2\nb\nc d e\n");
}

TEST(ColumnWriter, KeepsIndentation) {
  EXPECT_EQ(laid_out("a~\tb|1\n\tlong|2\n\t\tdeep|3~c"), "a\n\tb    1\n\tlong 2\n\t\tdeep 3\nc");
}

// A long cell above a deeper line widens the indentation, since both are the same column.
TEST(ColumnWriter, IndentationIsAColumn) {
  EXPECT_EQ(laid_out("x~\tverylongname|1\n\t\tb|2~"), "x\n\tverylongname 1\n\t\t\tb 2\n");
  EXPECT_EQ(laid_out("x~\tname|1\n\t\tb|2~", 4), "x\n\tname 1\n\t\t\tb 2\n");
}

// Whether lines are appended whole makes no difference.
TEST(ColumnWriter, AppendsLinesToTheColumns) {
  for (std::string_view rows : {"a|1^b^c\nlong|2\n", "a|1^b^c~long|2\n", "^a^b\n\tc|1^\td^\te\n\tlong|2~f^g",
                                "x~\tverylongname|1^\t\tb^\t\tc\n\t\td|2~", "x~\tverylongname|1^\t\tb^\t\tc^\td\n\te|2~",
                                "x~\tverylongname|1^\t\tb^\t\tc", "a|1\n\tb^\tc^\td|2^e^f|3\nlong|4"}) {
    std::string one_by_one(rows);
    std::ranges::replace(one_by_one, '^', '\n');
    EXPECT_EQ(laid_out(rows), laid_out(one_by_one)) << rows;
  }
  EXPECT_EQ(laid_out("x~\tverylongname|1^\t\tb^\t\tc~"), "x\n\tverylongname 1\n\t\t\tb\n\t\t\tc\n");
  EXPECT_EQ(laid_out("a^b^c|1\nlong|2"), "a\nb\nc    1\nlong 2");
}

}  // namespace
}  // namespace opm::cue::syntax
