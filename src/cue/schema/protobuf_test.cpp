#include "cue/schema/protobuf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cue/syntax/format.h"
#include "cue/syntax/parser.h"

namespace opm::cue::schema {
namespace {

using testing::HasSubstr;

std::string read(std::string text, bool enums_as_numbers = false) {
  base::Arena arena;
  diag::SourceMap sources;
  const diag::Source* source = sources.add("x.proto", std::move(text));
  ProtoOptions options;
  options.enums_as_numbers = enums_as_numbers;
  auto file = read_protobuf(arena, sources, *source, options);
  std::string result;
  if (file) {
    file->syntax->source = nullptr;
    result = syntax::format(*file->syntax);
    result.erase(0, result.find_first_not_of('\n'));
    const diag::Source* written = sources.add("x.cue", result);
    EXPECT_TRUE(syntax::parse_file(arena, *written).errors.empty()) << result;
    return result;
  }
  for (const diag::Diagnostic& error : file.error()) {
    diag::Location place = sources.locate(error.positions.empty() ? diag::Position{} : error.positions.front());
    result += error.message + " at " + std::to_string(place.line) + ":" + std::to_string(place.column) + "\n";
  }
  return result;
}

TEST(Protobuf, WritesMessages) {
  EXPECT_EQ(read("syntax = \"proto3\";\npackage a.b;\n\n// M is one.\nmessage M {\n  // s is text.\n  string s_t = 1; // inline\n"
                 "  repeated M more = 2 [deprecated = true];\n  map<string, int32> counts = 3;\n}\n"),
            "package b\n\n// M is one.\n#M: {\n\t// s is text.\n\tsT?: string @protobuf(1,string,name=s_t) // inline\n"
            "\tmore?: [...#M] @protobuf(2,M,deprecated)\n\tcounts?: {\n\t\t[string]: int32\n\t} @protobuf(3,map[string]int32)\n}\n");
}

TEST(Protobuf, WritesChoices) {
  EXPECT_THAT(read("message M {\n  oneof which {\n    string a = 1;\n    bool b = 2;\n  }\n}\n"),
              HasSubstr("{} | {\n\t\ta: string @protobuf(1,string)\n\t} | {\n\t\tb: bool @protobuf(2,bool)\n\t}"));
}

TEST(Protobuf, WritesEnums) {
  EXPECT_EQ(read("enum E {\n  A = 0;\n  B = 1;\n}\n"),
            "#E: {\"A\", #enumValue: 0} |\n\t{\"B\", #enumValue: 1}\n\n#E_value: {\n\tA: 0\n\tB: 1\n}\n");
  EXPECT_EQ(read("enum E {\n  A = 0;\n  B = 1;\n}\n", true),
            "#E:\n\t#A |\n\t#B\n\n#A: 0\n#B: 1\n\n#E_value: {\n\tA: 0\n\tB: 1\n}\n");
}

TEST(Protobuf, KnowsWellKnownTypes) {
  std::string text = read("import \"google/protobuf/timestamp.proto\";\nimport \"google/protobuf/struct.proto\";\n"
                          "message M { google.protobuf.Timestamp at = 1; google.protobuf.Struct any = 2; }\n");
  EXPECT_THAT(text, HasSubstr("import \"time\""));
  EXPECT_THAT(text, HasSubstr("time.Time @protobuf(1,google.protobuf.Timestamp)"));
}

TEST(Protobuf, TakesConstraints) {
  EXPECT_THAT(read("message M { int32 a = 1 [(cue.val) = \">5\"]; int32 b = 2 [(cue.opt).required = true]; }"),
              HasSubstr("a?: >5"));
}

TEST(Protobuf, SaysWhatIsWrong) {
  EXPECT_EQ(read("message M { Nothing a = 1; }"), "protobuf: name \"Nothing\" not found at 1:13\n");
  EXPECT_EQ(read("message M { string a 1; }"), "protobuf: found \"1\" but expected \"=\" at 1:22\n");
  EXPECT_EQ(read("import \"other.proto\";"), "protobuf: could not find import \"other.proto\" at 1:1\n");
  EXPECT_EQ(read("import \"../../etc/passwd\";"), "protobuf: could not find import \"../../etc/passwd\" at 1:1\n");
  EXPECT_THAT(read("message M {"), HasSubstr("is missing"));
  EXPECT_THAT(read("message M { string a = 1; /*"), HasSubstr("without an end"));
  EXPECT_EQ(read("enum E { }"), "protobuf: empty enum at 1:1\n");
}

TEST(Protobuf, EndsOnHostileInput) {
  std::string deep;
  for (int i = 0; i < 5000; ++i) deep += "message M { ";
  EXPECT_THAT(read(deep), HasSubstr("nested too deeply"));
  EXPECT_THAT(read(std::string(10000, '(')), HasSubstr("protobuf"));
}

}  // namespace
}  // namespace opm::cue::schema
