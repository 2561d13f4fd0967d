#include "cue/std/evaluate_fixture.h"
#include "cue/std/text_template.h"

namespace opm::cue::standard {
namespace {

data::Value text(std::string value) {
  data::Value result;
  result.variant = std::move(value);
  return result;
}
data::Value number(std::string value, bool is_integer = true) {
  data::Value result;
  result.variant = data::NumberText{std::move(value), is_integer};
  return result;
}
data::Value list(std::vector<data::Value> values) {
  data::Value result;
  result.variant = data::List(std::move(values));
  return result;
}

data::Value sample() {
  data::Map map;
  map.push_back({"name", text("web"), {}});
  map.push_back({"ports", list({number("80"), number("443")}), {}});
  map.push_back({"ratio", number("0.5", false), {}});
  map.push_back({"empty", text(""), {}});
  data::Value result;
  result.variant = std::move(map);
  return result;
}

std::string run(std::string_view source) {
  auto result = execute_template(source, sample());
  return result ? *result : "error: " + result.error();
}

TEST(Template, PrintsValues) {
  EXPECT_EQ(run("{{.name}}-{{.ports}} {{.ratio}} {{.missing}}"), "web-[80 443] 0.5 <no value>");
  EXPECT_EQ(run("{{.}}"), "map[empty: name:web ports:[80 443] ratio:0.5]");
  EXPECT_EQ(run("a {{- /* nothing */ -}} b"), "ab");
  EXPECT_EQ(run("x  {{- .name -}}  y"), "xweby");
}

TEST(Template, Branches) {
  EXPECT_EQ(run("{{if .empty}}a{{else if .name}}b{{else}}c{{end}}"), "b");
  EXPECT_EQ(run("{{with .name}}<{{.}}>{{else}}none{{end}}{{with .empty}}x{{else}}none{{end}}"), "<web>none");
  EXPECT_EQ(run("{{range $i, $p := .ports}}{{if $i}},{{end}}{{$p}}{{end}}"), "80,443");
  EXPECT_EQ(run("{{range $k, $v := .}}{{$k}} {{end}}"), "empty name ports ratio ");
  EXPECT_EQ(run("{{range .ports}}{{if eq . 443}}{{break}}{{end}}{{.}}{{end}}"), "80");
  EXPECT_EQ(run("{{range .empty}}x{{end}}").substr(0, 6), "error:");
}

TEST(Template, VariablesFunctionsAndNamedTemplates) {
  EXPECT_EQ(run("{{$x := 1}}{{range .ports}}{{$x = .}}{{end}}{{$x}}"), "443");
  EXPECT_EQ(run("{{len .ports}} {{index .ports 1}} {{slice .name 1 2}} {{.name | printf \"%q %5d|%-4s|\" | html}}"),
            "2 443 e &#34;web&#34; %!d(MISSING)|%!s(MISSING)|");
  EXPECT_EQ(run("{{printf \"%05d %.2f %x %v\" 42 .ratio 255 .ports}}"), "00042 0.50 ff [80 443]");
  EXPECT_EQ(run("{{and .name .empty}}{{or .empty \"d\"}}{{not .empty}} {{lt 1 2}} {{eq .name \"a\" \"web\"}}"), "dtrue true true");
  EXPECT_EQ(run("{{define \"t\"}}[{{.}}]{{end}}{{template \"t\" .name}}{{block \"u\" 7}}({{.}}){{end}}"), "[web](7)");
  EXPECT_EQ(run("{{(index .ports 0)}} {{$.name}}"), "80 web");
}

TEST(Template, SaysWhatIsWrong) {
  EXPECT_EQ(run("{{.name"), "error: template: :1: unclosed action");
  EXPECT_EQ(run("{{nope 1}}"), "error: template: :1: function \"nope\" not defined");
  EXPECT_EQ(run("{{if .name}}x"), "error: template: :1: unexpected EOF");
  EXPECT_EQ(run("{{.name.first}}"), "error: template: :1: executing \"\" at <.first>: can't evaluate field first in type string");
  EXPECT_EQ(run("{{define \"t\"}}{{template \"t\" .}}{{end}}{{template \"t\" .}}").substr(0, 6), "error:");
  EXPECT_EQ(run(std::string(100'000, '(').insert(0, "{{")).substr(0, 6), "error:");
}

TEST(Template, InAConfiguration) {
  expect_all({"text/template"}, {
    {R"(template.Execute("{{.}}-{{.}}", "foo"))", R"("foo-foo")"},
    {R"(template.Execute("{{.a.b}}", {a: b: 1.50}))", R"("1.5")"},
  });
}

TEST(Tabwriter, Columns) {
  expect_all({"text/tabwriter"}, {
    {R"(tabwriter.Write("a\tb\tc\naaa\tbb\tvv"))", R"("a   b  c\naaa bb vv")"},
    {R"(tabwriter.Write(["a\tb", "ccc\td", "", "e\tf"]))", R"("a   b\nccc d\n\ne f\n")"},
    {R"(tabwriter.Write(["é\tx", "ab\ty"]))", R"("é  x\nab y\n")"},
  });
}

TEST(Csv, BothWays) {
  expect_all({"encoding/csv"}, {
    {R"(csv.Decode("1,2,3\n4,5,6"))", R"([["1","2","3"],["4","5","6"]])"},
    {R"(csv.Decode("a,\"b,\"\"c\"\"\"\r\n\r\nd,\"e\nf\""))", R"([["a","b,\"c\""],["d","e\nf"]])"},
    {R"(csv.Encode([[1, "x y", true], [" a", "q\"", "n\nm"]]))", R"("1,x y,true\n\" a\",\"q\"\"\",\"n\nm\"\n")"},
    {R"(csv.Decode("a,b\nc"))", "error: error in call to encoding/csv.Decode: record on line 2: wrong number of fields"},
    {R"(csv.Decode("a\"b"))", "error: error in call to encoding/csv.Decode: parse error on line 1, column 2: bare \" in non-quoted field"},
  });
}

}  // namespace
}  // namespace opm::cue::standard
