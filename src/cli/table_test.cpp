#include "cli/table.h"

#include <gtest/gtest.h>

namespace opm::cli {
namespace {

TEST(Table, ColumnsLineUpAndLinesEndWithText) {
  EXPECT_EQ(format_table({{"NAME", "STATE"}, {"web", "ok"}, {"a-long-name", ""}}),
            "NAME         STATE\nweb          ok\na-long-name\n");
}

TEST(Table, WidthsAreCountedInCharacters) {
  EXPECT_EQ(format_table({{"größe", "x"}, {"a", "y"}}), "größe  x\na      y\n");
}

}  // namespace
}  // namespace opm::cli
