#include "cue/std/evaluate_fixture.h"

namespace opm::cue::standard {
namespace {

TEST(List, Parts) {
  expect_all({"list"}, {
    {"list.Drop([1, 2, 3, 4], 2)", "[3,4]"},
    {"list.Drop([1, 2], 10)", "[]"},
    {"list.Drop([1, 2], -1)", "error: error in call to list.Drop: negative index"},
    {"list.Take([1, 2, 3, 4], 2)", "[1,2]"},
    {"list.Take([1, 2], 10)", "[1,2]"},
    {"list.Slice([1, 2, 3, 4], 1, 3)", "[2,3]"},
    {"list.Slice([1, 2, 3, 4], 3, 1)", "error: error in call to list.Slice: invalid index: 3 > 1"},
    {"list.Slice([1, 2, 3, 4], 1, 5)", "error: error in call to list.Slice: slice bounds out of range"},
    {"list.Reverse([1, \"a\", {b: 2}])", "[{b:2},\"a\",1]"},
  });
}

TEST(List, Whole) {
  expect_all({"list"}, {
    {"list.FlattenN([1, [[2, 3], []], [4]], -1)", "[1,2,3,4]"},
    {"list.FlattenN([1, [[2, 3], []], [4]], 0)", "[1,[[2,3],[]],[4]]"},
    {"list.FlattenN([1, [[2, 3], []], [4]], 1)", "[1,[2,3],[],4]"},
    {"list.FlattenN(\"foo\", 1)", "error: error in call to list.FlattenN: cannot use value \"foo\" (type string) as list"},
    {"list.Concat([[1], [2, 3], []])", "[1,2,3]"},
    {"list.Concat([1, [2]])", "error: error in call to list.Concat: cannot use value 1 (type int) as list"},
    {"list.Repeat([1, 2], 2)", "[1,2,1,2]"},
    {"list.Repeat([1], -1)", "error: error in call to list.Repeat: negative count"},
    {"list.Repeat([1], 2000000)", "error: error in call to list.Repeat: count 2000000 exceeds limit of 1000000"},
  });
}

TEST(List, Numbers) {
  expect_all({"list"}, {
    {"list.Avg([1, 2, 3, 4])", "2.5"},
    {"list.Avg([4, 8, 12])", "8"},
    {"list.Avg([1, 1, 2])", "1.333333333333333333333333333333333"},
    {"list.Avg([])", "error: error in call to list.Avg: empty list"},
    {"list.Max([1, 3.5, 2])", "3.5"},
    {"list.Max([1.0, 0.5])", "1"},
    {"list.Min([3, -1, 2])", "-1"},
    {"list.Min([])", "error: error in call to list.Min: empty list"},
    {"list.Sum([1, 2.5, 3])", "6.5"},
    {"list.Sum([0.5, 0.5])", "1"},
    {"list.Sum([])", "0"},
    {"list.Product([2, 3, 4])", "24"},
    {"list.Product([])", "1"},
    {"list.Sum([1, \"a\"])",
     "error: error in call to list.Sum: invalid list element 1 in argument 0 to call: cannot use value \"a\" (string) as number"},
    {"list.Range(0, 5, 2)", "[0,2,4]"},
    {"list.Range(0, 2, 0.5)", "[0,0.5,1,1.5]"},
    {"list.Range(3, 0, -1)", "[3,2,1]"},
    {"list.Range(0, 5, 0)", "error: error in call to list.Range: step must be non zero"},
    {"list.Range(5, 0, 1)", "error: error in call to list.Range: end must be greater than start when step is positive"},
    {"list.Range(0, 5, -1)", "error: error in call to list.Range: end must be less than start when step is negative"},
  });
}

TEST(List, RangesEnd) {
  EXPECT_EQ(evaluate("list.Range(0, 1e30, 1)", {"list"}), "error: error in call to list.Range: range of more than 1000000 elements");
}

TEST(List, Sort) {
  expect_all({"list"}, {
    {"list.Sort([2, 3, 1, 4], list.Ascending)", "[1,2,3,4]"},
    {"list.Sort([2, 3, 1, 4], list.Descending)", "[4,3,2,1]"},
    {"list.Sort([\"b\", \"a\"], list.Ascending)", "[\"a\",\"b\"]"},
    {"list.SortStable([{a: 2, v: 1}, {a: 1, v: 2}, {a: 1, v: 3}], {x: _, y: _, less: x.a < y.a})",
     "[{a:1,v:2},{a:1,v:3},{a:2,v:1}]"},
    {"list.Sort([], list.Ascending)", "[]"},
    {"list.SortStrings([\"b\", \"a\", \"c\"])", "[\"a\",\"b\",\"c\"]"},
    {"list.IsSorted([1, 2, 2], list.Ascending)", "true"},
    {"list.IsSorted([1, 3, 2], list.Ascending)", "false"},
    {"list.IsSortedStrings([\"a\", \"b\"])", "true"},
    {"list.IsSortedStrings([\"b\", \"a\"])", "false"},
  });
  EXPECT_EQ(evaluate("list.Sort([1, 2], {x: _, y: _})", {"list"}), "error: error in call to list.Sort: field not found: less");
}

TEST(List, Contents) {
  expect_all({"list"}, {
    {"list.Contains([1, {a: 2}], {a: 2})", "true"},
    {"list.Contains([1, 2], 3)", "false"},
    {"list.Contains([1.0], 1)", "false"},
    {"list.Contains([\"no\", \"no\" | *\"yes\"], \"yes\")", "true"},
    {"list.UniqueItems([1, 2, \"1\"])", "true"},
    {"list.UniqueItems([1, 2, 1])", "false"},
    {"list.UniqueItems([{a: 1}, {a: 1}])", "false"},
    {"list.UniqueItems([1, 1.0])", "true"},
    {"list.MinItems([1, 2], 2)", "true"},
    {"list.MinItems([1, 2], 3)", "false"},
    {"list.MaxItems([1, 2], 1)", "false"},
    {"list.MatchN([1, 2, \"a\"], 2, int)", "true"},
    {"list.MatchN([1, 2, \"a\"], >2, int)", "false"},
  });
}

TEST(List, Validators) {
  expect_all({"list"}, {
    {"[1, 2] & list.MinItems(2)", "[1,2]"},
    {"[1, 2] & list.MinItems(3)",
     "error: invalid value [1,2] (does not satisfy list.MinItems(3)): len(list) < MinItems(3) (2 < 3)"},
    {"[1, 2] & list.MaxItems(1)",
     "error: invalid value [1,2] (does not satisfy list.MaxItems(1)): len(list) > MaxItems(1) (2 > 1)"},
    {"[1, 2, 1] & list.UniqueItems()",
     "error: invalid value [1,2,1] (does not satisfy list.UniqueItems): equal value (1) at position 0 and 2"},
    {"[close({a: 1}), 2, close({a: 1})] & list.UniqueItems",
     "error: invalid value [{a:1},2,{a:1}] (does not satisfy list.UniqueItems): equal values at position 0 and 2"},
    {"[1, \"a\"] & list.MatchN(1, string)", "[1,\"a\"]"},
  });
  EXPECT_EQ(evaluate("[1, \"a\"] & list.MatchN(2, string)", {"list"}),
            "error: invalid value [1,\"a\"] (does not satisfy list.MatchN): string matches 1 list items, want 2");
}

TEST(List, LongListsStayQuick) {
  EXPECT_EQ(evaluate("list.UniqueItems([for i in list.Range(0, 20000, 1) {\"\\(i)\"}])", {"list"}), "true");
}

}  // namespace
}  // namespace opm::cue::standard
