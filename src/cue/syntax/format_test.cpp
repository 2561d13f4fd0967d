#include "cue/syntax/format.h"

#include <gtest/gtest.h>

#include "cue/syntax/format_testing.h"

namespace opm::cue::syntax {
namespace {

using namespace testing;

TEST(Format, ColumnsOfValues) {
  expect_format(R"cue(
replicas: 3
image: "nginx"
name?:    string
#Def!: int

after: 1
the_empty_line: 2
)cue",
  R"cue(
replicas: 3
image:    "nginx"
name?:    string
#Def!:    int

after:          1
the_empty_line: 2
)cue");
}

TEST(Format, StructsEndColumns) {
  expect_format(R"cue(
a: 1
longer: 2
ports: {
http: 80
metrics: 9090
}
z: 1
last: 2
)cue",
  R"cue(
a:      1
longer: 2
ports: {
	http:    80
	metrics: 9090
}
z:    1
last: 2
)cue");
}

TEST(Format, AtMostOneEmptyLine) {
  expect_format(R"cue(
a: 1



b: 2


)cue",
  R"cue(
a: 1

b: 2
)cue");
}

TEST(Format, JoinedLabels) {
  expect_format(R"cue(
a: b: c: 1
metadata: labels: app: "web"
x: y: {z: 1, w: 2}
)cue",
  R"cue(
a: b: c:               1
metadata: labels: app: "web"
x: y: {z: 1, w: 2}
)cue");
}

TEST(Format, JoinedLabelsOnTheNextLine) {
  expect_format(R"cue(
a:
  b: 1
c: 2
)cue",
  R"cue(
a:
	b: 1
c: 2
)cue");
}

TEST(Format, StructsOnOneLine) {
  expect_format(R"cue(
a: {b: 1}
c: { d: 1, e: 2 }
f: {}
g: {
}
h: { a: 1,
 b: 2 }
)cue",
  R"cue(
a: {b: 1}
c: {d: 1, e: 2}
f: {}
g: {}
h: {a: 1
	b: 2
}
)cue");
}

TEST(Format, Lists) {
  expect_format(R"cue(
a: [1,2,3]
b: [
1,
2
]
c: []
d: [
]
e: [1,
 2, 3]
f: [...int]
g: [{a: 1}, {
b: 2
}]
)cue",
  R"cue(
a: [1, 2, 3]
b: [
	1,
	2,
]
c: []
d: []
e: [1,
	2, 3]
f: [...int]
g: [{a: 1}, {
	b: 2
}]
)cue");
}

TEST(Format, SumsAndProducts) {
  expect_format(R"cue(
a: 1+2
b: 1+2*3
c: (1+2)*3
d: f(1+2, 3*4)
e: x[i+1]
g: x[a+1:b]
h: 1+2==3&&!b
i: -1
j: a - -1
k: 6 div 4+1
)cue",
  R"cue(
a: 1 + 2
b: 1 + 2*3
c: (1 + 2) * 3
d: f(1+2, 3*4)
e: x[i+1]
g: x[a+1 : b]
h: 1+2 == 3 && !b
i: -1
j: a - -1
k: 6 div 4 + 1
)cue");
}

TEST(Format, LogicAndBounds) {
  expect_format(R"cue(
a: >=1&<10|*5
b: string|*"x"
c: =~"^a"&!~"b$"
d: !=""
e: int&>0
)cue",
  R"cue(
a: >=1 & <10 | *5
b: string | *"x"
c: =~"^a" & !~"b$"
d: !=""
e: int & >0
)cue");
}

TEST(Format, BrokenOperators) {
  expect_format(R"cue(
a: string |
"x" |
"y"
b: 1
)cue",
  R"cue(
a: string |
	"x" |
	"y"
b: 1
)cue");
}

TEST(Format, Parentheses) {
  expect_format(R"cue(
a: (1)
b: ((1+2))
c: (#F & {in: 1}).out
)cue",
  R"cue(
a: (1)
b: (1 + 2)
c: (#F & {in: 1}).out
)cue");
}

TEST(Format, BlanksInBracketsStay) {
  expect_format(R"cue(
a: b [0]
c: f( x )
d: [ 1 , 2 ]
)cue",
  R"cue(
a: b [0]
c: f( x)
d: [1, 2]
)cue");
}

TEST(Format, Selectors) {
  expect_unchanged(R"cue(
a: b.c.d
e: b."x-y"
f: b [0].c["d"]
)cue");
}

TEST(Format, Comprehensions) {
  expect_format(R"cue(
if a {b: 1}
for k,v in x if v>1 let w=v*2 {
"\(k)": w
}
l: [for x in y {x+1}]
m: [if a {1}, 2]
)cue",
  R"cue(
if a {b: 1}
for k, v in x if v > 1 let w = v * 2 {
	"\(k)": w
}
l: [for x in y {x + 1}]
m: [if a {1}, 2]
)cue");
}

TEST(Format, LetAndEmbedding) {
  expect_format(R"cue(
let X=1
let Longer = 2
a: {
#Base
b: X
...
}
)cue",
  R"cue(
let X = 1
let Longer = 2
a: {
	#Base
	b: X
	...
}
)cue");
}

TEST(Format, Labels) {
  expect_format(R"cue(
"a-b": 1
"\(x)y": 2
(z): 3
[string]: int
[Name=_]: name: Name
X=foo: 1
_hidden: 1
#Def: {}
_#D: 1
)cue",
  R"cue(
"a-b":    1
"\(x)y":  2
(z):      3
[string]: int
[Name=_]: name: Name
X=foo:   1
_hidden: 1
#Def: {}
_#D: 1
)cue");
}

TEST(Format, Attributes) {
  expect_format(R"cue(
@extern(embed)
package a

b: int @go(B)
longer: string @go(Longer) @json(x)
c: {} @tag(c)
d: {
@inside(x)
e: 1
}
)cue",
  R"cue(
@extern(embed)
package a

b:      int    @go(B)
longer: string @go(Longer) @json(x)
c: {} @tag(c)
d: {
	@inside(x)
	e: 1
}
)cue");
}

TEST(Format, PackageAndImports) {
  expect_format(R"cue(
// Package a is a.
package a
import "list"
import (
"strings"
  s "struct"
)
b: list.Max([1])
)cue",
  R"cue(
// Package a is a.
package a

import "list"

import (
	"strings"
	s "struct"
)

b: list.Max([1])
)cue");
}

// cue writes these on one line, which is no CUE.
TEST(Format, ImportsBehindACommaGetLinesOfTheirOwn) {
  expect_format("import (\n\"strings\"\n,s \"struct\"\n, \"list\", \"net\"\n)\n", "import (\n\t\"strings\"\n\ts \"struct\"\n\t\"list\"\n\t\"net\"\n)\n");
}

TEST(Format, OperatorsThatWouldReadAsAnotherStayApart) {
  expect_format(R"cue(
a: < -1
b: < - - 1
c: ! =~"x"
h: ! ==1
i: < ==1
j: > ==1
k: X= ==1
d: > =~"x"
e: < =~"x"
f: <1 & >-1
)cue",
                R"cue(
a: < -1
b: < - -1
c: ! =~"x"
h: ! ==1
i: < ==1
j: > ==1
k: X= ==1
d: > =~"x"
e: < =~"x"
f: <1 & >-1
)cue");
}

TEST(Format, Numbers) {
  expect_format(R"cue(
a: 0o17
b: .5
c: 1.
d: 1E3
e: 1_000Ki
f: 0xFF
g: 1.5E+3
h: 01.5Ki
)cue",
  R"cue(
a: 0o17
b: 0.5
c: 1.0
d: 1e3
e: 1_000Ki
f: 0xFF
g: 1.5e+3
h: 01.5Ki
)cue");
}

TEST(Format, MultilineStrings) {
  expect_format(R"cue(
a: """
  one
    two

  three
  """
b: {
c: '''
			x
			'''
}
d: #"""
  \(x)
  """#
)cue",
  R"cue(
a: """
	one
	  two

	three
	"""
b: {
	c: '''
		x
		'''
}
d: #"""
	\(x)
	"""#
)cue");
}

TEST(Format, Interpolations) {
  expect_unchanged(R"cue(
a: "x\(b)y\( c+1 )"
b: """
  \(a) is
    here
  """
)cue");
}

TEST(Format, CallsOverSeveralLines) {
  expect_format(R"cue(
a: f(
1,
2)
b: g({
x: 1
}, 2)
c: h(1,
 2,
)
)cue",
  R"cue(
a: f(
	1,
	2)
b: g({
	x: 1
}, 2)
c: h(1,
	2,
	)
)cue");
}

TEST(Format, Bottom) {
  expect_unchanged(R"cue(
a: _|_
b: _|_ // because
if c == _|_ {d: 1}
)cue");
}

TEST(Format, Nothing) { EXPECT_EQ(formatted(""), "\n"); }

TEST(Format, CarriageReturns) {
  expect_format("a: 1\r\nlonger: 2\r\n", "a:      1\nlonger: 2\n");
  // Without them it is a line that ends the text, so it is one with them.
  expect_format("a: \"\"\"\r\n  x\r\n \r \"\"\r\"\r\nb: 1\n", "a: \"\"\"\n\tx\n\t\"\"\"\nb: 1\n");
}

TEST(Format, WideCharacters) {
  expect_format(R"cue(
"zażółć": 1
"x": 2 // ok
)cue",
  R"cue(
"zażółć": 1
"x":      2 // ok
)cue");
}

TEST(Format, FieldsOfUnlikeDepth) {
  expect_format(R"cue(
a: 1
long: b: 2
other: 3
c: d: 4
e: 5
longer: 6
)cue",
  R"cue(
a: 1
long: b: 2
other: 3
c: d: 4
e:      5
longer: 6
)cue");
}

TEST(Format, Defaults) {
  expect_format(R"cue(
a: *1|int
b: [*"x"|string, ...string]
c: *{a: 1}|{b: 2}
)cue",
  R"cue(
a: *1 | int
b: [*"x" | string, ...string]
c: *{a: 1} | {b: 2}
)cue");
}

TEST(Format, NestedListsOfStructs) {
  expect_format(R"cue(
a: [{
b: 1
longer: 2
},{
c: [1,
2]
}]
)cue",
  R"cue(
a: [{
	b:      1
	longer: 2
}, {
	c: [1,
		2]
}]
)cue");
}

TEST(Format, CommasBetweenFields) {
  expect_unchanged(R"cue(
a: 1, b: 2, c: {d: 3, e: 4}
{f: 5, g: 6}
)cue");
}

TEST(Format, NeedlessQuotes) {
  expect_simplified(R"cue(
"a": 1
"b-c": 2
"d": {"e": 3}
f: {"a": 1, g: a}
)cue",
  R"cue(
a:     1
"b-c": 2
d: e: 3
f: {"a": 1, g: a}
)cue");
}

TEST(Format, QuotesThatGuardAReference) {
  expect_simplified(R"cue(
"a": 1
b: {"a": 2, c: a}
d: "x": 1
)cue",
  R"cue(
a: 1
b: {"a": 2, c: a}
d: x: 1
)cue");
}

TEST(Format, SingleFieldsJoin) {
  expect_simplified(R"cue(
a: {b: {c: 1}}
d: {
// doc
e: 1
}
f: {g: 1, h: 2}
)cue",
  R"cue(
a: b: c: 1
d: {
	// doc
	e: 1
}
f: {g: 1, h: 2}
)cue");
}

TEST(Format, OpenEnded) {
  expect_simplified(R"cue(
a: {
...
b: 1
[string]: _
}
)cue",
  R"cue(
a: {
	b: 1
	...
}
)cue");
}

TEST(Format, QuotesOfWhatIsNoPlainName) {
  expect_simplified("\"#a\": 1\n#a: 2\n\"_b\": 3\n", "\"#a\": 1\n#a:   2\n\"_b\": 3\n");
}

TEST(Format, ACallOnTheNextLine) {
  expect_unchanged(R"cue(
a: strings.
	Join(["a"], ",")
b: {
	c: strings.
		Join(["a"], ",")
	d: 1
}
)cue");
}

TEST(Format, AJoinedLabelBehindABraceDoesNotShiftWhatFollows) {
  expect_unchanged(R"cue(
a: X={b:
	c: 1
}
d: {
	e: 1
}
)cue");
}

TEST(Format, AStringOnOneLineStaysOnOneLine) {
  expect_format("a: \"x\\(b +\n  c)\"\n", "a: \"x\\(b+c)\"\n");
}

TEST(Format, ListsMayDoWithoutCommasBetweenLines) {
  expect_unchanged("a: [\n\t1\n\t2 // two\n\t3\n]\n");
  expect_format("a: [\n\t1\n]\n", "a: [\n\t1,\n]\n");
}

TEST(Format, SpacesInsteadOfTabs) {
  EXPECT_EQ(formatted("a: {\n\tb: c: 1\n\td: [\n\t\t2,\n\t]\n}\n", {.indent_spaces = 4}),
            "a: {\n    b: c: 1\n    d: [\n        2,\n    ]\n}\n");
}

std::string repeated(std::string_view text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

TEST(Format, LongChains) {
  for (std::string_view link : {" | 1", " + b", ".b", "[0]", "()", ".b()"}) {
    std::string chain = "a: b" + repeated(link, 4000) + "\n";
    EXPECT_EQ(formatted(chain), chain) << link;
    EXPECT_EQ(formatted(chain, {.simplify = true}), chain) << link;
  }
}

TEST(Format, DeepNesting) {
  std::string labels = repeated("a: ", 900) + "1\n";
  EXPECT_EQ(formatted(labels), labels);
  std::string lists = "a: " + repeated("[", 900) + repeated("]", 900) + "\n";
  EXPECT_EQ(formatted(lists), lists);
  std::string structs = "a: " + repeated("{a: ", 900) + "1" + repeated("}", 900) + "\n";
  EXPECT_EQ(formatted(structs), structs);
  EXPECT_EQ(formatted(structs, {.simplify = true}), repeated("a: ", 901) + "1\n");
}

TEST(Format, AnExpressionAlone) {
  diag::SourceMap sources;
  base::Arena arena;
  ParsedExpression parsed = parse_expression(arena, *sources.add("-e", "a.b+1|{c:1}"));
  ASSERT_TRUE(parsed.errors.empty());
  EXPECT_EQ(format(*parsed.expression), "a.b+1 | {c: 1}");
}

}  // namespace
}  // namespace opm::cue::syntax
