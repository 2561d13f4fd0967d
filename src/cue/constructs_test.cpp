// The constructs that OPM leans on hardest, each with each other, and the corners of the language
// where implementations go wrong. What is expected is what `cue` gives; where its wording differs,
// the place and the reason are the same.
#include <gtest/gtest.h>

#include <ostream>

#include "cue/value.h"
#include "data/json.h"
#include "diag/printer.h"

namespace opm::cue {
namespace {

struct Case {
  const char* name;
  const char* text;
  const char* expected;  // JSON, or errors one behind the other
};

void PrintTo(const Case& test, std::ostream* out) { *out << test.name; }

std::string errors_text(const Program& program, Diagnostics errors) {
  diag::sort_and_unite(program.sources(), errors);
  std::string text = "error: ";
  for (const diag::Diagnostic& error : errors) {
    if (&error != &errors.front()) text += " | ";
    std::string message = error.path.empty() ? error.message : error.path + ": " + error.message;
    if (message.ends_with(':')) message.pop_back();
    text += message;
  }
  return text;
}

std::string result(const Case& test) {
  auto program = Program::from_text("x.cue", test.text);
  const Instance& instance = program->instances().front();
  if (!instance.errors.empty()) return errors_text(*program, instance.errors);
  Context context(program);
  auto data = context.instance(0).to_data();
  return data ? data::write_json(*data, {}) : errors_text(*program, data.error());
}

class Constructs : public testing::TestWithParam<Case> {};

TEST_P(Constructs, GivesWhatCueGives) { EXPECT_EQ(result(GetParam()), GetParam().expected) << GetParam().text; }

constexpr Case kPairs[] = {
    {"closedness and guards",
     R"cue(#A: {x?: int, if x != _|_ {y: x + 1}}
a: #A & {x: 1}
b: #A
c: #A & {y: 2}
)cue",
     R"cue(error: c.y: field not allowed)cue"},
    {"closedness and guards, allowed",
     R"cue(#A: {x?: int, y?: int, if x != _|_ {y: x + 1}}
a: #A & {x: 1}
b: #A
)cue",
     R"cue({"a":{"x":1,"y":2},"b":{}})cue"},
    {"closedness and nested comprehensions",
     R"cue(#A: {for k, v in {p: 1, q: 2} {for l in ["m", "n"] {"\(k)\(l)": int}}}
a: #A & {pm: 1, pn: 2, qm: 3, qn: 4}
b: close({for k in ["x"] if true {"\(k)": *1 | int}}) & {x: 2}
)cue",
     R"cue({"a":{"pm":1,"pn":2,"qm":3,"qn":4},"b":{"x":2}})cue"},
    {"closedness and nested comprehensions, one too many",
     R"cue(#A: {for k, v in {p: 1} {for l in ["m"] {"\(k)\(l)": int}}}
a: #A & {pm: 1, px: 2}
)cue",
     R"cue(error: a.px: field not allowed)cue"},
    {"closedness and defaults",
     R"cue(#Base: {port: *80 | int}
#D: {c: #Base, d: *c.port | string}
a: #D
b: #D & {c: port: 8080}
e: #D & {d: "x"}
)cue",
     R"cue({"a":{"c":{"port":80},"d":80},"b":{"c":{"port":8080},"d":8080},"e":{"c":{"port":80},"d":"x"}})cue"},
    {"closedness and defaults, one too many",
     R"cue(#Base: {port: *80 | int}
a: *#Base | {z: 1}
a: {zz: 1}
)cue",
     R"cue({"a":{"z":1,"zz":1}})cue"},
    {"closedness and calls",
     R"cue(#F: {in: {a: int}, out: in.a + 1}
r: (#F & {in: a: 1}).out
)cue",
     R"cue({"r":2})cue"},
    {"closedness and calls, one too many",
     R"cue(#F: {in: {a: int}, out: in.a + 1}
r: (#F & {in: {a: 1, b: 2}}).out
)cue",
     R"cue({"r":2})cue"},
    {"closedness and patterns",
     R"cue(#M: [Id=string]: {name: *Id | string}
a: #M & {x: {}, y: name: "z"}
#N: {[=~"^a"]: int}
b: #N & {ab: 1}
)cue",
     R"cue({"a":{"x":{"name":"x"},"y":{"name":"z"}},"b":{"ab":1}})cue"},
    {"closedness and patterns, one too many",
     R"cue(#N: {[=~"^a"]: int}
b: #N & {ab: 1, b: 2}
)cue",
     R"cue(error: b.b: field not allowed)cue"},
    {"closedness and patterns, one too many inside",
     R"cue(#M: [Id=string]: {name: *Id | string}
a: #M & {x: {nam: "y"}}
)cue",
     R"cue(error: a.x.nam: field not allowed)cue"},
    {"closedness and dynamic fields",
     R"cue(k: "a"
#D: {(k): int, "\(k)b": string}
d: #D & {a: 1, ab: "x"}
)cue",
     R"cue({"k":"a","d":{"a":1,"ab":"x"}})cue"},
    {"closedness and dynamic fields, one too many",
     R"cue(k: "a"
#D: {(k): int}
d: #D & {("b"): 1}
)cue",
     R"cue(error: d.b: field not allowed)cue"},
    {"closedness and null",
     R"cue(#T: {a: int}
#S: {t?: null | #T}
x: #S & {t: null}
y: #S & {t: a: 1}
z: #S
)cue",
     R"cue({"x":{"t":null},"y":{"t":{"a":1}},"z":{}})cue"},
    {"closedness and null, one too many",
     R"cue(#T: {a: int}
#S: {t?: null | #T}
y: #S & {t: {a: 1, b: 2}}
)cue",
     R"cue(error: y.t: 2 errors in empty disjunction | )cue"
     R"cue(y.t: conflicting values null and {a:1,b:2} (mismatched types null and struct) | y.t.b: field not allowed)cue"},
    {"guards and nested comprehensions",
     R"cue(in: {a: {on: true, p: [1, 2]}, b: {p: [3]}, c: {on: false}}
r: [for k, v in in if v.on != _|_ if v.on for i in v.p if i > 1 {"\(k)\(i)"}]
s: {for k, v in in {if v.p != _|_ {"\(k)": len(v.p)}, if v.p == _|_ {"\(k)": 0}}}
)cue",
     R"cue({"in":{"a":{"on":true,"p":[1,2]},"b":{"p":[3]},"c":{"on":false}},"r":["a2"],"s":{"a":2,"b":1,"c":0}})cue"},
    {"guards and defaults",
     R"cue(a: {x: *1 | int, if x == 1 {one: true}}
b: a & {x: 2}
c: {d: *b.x | 5, e: *b.q | 5, if d != _|_ {f: d}}
)cue",
     R"cue({"a":{"x":1,"one":true},"b":{"x":2},"c":{"d":2,"e":5,"f":2}})cue"},
    {"guards and calls",
     R"cue(#F: {in: int, if in > 2 {out: "many"}, if in <= 2 {out: "few"}}
r: [for i in [1, 3] {(#F & {"in": i}).out}]
s: {if (#F & {in: 1}).out != _|_ {t: 1}}
)cue",
     R"cue({"r":["few","many"],"s":{"t":1}})cue"},
    {"guards and patterns",
     R"cue(m: [Id=string]: {v?: int, if v != _|_ {text: "\(Id)=\(v)"}}
m: {a: v: 1, b: {}}
)cue",
     R"cue({"m":{"a":{"v":1,"text":"a=1"},"b":{}}})cue"},
    {"guards and dynamic fields",
     R"cue(k: "x"
d: {(k): 1, if d[k] != _|_ {y: d[k] + 1}}
e: {if d.z != _|_ {z: 1}}
)cue",
     R"cue({"k":"x","d":{"x":1,"y":2},"e":{}})cue"},
    {"guards and null",
     R"cue(#T: {a?: null | {b: int}}
x: #T & {a: b: 1}
y: #T & {a: null}
r: {if x.a != _|_ if x.a.b != _|_ {one: x.a.b}, if y.a == null {two: 2}, if y.a.b != _|_ {three: 3}}
)cue",
     R"cue({"x":{"a":{"b":1}},"y":{"a":null},"r":{"one":1,"two":2}})cue"},
    {"nested comprehensions and defaults",
     R"cue(s: {a: {n: *1 | int}, b: {n: 2}}
r: {for k, v in s {"\(k)": {n: *v.n | 9, for i in [1, 2] if i <= v.n {"e\(i)": i}}}}
)cue",
     R"cue({"s":{"a":{"n":1},"b":{"n":2}},"r":{"a":{"n":1,"e1":1},"b":{"n":2,"e1":1,"e2":2}}})cue"},
    {"nested comprehensions and calls",
     R"cue(#F: {in: {x: int, y: int}, out: {for k, v in in {"\(k)": v * 2}}}
r: [for i in [1, 2] for o in [(#F & {in: {x: i, y: 3}}).out] {o}]
)cue",
     R"cue({"r":[{"x":2,"y":6},{"x":4,"y":6}]})cue"},
    {"nested comprehensions and patterns",
     R"cue(src: {a: [1, 2], b: [3]}
m: [Id=string]: {id: Id, items: [...int]}
m: {for k, l in src {"\(k)": items: [for i in l if i != 2 {i}]}}
)cue",
     R"cue({"src":{"a":[1,2],"b":[3]},"m":{"a":{"id":"a","items":[1]},"b":{"id":"b","items":[3]}}})cue"},
    {"nested comprehensions and dynamic fields",
     R"cue(r: {for a in ["x", "y"] {(a): {for b in ["p", "q"] {"\(a)\(b)": a + b}}}}
)cue",
     R"cue({"r":{"x":{"xp":"xp","xq":"xq"},"y":{"yp":"yp","yq":"yq"}}})cue"},
    {"nested comprehensions and null",
     R"cue(s: {a: null | {n: int}, b: null | {n: int}}
s: {a: null, b: n: 1}
r: [for k, v in s if v != null {"\(k)\(v.n)"}]
t: {for k, v in s if v == null {"\(k)": true}}
)cue",
     R"cue({"s":{"a":null,"b":{"n":1}},"r":["b1"],"t":{"a":true}})cue"},
    {"defaults and calls",
     R"cue(c: {size: *3 | int}
#F: {in: int, f: *2 | int, out: in * f}
r: (#F & {in: c.size}).out
s: (#F & {in: c.size, f: 5}).out
t: *(#F & {in: 1}).nope | "none"
)cue",
     R"cue({"c":{"size":3},"r":6,"s":15,"t":"none"})cue"},
    {"defaults and patterns",
     R"cue(d: {name: *"anon" | string}
m: [Id=string]: {name: *d.name | string, id: *Id | string}
m: {a: {}, b: name: "x", c: id: "y"}
)cue",
     R"cue({"d":{"name":"anon"},"m":{"a":{"name":"anon","id":"a"},"b":{"name":"x","id":"b"},"c":{"name":"anon","id":"y"}}})cue"},
    {"defaults and dynamic fields",
     R"cue(d: *"k" | string
r: {(d): 1, "\(d)2": *r[d] | 7}
)cue",
     R"cue({"d":"k","r":{"k":1,"k2":1}})cue"},
    {"defaults and null",
     R"cue(c: {v: *null | {a: int}}
x: c
y: c & {v: a: 1}
r: *c.v | {a: 2}
s: *y.v | null
)cue",
     R"cue({"c":{"v":null},"x":{"v":null},"y":{"v":{"a":1}},"r":null,"s":{"a":1}})cue"},
    {"calls and patterns",
     R"cue(#F: {in: [string]: int, out: [Id=string]: {id: Id, n: int}, out: {for k, v in in {"\(k)": n: v}}}
r: (#F & {in: {a: 1, b: 2}}).out
)cue",
     R"cue({"r":{"a":{"id":"a","n":1},"b":{"id":"b","n":2}}})cue"},
    {"calls and dynamic fields",
     R"cue(#F: {key: string, val: _, out: {(key): val}}
r: (#F & {key: "a", val: [1]}).out
s: (#F & {key: "a.b", val: {c: 1}}).out["a.b"].c
)cue",
     R"cue({"r":{"a":[1]},"s":1})cue"},
    {"calls and null",
     R"cue(#F: {in: null | {a: int}, if in == null {out: 0}, if in != null {out: in.a}}
r: (#F & {in: null}).out
s: (#F & {in: a: 4}).out
)cue",
     R"cue({"r":0,"s":4})cue"},
    {"patterns and dynamic fields",
     R"cue(k: "key"
m: [Id=string]: {id: Id}
m: {(k): {}, "\(k)-2": n: 1}
n: {[=~"^key"]: >0, (k): 3}
)cue",
     R"cue({"k":"key","m":{"key":{"id":"key"},"key-2":{"id":"key-2","n":1}},"n":{"key":3}})cue"},
    {"patterns and null",
     R"cue(m: [Id=string]: null | {id: *Id | string, n: int}
m: {a: null, b: n: 1, c: {n: 2, id: "z"}}
)cue",
     R"cue({"m":{"a":null,"b":{"id":"b","n":1},"c":{"id":"z","n":2}}})cue"},
    {"dynamic fields and null",
     R"cue(k: "a"
d: {(k): null | {b: int}}
x: d & {a: null}
y: d & {a: b: 1}
z: {("p"): y[k].b, "q\(k)": x.a}
)cue",
     R"cue(error: d.a: incomplete value null | {b:int})cue"},
    {"guards and guards",
     R"cue(a: {x?: 1}
b: {if a.x == _|_ {y: 1}, if y != _|_ {z: y + 1}, y?: int}
c: {if b.z != _|_ {if b.z > 1 {ok: true}}}
)cue",
     R"cue({"a":{},"b":{"y":1,"z":2},"c":{"ok":true}})cue"},
    {"calls and calls",
     R"cue(#Inc: {in: int, out: in + 1}
#Twice: {x=in: int, out: (#Inc & {in: (#Inc & {in: x}).out}).out}
r: (#Twice & {in: 1}).out
)cue",
     R"cue({"r":3})cue"},
    {"defaults and defaults",
     R"cue(a: *1 | 2 | 3
b: *a | 4
c: b & (3 | 4)
d: {e: *"x" | string} & {e: *"y" | string}
f: (*1 | 2) & (1 | *2)
g: *d.e | "z"
)cue",
     R"cue(error: d.e: incomplete value "x" | "y" | string | f: incomplete value 1 | 2 | g: incomplete value "x" | "y" | string | "z")cue"},
    {"null and null",
     R"cue(a: null | {x: null | {y: int}}
b: a & {x: null}
c: a & {x: y: 1}
d: a & null
)cue",
     R"cue(error: a: incomplete value null | {x:null | {y:int}})cue"},
    {"closedness and closedness",
     R"cue(#A: {a: int}
#B: {b: int}
x: {#A, #B} & {a: 1, b: 2}
y: {#A, c: 3} & {a: 1}
)cue",
     R"cue({"x":{"a":1,"b":2},"y":{"a":1,"c":3}})cue"},
    {"closedness and closedness, both closed",
     R"cue(#A: {a: int}
#B: {b: int}
x: #A & #B & {a: 1, b: 2}
)cue",
     R"cue(error: x.a: field not allowed | x.b: field not allowed)cue"},
    {"patterns and patterns",
     R"cue(m: {[=~"^a"]: int, [=~"z$"]: >3, [Id=string]: _}
m: {az: 5, ab: 1, bz: 4.5, q: "s"}
)cue",
     R"cue({"m":{"az":5,"ab":1,"bz":4.5,"q":"s"}})cue"},
    {"dynamic fields and dynamic fields",
     R"cue(a: "x"
r: {(a): b, "\(a)\(a)": 2, b: "y", ("z" + a): 3}
)cue",
     R"cue({"a":"x","r":{"x":"y","xx":2,"b":"y","zx":3}})cue"},
    {"nested comprehensions and nested comprehensions",
     R"cue(r: [for i in [1, 2, 3] for j in [for k in [1, 2, 3] if k > i {k}] {i * 10 + j}]
s: {for k, v in {for a in ["p"] {"\(a)": 1}} {"\(k)q": v}}
)cue",
     R"cue({"r":[12,13,23],"s":{"pq":1}})cue"},
};

constexpr Case kTraps[] = {
    {"trap 1: a field of a definition's instance is open",
     R"cue(#M: {m: {n: string}}
r: #M & {m: n: "x"}
b: r.m & {f: 1}
)cue",
     R"cue({"r":{"m":{"n":"x"}},"b":{"f":1,"n":"x"}})cue"},
    {"trap 1: a field of the definition itself is closed",
     R"cue(#M: {m: {n: string}}
b: #M.m & {n: "x", f: 1}
)cue",
     R"cue(error: b.f: field not allowed)cue"},
    {"trap 2: siblings of an embedding may extend it",
     R"cue(#A: {a: {x: int}}
t: {#A, a: {y: 1, x: 2}}
)cue",
     R"cue({"t":{"a":{"x":2,"y":1}}})cue"},
    {"trap 2: a definition that embeds is closed",
     R"cue(#A: {a: {x: int}}
#B: {#A, b: int}
t: #B & {a: {x: 1, z: 3}, b: 1}
)cue",
     R"cue(error: t.a.z: field not allowed)cue"},
    {"trap 3: embedding waives nested closings",
     R"cue(#D: {a: close({b: int})}
y: {#D, a: {b: 1, c: 2}}
)cue",
     R"cue({"y":{"a":{"b":1,"c":2}}})cue"},
    {"trap 4: what is unified inside an embedding is checked there",
     R"cue(#A: {x: int}
t: {#A & {y: 1}, b: 2}
)cue",
     R"cue(error: t.y: field not allowed)cue"},
    {"trap 4: its siblings are not",
     R"cue(#A: {x: int}
t: {#A & {x: 1}, b: 2}
)cue",
     R"cue({"t":{"x":1,"b":2}})cue"},
    {"trap 5: top does not open a closed struct",
     R"cue(#C: {#config: _}
#D: #C & {#config: {image: string}}
d: #D & {#config: {image: "a", extra: 1}}
e: d.#config
)cue",
     R"cue(error: d.#config.extra: field not allowed)cue"},
    {"trap 6: an embedded ellipsis opens",
     R"cue(W: {...}
#D: {d: {a: int}}
y: {W, #D} & {d: {a: 1, b: 1}}
)cue",
     R"cue({"W":{},"y":{"d":{"a":1,"b":1}}})cue"},
    {"trap 6: an embedded pattern does not",
     R"cue(W: {[string]: _}
#D: {d: {a: int}}
y: {W, #D} & {d: {a: 1, b: 1}}
)cue",
     R"cue(error: y.d.b: field not allowed)cue"},
    {"trap 7: what is not there",
     R"cue(a: int
b: >1
c?: int
d!: int
e: "x\(a)"
f: a + 1
r: [a != _|_, b != _|_, c != _|_, g.h != _|_, e != _|_, f != _|_]
g: {}
#hide: {r: r}
)cue",
     R"cue(error: a: incomplete value int | b: incomplete value >1 | d: field is required but not present | e: invalid interpolation: non-concrete value int (type int) | f: non-concrete value int in operand to +)cue"},
    {"trap 7: what is",
     R"cue(a: _
b: 1 | 2
c: *1 | int
d: {a: string}
e: [...string]
f: null | {a: 1}
r: [a != _|_, b != _|_, c != _|_, d != _|_, e != _|_, f != _|_]
)cue",
     R"cue(error: a: incomplete value _ | b: incomplete value 1 | 2 | d.a: incomplete value string | f: incomplete value null | {a:1})cue"},
    {"trap 8: an error in a child counts",
     R"cue(r: ({a: 1} & {a: 2}) != _|_
)cue",
     R"cue({"r":false})cue"},
    {"trap 8: an incomplete child does not",
     R"cue(r: ({a: int} & {a: >2}) != _|_
)cue",
     R"cue({"r":true})cue"},
    {"trap 9: or does not stop early",
     R"cue(a: {}
e: true || a.bar
)cue",
     R"cue(error: e: undefined field: bar)cue"},
    {"trap 9: nor does and",
     R"cue(a: {}
e: false && a.bar
)cue",
     R"cue(error: e: undefined field: bar)cue"},
    {"trap 10: a field that is there because it is not",
     R"cue(x: {y?: int, if y == _|_ {y: 1}}
)cue",
     R"cue(error: x: circular dependency in evaluation of conditionals: y changed after evaluation)cue"},
    {"trap 10: a struct that grows while it is walked",
     R"cue(x: {a: 1, for k, v in x {"\(k)2": v}}
)cue",
     R"cue(error: x: adding field a2 not allowed as field set was already referenced)cue"},
    {"trap 11: a required field is not there to be walked",
     R"cue(a: {b!: int, c: 1}
r: [for k, v in a {k}]
)cue",
     R"cue(error: a.b: field is required but not present | r: missing required field in for comprehension: b)cue"},
    {"trap 12: an incomplete conjunct beside a concrete one",
     R"cue(t: string
s: "x\(t)"
s: "xy"
)cue",
     R"cue(error: t: incomplete value string | s: invalid interpolation: non-concrete value string (type string))cue"},
    {"trap 13: a failing default drops with its mark",
     R"cue(in: {}
r: *in.addr | "Unknown"
)cue",
     R"cue({"in":{},"r":"Unknown"})cue"},
    {"trap 13: also beside another default",
     R"cue(t: {}
s: *1 | int
s: *t.q | int
)cue",
     R"cue({"t":{},"s":1})cue"},
    {"trap 14: a reference carries the disjunction",
     R"cue(v: a: *1 | int
x: v & {a: 3}
y: v.a + 1
z: v.a == 1
)cue",
     R"cue({"v":{"a":1},"x":{"a":3},"y":2,"z":true})cue"},
    {"trap 15: optional fields keep alternatives apart",
     R"cue(x: {a: "h"} & ({v?: string} | {w?: string})
)cue",
     R"cue(error: x: incomplete value {a:"h",v?:string} | {a:"h",w?:string})cue"},
    {"trap 16: a disjunction that its own conjunct asks",
     R"cue(a: *{x: 1} | {x: 2}
a: {y: a.x}
)cue",
     R"cue({"a":{"x":1,"y":1}})cue"},
    {"trap 17: definitions and hidden fields make no struct",
     R"cue(x: {_#c: true, if _#c {5}}
)cue",
     R"cue({"x":5})cue"},
    {"trap 18: a quoted field is no identifier",
     R"cue(f: {"in": 1, b: in}
)cue",
     R"cue(error: f.b: reference "in" not found)cue"},
    {"trap 18: an alias of it is",
     R"cue(f: {X="in": 1, b: X}
)cue",
     R"cue({"f":{"in":1,"b":1}})cue"},
    {"trap 19: structure without end",
     R"cue(a: {b: a}
)cue",
     R"cue(error: a.b: structural cycle)cue"},
    {"trap 19: structure that both bring",
     R"cue(f: g & {x: 1}
g: f & {y: 2}
)cue",
     R"cue({"f":{"x":1,"y":2},"g":{"x":1,"y":2}})cue"},
    {"trap 20: an import that is not used",
     R"cue(import "strings"
a: 1
)cue",
     R"cue(error: imported and not used: "strings")cue"},
    {"trap 20: a let that is not used",
     R"cue(let x = 1
a: 1
)cue",
     R"cue(error: unreferenced alias or let clause x)cue"},
    {"trap 21: each field of a cycle says where it enters it",
     R"cue(a: b - 1
b: a + 1
)cue",
     R"cue(error: a: cycle with field: b | b: cycle with field: a)cue"},
    {"trap 22: fields that arrive after a loop looked for them",
     R"cue(in: x: 1
out: _
for k, v in out for l, w in v.m {out: (k): n: (l): w}
for k, v in in {out: (k): m: p: v}
)cue",
     R"cue({"in":{"x":1},"out":{"x":{"n":{"p":1},"m":{"p":1}}}})cue"},
    {"trap 23: a schema that does not match says why",
     R"cue(x: matchN(1, [{a!: int}])
x: b: 1
)cue",
     R"cue(error: x: invalid value {b:1} (does not satisfy matchN): 0 matched, expected 1 | )cue"
     R"cue(x.a: field is required but not present)cue"},
    {"trap 24: alternatives whose fields are incomplete further down",
     R"cue(import "struct"
_x: {a: b: struct.MinFields(2)} | null
_x: {a: b: c: 1} | null
y: _x & {a: b: d: 1}
)cue",
     R"cue({"y":{"a":{"b":{"c":1,"d":1}}}})cue"},
    {"trap 25: what may be a struct or list is there once it is constrained",
     R"cue(import "list"
_l: list.MaxItems(3)
_n: !=null
_i: int
out: [_l != _|_, _n != _|_, _i != _|_]
)cue",
     R"cue({"out":[true,true,false]})cue"},
    {"trap 26: a struct that embeds what is not there is not there either",
     R"cue(_i: {a: 1}
_y: {_i.z, b: 1}
_w: {b: _i.z}
out: [_y != _|_, _w != _|_]
)cue",
     R"cue({"out":[false,true]})cue"},
    {"trap 27: a function waits for a part that is missing",
     R"cue(_z: {a: 1}
g: len({a: 1} & _z.m)
)cue",
     R"cue(error: undefined field: m)cue"},
    {"trap 28: alternatives of other types are others, though they exclude the same",
     R"cue(_h: !=null & (string | int)
a: _h & "x"
b: _h & 1
)cue",
     R"cue({"a":"x","b":1})cue"},
    {"trap 29: what a guard asks for is also what a comprehension goes over",
     R"cue(d: "x"
if d != _|_ {e: 1}
for k, v in {c: d} {"f-\(k)": v}
)cue",
     R"cue({"d":"x","e":1,"f-c":"x"})cue"},
    {"trap 30: a comprehension waits for a part of what it goes over",
     R"cue(_x: l: {}
m: [for v in _x.l & _x.m {v}]
)cue",
     R"cue(error: undefined field: m)cue"},
    {"trap 31: a field that is one of its own alternatives adds nothing to the others",
     R"cue(h: *10 | 1
h: *h | 1
#A: a: 1
#A: {e: bool} | #A
x: #A & {a: 1, e: true}
)cue",
     R"cue({"h":10,"x":{"a":1,"e":true}})cue"},
    {"trap 32: a scalar beside what is missing is not there",
     R"cue(_v: 0 & (1 - ("" | "x"))
if _v == _|_ {a: 1}
b: [for v in [0 & (1 - ("" | "x"))] {v == _|_}]
)cue",
     R"cue({"a":1,"b":[true]})cue"},
    {"trap 33: a guard adds nothing new to what it asks for",
     R"cue(x: {a: 1}
if x != _|_ {x: {}}
)cue",
     R"cue({"x":{"a":1}})cue"},
    {"trap 34: where the left operand decides, the type of the right one does not matter",
     R"cue(a: false && 7
b: true || 7
)cue",
     R"cue({"a":false,"b":true})cue"},
    {"trap 35: a bound of a type",
     R"cue(a: >=string & 5
)cue",
     R"cue(error: a: bound has fixed non-concrete value)cue"},
    {"trap 36: a field that was asked for while a comprehension was yet to add to it",
     R"cue(import "list"

a: {
	n: 1
	for v in list.Concat([[0, n], []]) {x: "x\(v)": {y: v}}
	x: _
	x.x0
}
)cue",
     R"cue({"a":{"n":1,"x":{"x0":{"y":0},"x1":{"y":1}},"y":0}})cue"},
    {"trap 37: alternatives of a value that is written out speak for themselves in a text",
     R"cue(#F: {x: "a" | "b", out: "x=\(x)"}
a: (#F & {x: "c"}).out
)cue",
     R"cue(error: x: conflicting values "a" and "c" | x: conflicting values "b" and "c" | x: 2 errors in empty disjunction)cue"},
    {"trap 38: whether a field is there is asked of a value that only then turns out to have a default",
     R"cue(#S: {o: "s", value: string} | {}
#C: {
	_all: {for r in #parts {r.#spec}}
	#parts: [string]: _
	spec: {_all}
}
#D: {
	#module: _
	values: #module.#config
	_m: #module & {
		if len(_s) > 0 {#c: [string]: spec: n: {for k, x in _s {(k): data: x}}}
	}
	c: _m.#c
	_s: {
		for x in values {
			let is = (_#I & {#in: x}).out
			if is {k: d: x}
		}
	}
	if _m.y != _|_ {z: 1}
}
_#I: {#in: _, out: [if #in.o != _|_ {true}, if len(#in) != _|_ {false}, false][0]}
#c: w: {
	#C & {#parts: x: #spec: n: [string]: data: [string]: _}
	spec: n: k: i: true
}
_config: p: #S
_values: p: *{value: "v"} | {...}
_r: #D & {
	#module: {#c: {w: _w}, #config: _config}
	values: _values
}
_w: #c.w
a: _r.c.w.spec.n
)cue",
     R"cue({"a":{"k":{"data":{"d":{"o":"s","value":"v"}},"i":true}}})cue"},
    {"trap 39: what is made of a definition is the same with the definition beside it, before it or behind it",
     R"cue(#T: {name: string, n: "\(name)!", on?: [...#T]}
#A: #T & {name: "a"}
#B: #T & {name: "b", on: [#A]}
before: #T & #B
behind: #B & #T
list: [...#T] & [#A, #B]
)cue",
     R"cue({"before":{"name":"b","n":"b!","on":[{"name":"a","n":"a!"}]},"behind":{"name":"b","n":"b!","on":[{"name":"a","n":"a!"}]},"list":[{"name":"a","n":"a!"},{"name":"b","n":"b!","on":[{"name":"a","n":"a!"}]}]})cue"},
    {"trap 40: nor does it allow what the definition does not",
     R"cue(#T: {name: string}
#A: #T & {name: "a"}
x: #T & #A & {other: 1}
)cue",
     R"cue(error: x.other: field not allowed)cue"},
    {"trap 41: a struct that embeds a definition allows more than the definition",
     R"cue(#T: {name: string}
#A: {#T, name: "a", other: 1}
x: #T & #A
)cue",
     R"cue(error: x.other: field not allowed)cue"},
    {"trap 42: of two definitions, one made of the other, a third has its say",
     R"cue(#T: {name: string, l: [string]: int}
#A: #T & {name: "a", l: a: 1}
x: #A & #T & {l: b: 2}
x: {name: "a"}
y: #T & #A & {l: c: x.l.b}
)cue",
     R"cue({"x":{"name":"a","l":{"a":1,"b":2}},"y":{"name":"a","l":{"a":1,"c":2}}})cue"},
    {"trap 43: of a list that is written out the element that conditions leave at a place",
     R"cue(c: bool | *true
a: [if c {1}, 2][0]
b: [if !c {1}, 2][0]
d: [if c if b == 2 {x: y: 3}, 2][0].x.y
e: [for v in [5, 6] {v}, 7][1]
)cue",
     R"cue({"c":true,"a":1,"b":2,"d":3,"e":6})cue"},
    {"trap 44: where there is no such place",
     R"cue(c: false
a: [if c {1}, 2][1]
)cue",
     R"cue(error: a: index out of range [1] with length 1)cue"},
    {"trap 45: whether a field of a field is there is asked of each value, with all that is said of it",
     R"cue(p: {q: {}, if q.m == _|_ {n: 1}}
r: p & {q: m: 2}
s: a: b: 1
t: [s.a.b != _|_, s.a.c != _|_, s.c.d.e == _|_, s.a.b.c != _|_]
u: [for v in [s, {a: c: 1}] if v.a.c != _|_ {v.a.c}]
)cue",
     R"cue({"p":{"q":{},"n":1},"r":{"q":{"m":2}},"s":{"a":{"b":1}},"t":[true,false,true,false],"u":[1]})cue"},
};

INSTANTIATE_TEST_SUITE_P(Pairs, Constructs, testing::ValuesIn(kPairs));
INSTANTIATE_TEST_SUITE_P(Traps, Constructs, testing::ValuesIn(kTraps));

}  // namespace
}  // namespace opm::cue
