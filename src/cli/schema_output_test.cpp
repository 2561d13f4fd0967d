#include "cli/schema_output.h"

#include <gtest/gtest.h>

#include "data/json.h"

namespace opm::cli {
namespace {

using cue::load::Interpretation;

std::string schema(std::string source, Interpretation language = Interpretation::json_schema) {
  auto value = write_schema(std::move(source), language);
  if (!value) return "error: " + value.error();
  std::string text = data::write_json(*value);
  std::string_view head = R"({"$schema":"https://json-schema.org/draft/2020-12/schema")";
  return text.starts_with(head) ? "{" + text.substr(std::min(head.size() + 1, text.size() - 1)) : text;
}

TEST(SchemaOutput, StructsListsAndBounds) {
  EXPECT_EQ(schema("t1?: int\n"), R"({"type":"object","properties":{"t1":{"type":"integer"}}})");
  EXPECT_EQ(schema("a: [...string]\nb: uint8 & <10\nc!: =~\"^x\"\n[string]: _\n"),
            R"({"type":"object","required":["a","b","c"],"properties":{"a":{"type":"array","items":{"type":"string"}},)"
            R"("b":{"type":"integer","minimum":0,"maximum":255,"exclusiveMaximum":10},"c":{"pattern":"^x"}},)"
            R"("additionalProperties":{}})");
  EXPECT_EQ(schema("a?: *1 | int\nb?: \"x\" | \"y\" | null\nc?: string | {d: bool}\n"),
            R"({"type":"object","properties":{"a":{"type":"integer","default":1},"b":{"enum":["x","y",null]},)"
            R"("c":{"anyOf":[{"type":"string"},{"type":"object","required":["d"],"properties":{"d":{"type":"boolean"}}}]}}})");
}

TEST(SchemaOutput, DefinitionsAreReferredTo) {
  EXPECT_EQ(schema("#B: #A\n#A: strings.MinRunes(1)\n"),
            R"({"$defs":{"A":{"minLength":1,"type":"string"},"B":{"$ref":"#/$defs/A"}}})");
  EXPECT_EQ(schema("// A title.\n\n$version: \"v1\"\n#A: {b: >0}\n", Interpretation::openapi),
            R"({"openapi":"3.0.0","info":{"title":"A title.","version":"v1"},"paths":{},"components":{"schemas":{"A":)"
            R"({"type":"object","required":["b"],"properties":{"b":{"minimum":0,"exclusiveMinimum":true}}}}}})");
}

TEST(SchemaOutput, SaysWhatHasNoCounterpart) {
  EXPECT_EQ(schema("a: b + 1\n"), "error: an operator has no counterpart in the schema language");
  EXPECT_EQ(schema("a: b\n"), "error: a reference to b has no counterpart in the schema language");
}

}  // namespace
}  // namespace opm::cli
