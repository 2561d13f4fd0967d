#include "cue/std/evaluate_fixture.h"

namespace opm::cue::standard {
namespace {

TEST(Path, Unix) {
  expect_all({"path"}, {
    {R"(path.Clean("/a/./b//../c/"))", R"("/a/c")"},
    {R"(path.Clean("../../a"))", R"("../../a")"},
    {R"(path.Clean("/../a"))", R"("/a")"},
    {R"(path.Clean("a/.."))", R"(".")"},
    {R"(path.Clean(""))", R"(".")"},
    {R"(path.Join(["a", "", "../b", "/c"]))", R"("b/c")"},
    {R"(path.Join(["", ""]))", R"("")"},
    {R"(path.Split("a/b/c.go"))", R"(["a/b/","c.go"])"},
    {R"(path.SplitList("a:b::c", "unix"))", R"(["a","b","","c"])"},
    {R"(path.SplitList("", "linux"))", "[]"},
    {R"(path.Ext("a.b/c.tar.gz"))", R"(".gz")"},
    {R"(path.Ext("a.b/c"))", R"("")"},
    {R"(path.Base("/a/b//"))", R"("b")"},
    {R"(path.Base("///"))", R"("/")"},
    {R"(path.Base(""))", R"(".")"},
    {R"(path.Dir("/a/b/c"))", R"("/a/b")"},
    {R"(path.Dir("/a//"))", R"("/a")"},
    {R"(path.Dir("a"))", R"(".")"},
    {R"(path.IsAbs("/a"))", "true"},
    {R"(path.IsAbs("a"))", "false"},
    {R"(path.Resolve("a/b", "../c"))", R"("a/c")"},
    {R"(path.Resolve("a/b", "/c/"))", R"("/c")"},
    {R"(path.Rel("a/b", "a/c/d"))", R"("../c/d")"},
    {R"(path.Rel("/", "/a"))", R"("a")"},
    {R"(path.Rel("a", "a/"))", R"(".")"},
    {R"(path.Rel("..", "a"))", "error: error in call to path.Rel: Rel: can't make a relative to .."},
    {R"(path.Rel("/a", "b"))", "error: error in call to path.Rel: Rel: can't make b relative to /a"},
    {R"(path.VolumeName("c:/foo", "unix"))", R"("")"},
  });
}

TEST(Path, Windows) {
  expect_all({"path"}, {
    {R"(path.Clean(#"c:\a\..\..\b/c"#, "windows"))", R"("c:\\b\\c")"},
    {R"(path.Clean("c:", "windows"))", R"("c:.")"},
    {R"(path.Clean("//host/share", "windows"))", R"("\\\\host\\share")"},
    {R"(path.Join(["C:", "a", "b"], "windows"))", R"("C:a\\b")"},
    {R"(path.Join(["//", "a", "b"], "windows"))", R"("\\a\\b")"},
    {R"(path.Join(["\\", "\\a\\b"], "windows"))", R"("\\a\\b")"},
    {R"(path.SplitList(#"a;"b;c";d"#, "windows"))", R"(["a","b;c","d"])"},
    {R"(path.VolumeName(#"\\host\share\foo"#))", R"("\\\\host\\share")"},
    {R"(path.IsAbs("NUL", "windows"))", "true"},
    {R"(path.IsAbs("c:a", "windows"))", "false"},
    {R"(path.IsAbs(#"c:\a"#, "windows"))", "true"},
    {R"(path.ToSlash(#"a\b/c"#, "windows"))", R"("a/b/c")"},
    {R"(path.FromSlash("a/b", "windows"))", R"("a\\b")"},
    {R"(path.Dir(#"\\host\share\a"#, "windows"))", R"("\\\\host\\share\\")"},
    {R"(path.Base(#"c:\"#, "windows"))", R"("\\")"},
    {R"(path.Rel(#"C:\A\b"#, #"c:\a\c"#, "windows"))", R"("..\\c")"},
    {R"(path.IsAbs("#s", path.Plan9))", "true"},
  });
}

TEST(Path, Match) {
  expect_all({"path"}, {
    {R"(path.Match("*.go", "a.go"))", "true"},
    {R"(path.Match("*.go", "a/b.go"))", "false"},
    {R"(path.Match("a?c", "abc"))", "true"},
    {R"(path.Match("a?c", "a/c"))", "false"},
    {R"(path.Match("[a-cx]*[^0-9]", "b12z"))", "true"},
    {R"(path.Match("[^a]b", "ab"))", "false"},
    {R"(path.Match("a\\*", "a*"))", "true"},
    {R"(path.Match("ä[ö-ü]", "äü"))", "true"},
    {R"(path.Match("a*b*c", "axbybzc"))", "true"},
    {R"(path.Match("a*b*c", "axbyb"))", "false"},
    {R"(path.Match("*x", "xxx"))", "true"},
    {R"(path.Match("", ""))", "true"},
    {R"(path.Match("[]a]", "]"))", "error: error in call to path.Match: syntax error in pattern"},
    {R"(path.Match("[a", "a"))", "error: error in call to path.Match: syntax error in pattern"},
    {R"(path.Match("a\\", "a"))", "error: error in call to path.Match: syntax error in pattern"},
    {R"(path.Match("x[", "a"))", "error: error in call to path.Match: syntax error in pattern"},
    {R"(path.Match("**", "a"))", "error: error in call to path.Match: '**' is not supported in patterns as of yet"},
  });
}

TEST(Path, UnknownSystem) {
  EXPECT_EQ(evaluate(R"(path.Join(["a"], "foo"))", {"path"}).substr(0, 46), R"(error: cannot use "foo" as *"unix" | "windows")");
}

}  // namespace
}  // namespace opm::cue::standard
