#include "cue/std/evaluate_fixture.h"

namespace opm::cue::standard {
namespace {

TEST(Base64, BothWays) {
  expect_all({"encoding/base64"}, {
    {R"(base64.Encode(null, "Hello, wörld"))", R"("SGVsbG8sIHfDtnJsZA==")"},
    {R"(base64.Encode(null, '\x00\xff'))", R"("AP8=")"},
    {R"(base64.Decode(null, "AP8="))", R"('\x00\xff')"},
    {R"(base64.Decode(null, "Zm9v\nYmFy"))", "'foobar'"},
    {R"(base64.Decode(null, "Zm9"))", "error: error in call to encoding/base64.Decode: illegal base64 data at input byte 0"},
    {R"(base64.Decode(null, "Zm9v!A=="))", "error: error in call to encoding/base64.Decode: illegal base64 data at input byte 4"},
    {R"(base64.Decode(null, "AP8=A"))", "error: error in call to encoding/base64.Decode: illegal base64 data at input byte 4"},
    {R"(base64.Decode({}, "AP8="))",
     "error: error in call to encoding/base64.Decode: base64: unsupported encoding: cannot use value {} (type struct) as null"},
    {"base64.EncodedLen(null, 4)", "8"},
    {"base64.DecodedLen(null, 8)", "6"},
  });
}

TEST(Hex, BothWays) {
  expect_all({"encoding/hex"}, {
    {R"(hex.Encode("foo"))", R"("666f6f")"},
    {R"(hex.Decode("666F6f"))", "'foo'"},
    {R"(hex.Decode("fo"))", "error: error in call to encoding/hex.Decode: encoding/hex: invalid byte: U+006F 'o'"},
    {R"(hex.Decode("fff"))", "error: error in call to encoding/hex.Decode: encoding/hex: odd length hex string"},
    {R"(hex.Dump("0123456789abcdefg\n"))",
     R"("00000000  30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 66  |0123456789abcdef|\n)"
     R"(00000010  67 0a                                             |g.|\n")"},
    {"hex.EncodedLen(3)", "6"},
    {"hex.DecodedLen(7)", "3"},
  });
}

TEST(Json, Text) {
  expect_all({"encoding/json"}, {
    {R"(json.Valid("{\"a\": [1, 2.5e3, true, null, \"\\u00e9\"]}"))", "true"},
    {R"(json.Valid("{a: 1}"))", "false"},
    {R"(json.Valid("[1,]"))", "false"},
    {R"(json.Valid("01"))", "false"},
    {R"(json.Valid("1 2"))", "false"},
    {R"(json.Valid("\"\u0001\""))", "false"},
    {R"(json.Compact("{ \"a\" : [ 1 , 2 ] }"))", R"("{\"a\":[1,2]}")"},
    {R"(json.Compact("[1, }"))", "error: error in call to encoding/json.Compact: invalid character '}' looking for beginning of value"},
    {R"(json.Compact("{\"a\" 1}"))", "error: error in call to encoding/json.Compact: invalid character '1' after object key"},
    {R"(json.Compact("[1"))", "error: error in call to encoding/json.Compact: unexpected end of JSON input"},
    {R"(json.Compact("tru1"))", "error: error in call to encoding/json.Compact: invalid character '1' in literal true (expecting 'e')"},
    {R"(json.Indent("{\"a\":[1,{}],\"b\":[]}", ">", "  "))", R"("{\n>  \"a\": [\n>    1,\n>    {}\n>  ],\n>  \"b\": []\n>}")"},
    {R"(json.HTMLEscape("<a> & \u2028"))", R"("\\u003ca\\u003e \\u0026 \\u2028")"},
  });
}

TEST(Json, Values) {
  expect_all({"encoding/json"}, {
    {R"(json.Marshal({b: 1, a: [1.0, "x<y", null, true], #c: 2, _d: 3}))", R"("{\"b\":1,\"a\":[1.0,\"x<y\",null,true]}")"},
    {R"(json.Marshal('\x00\xff'))", R"("\"AP8=\"")"},
    {R"(json.Marshal({a: int | *3}))", R"("{\"a\":3}")"},
    {R"(json.MarshalStream([1, {a: 2}]))", R"("1\n{\"a\":2}\n")"},
    {R"(json.Unmarshal("{\"a\": [1, 2.50]}"))", "{a:[1,2.50]}"},
    {R"(json.Unmarshal("{"))", "error: error in call to encoding/json.Unmarshal: json: invalid JSON"},
    {R"(json.Unmarshal("1") + 1)", "2"},
    {R"(json.UnmarshalStream("1 {\"a\":2}"))", "[1,{a:2}]"},
    {R"(json.UnmarshalStream(""))", "[]"},
    {R"(json.Validate("{\"a\": 2}", {a: <3}))", "true"},
    {R"("{\"a\": 2}" & json.Validate({a: int, b?: int}))", R"("{\"a\": 2}")"},
  });
  EXPECT_EQ(evaluate("json.Marshal({a: int})", {"encoding/json"}),
            R"(error: error in call to encoding/json.Marshal: cannot convert incomplete value "int" to JSON)");
  EXPECT_EQ(evaluate(R"(json.Validate("{\"a\": 4}", {a: <3}))", {"encoding/json"}),
            "error: error in call to encoding/json.Validate: invalid value 4 (out of bound <3)");
}

TEST(Json, DeepNestingIsRefused) {
  EXPECT_EQ(evaluate(R"(json.Valid(strings.Repeat("[", 100000)))", {"encoding/json", "strings"}), "false");
}

TEST(Yaml, Values) {
  expect_all({"encoding/yaml"}, {
    {R"(yaml.Marshal({b: 1, a: ["x", "true", 1.0]}))", R"("b: 1\na:\n  - x\n  - \"true\"\n  - 1.0\n")"},
    {R"(yaml.MarshalStream([{a: 1}, {b: int | *2}]))", R"("a: 1\n---\nb: 2\n")"},
    {R"(yaml.Unmarshal("a: [1, x]\nb: {c: 0x10}"))", R"({a:[1,"x"],b:{c:16}})"},
    {R"(yaml.UnmarshalStream("1\n---\n---\n2"))", "[1,null,2]"},
    {R"(yaml.Validate("a: 2\n---\na: 4", {a: <5}))", "true"},
    {R"(yaml.ValidatePartial("a: 2\n", {a: <5, b: int}))", "true"},
    {R"("a: 2" & yaml.Validate({a: int}))", R"("a: 2")"},
  });
  EXPECT_EQ(evaluate(R"(yaml.Validate("a: 2\n---\na: 4", {a: <3}))", {"encoding/yaml"}),
            "error: error in call to encoding/yaml.Validate: invalid value 4 (out of bound <3)");
  EXPECT_EQ(evaluate(R"(yaml.Validate("a: 2\n", {a: <5, b: int}))", {"encoding/yaml"}),
            "error: error in call to encoding/yaml.Validate: incomplete value int");
}

}  // namespace
}  // namespace opm::cue::standard
