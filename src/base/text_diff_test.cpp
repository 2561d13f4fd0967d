#include "base/text_diff.h"

#include <gtest/gtest.h>

namespace opm::base {
namespace {

TEST(TextDiff, SameTextsDoNotDiffer) { EXPECT_EQ(unified_diff("a", "x\n", "b", "x\n"), ""); }

TEST(TextDiff, ShowsWhatChangedWithThreeLinesAround) {
  EXPECT_EQ(unified_diff("a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "b", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
            "diff a b\n--- a\n+++ b\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST(TextDiff, ChangesFarApartAreChunksOfTheirOwn) {
  std::string before = "a\n1\n2\n3\n4\n5\n6\n7\n8\nb\n", after = "A\n1\n2\n3\n4\n5\n6\n7\n8\nB\n";
  EXPECT_EQ(unified_diff("x", before, "y", after),
            "diff x y\n--- x\n+++ y\n@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -7,4 +7,4 @@\n 6\n 7\n 8\n-b\n+B\n");
}

TEST(TextDiff, TellsOfAMissingLineBreakAndOfEmptyTexts) {
  EXPECT_EQ(unified_diff("x", "a", "y", "a\n"),
            "diff x y\n--- x\n+++ y\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n");
  EXPECT_EQ(unified_diff("x", "", "y", "a\n"), "diff x y\n--- x\n+++ y\n@@ -0,0 +1,1 @@\n+a\n");
}

TEST(TextDiff, LinesThatMovedAreTakenOutAndPutIn) {
  EXPECT_EQ(unified_diff("x", "a\nb\nc\n", "y", "b\nc\na\n"),
            "diff x y\n--- x\n+++ y\n@@ -1,3 +1,3 @@\n-a\n b\n c\n+a\n");
}

}  // namespace
}  // namespace opm::base
