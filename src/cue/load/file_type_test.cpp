#include "cue/load/file_type.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opm::cue::load {
namespace {

using ::testing::ElementsAre;

std::string problem(const std::vector<std::string>& arguments) {
  auto files = parse_file_arguments(arguments);
  return files ? "none" : files.error();
}

TEST(FileType, ComesFromTheExtension) {
  EXPECT_EQ(file_type("a.cue", {})->encoding, Encoding::cue);
  EXPECT_EQ(file_type("dir.x/a.yml", {})->encoding, Encoding::yaml);
  EXPECT_EQ(file_type("a.json", {})->interpretation, Interpretation::automatic);
  EXPECT_EQ(file_type("a.json", {}, FileMode::definition)->interpretation, Interpretation::none);
  EXPECT_EQ(file_type("a.ndjson", {})->encoding, Encoding::json_lines);
  EXPECT_EQ(file_type("a.txt", {})->form, Form::data);
  EXPECT_EQ(file_type("-", {})->encoding, Encoding::cue);
  EXPECT_EQ(file_type("a.bar", {}).error(), "unknown file extension .bar");
  EXPECT_EQ(file_type("a", {}).error(), "no encoding specified for file \"a\"");
  EXPECT_EQ(file_type(".json", {}).error(), "no encoding specified for file \".json\"");
}

TEST(FileType, QualifierWinsOverTheExtension) {
  auto files = parse_file_arguments({"a.cue", "json:", "b.data", "c.yaml", "yaml+data:", "d"});
  ASSERT_TRUE(files);
  ASSERT_EQ(files->size(), 4u);
  EXPECT_EQ((*files)[0].type.encoding, Encoding::cue);
  EXPECT_EQ((*files)[1].type.encoding, Encoding::json);
  EXPECT_EQ((*files)[1].type.interpretation, Interpretation::none);
  EXPECT_EQ((*files)[2].type.encoding, Encoding::json);
  EXPECT_EQ((*files)[3].type.encoding, Encoding::yaml);
  EXPECT_EQ((*files)[3].type.form, Form::data);
}

TEST(FileType, FlagsBelongToSchemas) {
  auto type = file_type("a.yaml", *parse_qualifier("jsonschema+strict"));
  ASSERT_TRUE(type);
  EXPECT_EQ(type->encoding, Encoding::yaml);
  EXPECT_EQ(type->interpretation, Interpretation::json_schema);
  EXPECT_TRUE(type->flags.at("strict"));
  EXPECT_EQ(file_type("a.yaml", *parse_qualifier("strict")).error(), "tag strict is not allowed in this context");
  EXPECT_EQ(file_type("-", *parse_qualifier("openapi"))->encoding, Encoding::json);
}

TEST(FileType, MistakesInArgumentsAreExplained) {
  EXPECT_EQ(problem({"json:a.json"}), "cannot combine file type and file name; did you mean \"json: a.json\"?");
  EXPECT_EQ(problem({"json:"}), "scoped qualifier \"json:\" without file");
  EXPECT_EQ(problem({"json:", "yaml:", "x"}), "scoped qualifier \"json:\" without file");
  EXPECT_EQ(problem({"foo:", "x"}), "unknown filetype foo");
  EXPECT_EQ(problem({"json=1:", "x"}), "cannot specify value for tag \"json\"");
  EXPECT_EQ(problem({"json+yaml:", "x"}), "invalid tag combination");
  EXPECT_EQ(problem({""}), "empty file name");
  EXPECT_EQ(problem({":x.cue"}), "empty filetype prefix in \":x.cue\"");
}

TEST(Arguments, PackagesAndFilesAreToldApart) {
  SplitArguments split =
      split_arguments({".", "a.cue", "./dir", "./x.cue/", "host.org/p@v1", ".:name", "-", "./...", "json:", "file"});
  EXPECT_THAT(split.packages, ElementsAre(".", "./dir", "./x.cue/", "host.org/p@v1", ".:name", "./..."));
  EXPECT_THAT(split.files, ElementsAre("a.cue", "-", "json:", "file"));
}

}  // namespace
}  // namespace opm::cue::load
