#include "cue/schema/json_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cue/syntax/format.h"
#include "cue/syntax/parser.h"
#include "data/json.h"

namespace opm::cue::schema {
namespace {

using testing::HasSubstr;

struct Read {
  std::string text;  // CUE, or the errors
  bool ok = false;
};

Read read(std::string json, JsonSchemaOptions options = {}) {
  base::Arena arena;
  diag::SourceMap sources;
  const diag::Source* source = sources.add("schema.json", std::move(json));
  auto document = data::read_json(*source);
  if (!document) return {"no JSON: " + document.error().front().message};
  auto file = detect(*document) == Language::openapi ? read_openapi(arena, *source, *document, options)
                                                     : read_json_schema(arena, *source, *document, options);
  Read result;
  result.ok = file.has_value();
  if (file) {
    (*file)->source = nullptr;
    result.text = syntax::format(**file);
    result.text.erase(0, result.text.find_first_not_of('\n'));
    const diag::Source* written = sources.add("schema.cue", result.text);
    EXPECT_TRUE(syntax::parse_file(arena, *written).errors.empty()) << result.text;
  } else {
    for (const diag::Diagnostic& error : file.error()) {
      diag::Location place = sources.locate(error.positions.empty() ? diag::Position{} : error.positions.front());
      result.text += error.message + " at " + std::to_string(place.line) + ":" + std::to_string(place.column) + "\n";
    }
  }
  return result;
}

TEST(JsonSchema, WritesTypesWithWhatIsAskedOfThem) {
  EXPECT_EQ(read(R"({"type": "string", "minLength": 2, "pattern": "^a"})").text,
            "import \"strings\"\n\nstrings.MinRunes(2) & =~\"^a\"\n");
  EXPECT_EQ(read(R"({"type": ["integer", "null"], "minimum": -1.5})").text, "null | int & >=-1.5\n");
  EXPECT_EQ(read(R"({"type": "number", "multipleOf": 0.5})").text, "import \"math\"\n\nmath.MultipleOf(0.5)\n");
  EXPECT_EQ(read(R"({"enum": ["a", 1, null]})").text, "\"a\" | 1 | null\n");
  EXPECT_EQ(read(R"({"const": {"a": [true]}})").text, "close({\n\ta!: [true]\n})\n");
  EXPECT_EQ(read("true").text, "_\n");
  EXPECT_EQ(read("false").text, "error(\"disallowed\")\n");
}

TEST(JsonSchema, WritesObjects) {
  EXPECT_EQ(read(R"({"type": "object", "properties": {"a": {"type": "string"}, "b-c": true}, "required": ["a", "d"]})").text,
            "a!:     string\n\"b-c\"?: _\nd!:     _\n...\n");
  EXPECT_EQ(read(R"({"type": "object", "additionalProperties": {"type": "integer"}})").text, "[string]: int\n");
  EXPECT_EQ(read(R"({"type": "object", "additionalProperties": false, "properties": {"a": true}})").text,
            "close({\n\ta?: _\n})\n");
  std::string patterns = read(R"({"type": "object", "properties": {"a": true}, "patternProperties": {"^x": {"type": "string"}},
                                  "additionalProperties": {"type": "null"}})").text;
  EXPECT_THAT(patterns, HasSubstr("{[=~\"^x\"]: string}"));
  EXPECT_THAT(patterns, HasSubstr("{[!~\"^x\" & !~\"^(a)$\"]: null}"));
  EXPECT_THAT(read(R"({"type": "object", "dependentRequired": {"a": ["b"], "c-d": ["e"]}})").text,
              HasSubstr("if a != _|_ {"));
}

TEST(JsonSchema, WritesLists) {
  EXPECT_EQ(read(R"({"type": "array", "items": {"type": "string"}})").text, "[...string]\n");
  EXPECT_EQ(read(R"({"type": "array", "prefixItems": [{"type": "string"}], "items": false})").text, "[string]\n");
  EXPECT_EQ(read(R"({"type": "array", "minItems": 2})").text, "[_, _, ...]\n");
  EXPECT_EQ(read(R"({"type": "array", "minItems": 4000000000})").text, "import \"list\"\n\nlist.MinItems(4000000000)\n");
  EXPECT_EQ(read(R"({"type": "array", "contains": {"type": "null"}, "maxContains": 3})").text,
            "import \"list\"\n\nlist.MatchN(>=1 & <=3, null)\n");
}

TEST(JsonSchema, WritesCombinations) {
  EXPECT_EQ(read(R"({"oneOf": [{"type": "string"}, {"type": "integer"}]})").text, "matchN(1, [string, int])\n");
  EXPECT_THAT(read(R"({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]})").text, HasSubstr("matchN(>=1, ["));
  EXPECT_THAT(read(R"({"not": {"type": "string"}})").text, HasSubstr("matchN(0, [string])"));
  EXPECT_THAT(read(R"({"if": {"type": "string"}, "then": {"minLength": 1}})").text, HasSubstr("matchIf(string, "));
}

TEST(JsonSchema, FollowsReferences) {
  EXPECT_EQ(read(R"({"$defs": {"a": {"type": "string"}, "b-c": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/b-c"})").text,
            "#.\"b-c\"\n\n#: \"b-c\": #a\n\n#a: string\n");
  EXPECT_THAT(read(R"({"type": "object", "properties": {"child": {"$ref": "#"}}})").text, HasSubstr("child?: _schema"));
  EXPECT_THAT(read(R"({"properties": {"a": {"type": "string"}, "b": {"$ref": "#/properties/a"}}})").text,
              HasSubstr("_#defs: \"/properties/a\": string"));
  // Where a name leads is only known once all were seen.
  EXPECT_EQ(read(R"({"$ref": "https://a.example/b", "$defs": {"x": {"$id": "https://a.example/b", "type": "string"}}})").text,
            "#x\n\n#x: {\n\t@jsonschema(id=\"https://a.example/b\")\n\tstring\n}\n");
  EXPECT_EQ(read(R"({"$ref": "#/nowhere"})").text, "reference to non-existent schema at 1:3\n");
  EXPECT_THAT(read(R"({"$ref": "https://a.example/thing.json"})").text, HasSubstr("import \"a.example/thing.json:thing\""));
}

TEST(JsonSchema, HeedsVersions) {
  EXPECT_EQ(read(R"({"$schema": "http://json-schema.org/draft-04/schema#", "type": "integer", "minimum": 1, "exclusiveMinimum": true})").text,
            "@jsonschema(schema=\"http://json-schema.org/draft-04/schema#\")\nint & >1\n");
  JsonSchemaOptions strict;
  strict.strict_keywords = strict.strict_features = true;
  EXPECT_EQ(read(R"({"typ": "string", "$anchor": "a"})", strict).text,
            "unknown keyword \"typ\" at 1:3\nkeyword \"$anchor\" not yet implemented at 1:20\n");
  EXPECT_EQ(read(R"({"typ": "string", "$anchor": "a"})").text, "_\n");
}

TEST(JsonSchema, SaysWhatIsWrong) {
  EXPECT_EQ(read(R"({"type": "sting"})").text, "unknown type \"sting\" at 1:3\n");
  EXPECT_EQ(read(R"({"title": 5})").text, "invalid string at 1:3\n");
  EXPECT_EQ(read("[]").text, "schema expects mapping node, found list at 1:1\n");
  EXPECT_THAT(read(R"({"pattern": "("})").text, HasSubstr("invalid regexp"));
  EXPECT_TRUE(read(R"({"pattern": "(?=a)b"})").ok);  // other engines know it
}

TEST(JsonSchema, EndsOnHostileInput) {
  std::string deep;
  for (int i = 0; i < 400; ++i) deep += R"({"not":)";
  deep += "true" + std::string(400, '}');
  EXPECT_THAT(read(deep).text, HasSubstr("schema is nested too deeply"));
  EXPECT_TRUE(read(R"({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"})").ok);
  EXPECT_FALSE(read(R"({"minItems": -1, "maxLength": 1e99, "multipleOf": 0, "required": 3, "items": [1]})").ok);
}

TEST(OpenApi, WritesSchemasAsDefinitions) {
  EXPECT_EQ(read(R"({"openapi": "3.0.0", "info": {"title": "T", "version": "v1"}, "components": {"schemas": {
                     "A": {"type": "object", "required": ["b"], "properties": {"b": {"$ref": "#/components/schemas/B"}}},
                     "B": {"type": "integer", "nullable": true}}}})").text,
            "// T\n\ninfo: {\n\ttitle:   *\"T\" | string\n\tversion: *\"v1\" | string\n}\n\n#A: {\n\tb!: #B\n\t...\n}\n\n#B: null | int\n");
}

}  // namespace
}  // namespace opm::cue::schema
