#include "cue/std/evaluate_fixture.h"

namespace opm::cue::standard {
namespace {

TEST(Html, Escape) {
  expect_all({"html"}, {
    {R"(html.Escape("<a href='x'>&\"</a>"))", R"("&lt;a href=&#39;x&#39;&gt;&amp;&#34;&lt;/a&gt;")"},
    {R"(html.Escape("ä"))", R"("ä")"},
  });
}

TEST(Html, UnescapeNames) {
  expect_all({"html"}, {
    {R"(html.Unescape("&lt;&amp;&aacute;&quot;"))", R"("<&á\"")"},
    {R"(html.Unescape("&notin;|&notit;|&no;|&bogus;"))", R"("∉|¬it;|&no;|&bogus;")"},
    {R"(html.Unescape("&ltx &copycat &eacutexyz &LT &"))", R"("<x ©cat éxyz < &")"},
    {R"(html.Unescape("&NotEqualTilde;&fjlig;&;"))", R"("≂̸fj&;")"},
    {R"(html.Unescape("&amp;amp;"))", R"("&amp;")"},
  });
}

TEST(Html, UnescapeNumbers) {
  expect_all({"html"}, {
    {R"(html.Unescape("&#225;&#xE1;&#X41;&#65 66"))", R"("ááAA 66")"},
    {R"(html.Unescape("&#0;&#xD800;&#x110000;&#99999999999;&#x;"))", R"("�����")"},
    {R"(html.Unescape("&#x80;&#150;"))", R"("€–")"},
    {R"(html.Unescape("&#5|&#;|&#xzz;|&#"))", R"("&#5|&#;|&#xzz;|&#")"},
  });
}

TEST(Toml, BothWays) {
  expect_all({"encoding/toml"}, {
    {R"(toml.Marshal({b: 1, c: d: "x", e: [1, 2], n: null}))", R"("b = 1\ne = [1, 2]\n\n[c]\nd = 'x'\n")"},
    {R"(toml.Unmarshal("a = 1\n[b]\nc = 'x'\nd = 1979-05-27\n"))", R"({a:1,b:{c:"x",d:"1979-05-27"}})"},
    {R"(toml.Unmarshal('a = 1.5'))", "{a:1.5}"},
    {R"(toml.Unmarshal(""))", "{}"},
    {R"(toml.Marshal([1, null]))", "error: error in call to encoding/toml.Marshal: TOML has no null"},
    {R"(toml.Unmarshal("a = 1\na = 2"))", "error: error in call to encoding/toml.Unmarshal: duplicate key: a"},
  });
}

}  // namespace
}  // namespace opm::cue::standard
