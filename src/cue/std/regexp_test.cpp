#include "cue/std/evaluate_fixture.h"

namespace opm::cue::standard {
namespace {

TEST(Regexp, Find) {
  expect_all({"regexp"}, {
    {R"cue(regexp.Find(#"f\w\w"#, "afoot"))cue", R"cue("foo")cue"},
    {R"cue(regexp.Find("x", "afoot"))cue", "error: error in call to regexp.Find: no match"},
    {R"cue(regexp.FindAll("o", "foo boo", 3))cue", R"cue(["o","o","o"])cue"},
    {R"cue(regexp.FindAll("a*", "baab", -1))cue", R"cue(["","aa",""])cue"},
    {R"cue(regexp.FindAll("x*", "héx", -1))cue", R"cue(["","","x"])cue"},
    {R"cue(regexp.FindSubmatch(#"(\w)(x)?"#, "ab"))cue", R"cue(["a","a",""])cue"},
    {R"cue(regexp.FindAllSubmatch(#"a(\d)"#, "a1a2", -1))cue", R"cue([["a1","1"],["a2","2"]])cue"},
    {R"cue(regexp.FindNamedSubmatch("(?P<b>.)(?<a>.)", "xy"))cue", R"cue({a:"y",b:"x"})cue"},
    {R"cue(regexp.FindAllNamedSubmatch(#"(?P<d>\d)"#, "12", 1))cue", R"cue([{d:"1"}])cue"},
  });
}

TEST(Regexp, Replace) {
  expect_all({"regexp"}, {
    {R"cue(regexp.ReplaceAll(#"(\w)(\w)"#, "abcd", "$2$1"))cue", R"cue("badc")cue"},
    {R"cue(regexp.ReplaceAll(#"(?P<n>a)"#, "abab", "<${n}>"))cue", R"cue("<a>b<a>b")cue"},
    {R"cue(regexp.ReplaceAll("a", "ab", "$1x"))cue", R"cue("b")cue"},
    {R"cue(regexp.ReplaceAll("a", "ab", "$$"))cue", R"cue("$b")cue"},
    {R"cue(regexp.ReplaceAll("a", "ab", "${"))cue", R"cue("${b")cue"},
    {R"cue(regexp.ReplaceAll("", "ab", "-"))cue", R"cue("-a-b-")cue"},
    {R"cue(regexp.ReplaceAllLiteral("a(x*)b", "-ab-axxb-", "$1"))cue", R"cue("-$1-$1-")cue"},
    {R"cue(regexp.QuoteMeta("a.b[c]-$"))cue", R"cue("a\\.b\\[c\\]-\\$")cue"},
  });
}

TEST(Regexp, MatchAndValid) {
  expect_all({"regexp"}, {
    {R"cue(regexp.Match("^a.c$", "abc"))cue", "true"},
    {R"cue(regexp.Match("(?i)ABC", "xabcx"))cue", "true"},
    {R"cue("abc" & regexp.Valid)cue", R"cue("abc")cue"},
    {R"cue(regexp.Valid("a)"))cue", "error: error in call to regexp.Valid: error parsing regexp: unexpected ): `a)`"},
    {R"cue(regexp.Valid("(a"))cue", "error: error in call to regexp.Valid: error parsing regexp: missing closing ): `(a`"},
    {R"cue(regexp.Valid("[a"))cue", "error: error in call to regexp.Valid: error parsing regexp: missing closing ]: `[a`"},
    {R"cue(regexp.Valid("a**"))cue", "error: error in call to regexp.Valid: error parsing regexp: invalid nested repetition operator: `**`"},
    {R"cue(regexp.Valid("*a"))cue", "error: error in call to regexp.Valid: error parsing regexp: missing argument to repetition operator: `*`"},
    {R"cue(regexp.Valid("a{1001}"))cue", "error: error in call to regexp.Valid: error parsing regexp: invalid repeat count: `{1001}`"},
    {R"cue(regexp.Valid("[z-a]"))cue", "error: error in call to regexp.Valid: error parsing regexp: invalid character class range: `z-a`"},
    {R"cue(regexp.Valid(#"\C"#))cue", "error: error in call to regexp.Valid: error parsing regexp: invalid escape sequence: `\\C`"},
    {R"cue(regexp.Valid("(?=a)"))cue", "error: error in call to regexp.Valid: error parsing regexp: invalid or unsupported Perl syntax: `(?=`"},
    {R"cue(regexp.Valid("a\\"))cue", "error: error in call to regexp.Valid: error parsing regexp: trailing backslash at end of expression: ``"},
  });
}

}  // namespace
}  // namespace opm::cue::standard
