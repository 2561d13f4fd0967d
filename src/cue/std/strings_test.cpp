#include "cue/std/evaluate_fixture.h"

namespace opm::cue::standard {
namespace {

TEST(Strings, Search) {
  expect_all({"strings"}, {
    {R"(strings.Contains("seafood", "foo"))", "true"},
    {R"(strings.Contains("seafood", ""))", "true"},
    {R"(strings.ContainsAny("köln", "xö"))", "true"},
    {R"(strings.Count("cheese", "e"))", "3"},
    {R"(strings.Count("fünf", ""))", "5"},
    {R"(strings.Index("chicken", "ken"))", "4"},
    {R"(strings.Index("chicken", "dmr"))", "-1"},
    {R"(strings.LastIndex("go gopher", "go"))", "3"},
    {R"(strings.IndexAny("golang", "gy"))", "0"},
    {R"(strings.IndexAny("aäo", "ä"))", "1"},
    {R"(strings.LastIndexAny("golang", "lo"))", "2"},
    {R"(strings.LastIndexAny("aäoä", "ä"))", "4"},
    {R"(strings.Compare("a", "b"))", "-1"},
    {R"(strings.HasPrefix("prefix", "pre"))", "true"},
    {R"(strings.HasSuffix("prefix", "pre"))", "false"},
  });
}

TEST(Strings, Split) {
  expect_all({"strings"}, {
    {R"(strings.Split("a,b,c", ","))", R"(["a","b","c"])"},
    {R"(strings.Split("añb", ""))", R"(["a","ñ","b"])"},
    {R"(strings.Split("", ","))", R"([""])"},
    {R"(strings.SplitN("a,b,c", ",", 2))", R"(["a","b,c"])"},
    {R"(strings.SplitN("a,b,c", ",", 0))", "[]"},
    {R"(strings.SplitN("abc", "", 2))", R"(["a","bc"])"},
    {R"(strings.SplitAfter("a,b,c", ","))", R"(["a,","b,","c"])"},
    {R"(strings.SplitAfterN("a,b,c", ",", 2))", R"(["a,","b,c"])"},
    {R"(strings.Fields("  foo\tbar\u00a0baz \n"))", R"(["foo","bar","baz"])"},
    {R"(strings.Join(["a", "b"], ", "))", R"("a, b")"},
    {R"(strings.Join([], ", "))", R"("")"},
    {R"(strings.Join([1], ", "))",
     "error: error in call to strings.Join: invalid list element 0 in argument 0 to call: cannot use value 1 (int) as string"},
  });
}

TEST(Strings, Change) {
  expect_all({"strings"}, {
    {R"(strings.ToUpper("straße é"))", R"("STRAßE É")"},
    {R"(strings.ToLower("ÀÉ Σ"))", R"("àé σ")"},
    {R"(strings.ToTitle("alpha beta\tgamma"))", R"("Alpha Beta\tGamma")"},
    {R"(strings.ToCamel("AlphaBeta Gamma"))", R"("alphaBeta gamma")"},
    {R"(strings.Trim("xxhixyx", "xy"))", R"("hi")"},
    {R"(strings.TrimLeft("éèhié", "éè"))", R"("hié")"},
    {R"(strings.TrimRight("éhiéè", "éè"))", R"("éhi")"},
    {R"(strings.TrimSpace("\t hi \u2003\n"))", R"("hi")"},
    {R"(strings.TrimPrefix("foobar", "foo"))", R"("bar")"},
    {R"(strings.TrimSuffix("foobar", "foo"))", R"("foobar")"},
    {R"(strings.Replace("oink oink oink", "k", "ky", 2))", R"("oinky oinky oink")"},
    {R"(strings.Replace("oink", "", "-", -1))", R"("-o-i-n-k-")"},
    {R"(strings.Replace("añb", "", "-", 2))", R"("-a-ñb")"},
    {R"(strings.Repeat("ab", 3))", R"("ababab")"},
    {R"(strings.Repeat("ab", -1))", "error: error in call to strings.Repeat: negative count"},
    {R"(strings.Repeat("a", 1000001))", "error: error in call to strings.Repeat: count 1000001 exceeds limit of 1000000"},
  });
}

TEST(Strings, BytesAndCharacters) {
  expect_all({"strings"}, {
    {R"(strings.ByteAt("hello", 1))", "101"},
    {R"(strings.ByteAt('\xff', 0))", "255"},
    {R"(strings.ByteAt("hello", 5))", "error: error in call to strings.ByteAt: index out of range"},
    {R"(strings.ByteSlice("Hello", 2, 5))", "'llo'"},
    {R"(strings.ByteSlice("Hello", 3, 2))", "error: error in call to strings.ByteSlice: index out of range"},
    {R"(strings.Runes("Café"))", "[67,97,102,233]"},
    {R"(strings.SliceRunes("✓ Hello", 0, 3))", R"("✓ H")"},
    {R"(strings.SliceRunes("✓", 1, 1))", R"("")"},
    {R"(strings.SliceRunes("✓", 0, 2))", "error: error in call to strings.SliceRunes: index out of range"},
  });
}

TEST(Strings, Validators) {
  expect_all({"strings"}, {
    {R"(strings.MinRunes(3) & "höö")", R"("höö")"},
    {R"(strings.MinRunes(4) & "höö")", R"(error: invalid value "höö" (does not satisfy strings.MinRunes(4)))"},
    {R"(strings.MaxRunes(2) & "abc")", R"(error: invalid value "abc" (does not satisfy strings.MaxRunes(2)))"},
    {R"(strings.HasPrefix("a") & "abc")", R"("abc")"},
    {R"(strings.Contains("z") & "abc")", R"(error: invalid value "abc" (does not satisfy strings.Contains("z")))"},
  });
}

TEST(Strings, WrongArguments) {
  expect_all({"strings"}, {
    {"strings.ToUpper(1)", "error: cannot use 1 (type int) as string in argument 1 to strings.ToUpper"},
    {R"(strings.ToUpper("a", "b"))", "error: too many arguments in call to strings.ToUpper (have 2, want 1)"},
    {R"(strings.Replace("a"))", "error: not enough arguments in call to strings.Replace (have 1, want 4)"},
  });
}

}  // namespace
}  // namespace opm::cue::standard
