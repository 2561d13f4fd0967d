#include "cue/load/embed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cue/load/load.h"
#include "data/json.h"

namespace opm::cue::load {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class EmbedTest : public ::testing::Test {
 protected:
  EmbedTest() {
    options.directory = "/m";
    files.add_file("/m/cue.mod/module.cue", "module: \"mod.test/m@v0\"\nlanguage: version: \"v0.15.0\"\n");
    files.add_file("/m/d.json", "{\"q\": 1}");
    files.add_file("/m/e.yaml", "a: 1\n---\na: 2\n");
    files.add_file("/m/t/a.txt", "hi\n");
    files.add_file("/m/t/b.txt", "ho");
    files.add_file("/m/t/.c.txt", "hidden");
    files.add_file("/m/n/cue.mod/module.cue", "module: \"mod.test/n@v0\"\n");
    files.add_file("/m/n/d.json", "{}");
    files.add_file("/secret.txt", "secret");
    files.add_link("/m/out.txt", "/secret.txt");
    files.add_link("/m/in.txt", "t/a.txt");
  }

  LoadResult load(const std::string& attribute, const std::string& head = "@extern(embed)\n") {
    files.add_file("/m/x.cue", head + "package x\nv: _ @embed(" + attribute + ")\n");
    options.files = &files;
    return cue::load::load({"."}, options, sources);
  }
  std::string value(const std::string& attribute) {
    LoadResult result = load(attribute);
    if (!result.errors.empty()) return "error: " + result.errors[0].message;
    const Package& package = result.package(result.instances.at(0));
    if (package.embedded.size() != 1) return std::to_string(package.embedded.size()) + " values";
    const data::Value& embedded = package.embedded.begin()->second;
    if (embedded.is_bytes()) return "bytes " + embedded.as_bytes().bytes;
    return data::write_json(embedded);
  }

  base::MemoryFileSystem files;
  diag::SourceMap sources;
  LoadOptions options;
};

TEST_F(EmbedTest, FilesAreReadByTheirType) {
  EXPECT_EQ(value("file=d.json"), R"({"q":1})");
  EXPECT_EQ(value("file=\"d.json\", type=text"), R"("{\"q\": 1}")");
  EXPECT_EQ(value("file=d.json, type=binary"), "bytes {\"q\": 1}");
  EXPECT_EQ(value("glob=t/*.txt"), R"({"t/a.txt":"hi\n","t/b.txt":"ho"})");
  EXPECT_EQ(value("glob=none/*.txt, allowEmptyGlob"), "{}");
  EXPECT_EQ(value("file=in.txt"), R"("hi\n")");
}

TEST_F(EmbedTest, NothingOutsideTheModuleIsRead) {
  EXPECT_EQ(value("file=\"../secret.txt\""), "error: @embed: cannot refer to parent directory");
  EXPECT_EQ(value("file=\"/secret.txt\""), "error: @embed: only relative files are allowed");
  EXPECT_EQ(value("file=out.txt"), "error: @embed: cannot embed file \"out.txt\": outside the module");
  EXPECT_EQ(value("glob=*.txt"), "error: @embed: cannot embed file \"out.txt\": outside the module");
  EXPECT_EQ(value("file=n/d.json"), "error: @embed: cannot embed file \"n/d.json\": in different module");
}

TEST_F(EmbedTest, MistakesAreExplained) {
  EXPECT_EQ(value(""), "error: @embed: attribute must have file or glob field");
  EXPECT_EQ(value("file=d.json,glob=*.json"), "error: @embed: attribute cannot have both file and glob field");
  EXPECT_EQ(value("file=d.json,allowEmptyGlob"), "error: @embed: allowEmptyGlob must be specified with a glob field");
  EXPECT_EQ(value("file=./d.json"), "error: @embed: path not normalized, use \"d.json\" instead");
  EXPECT_EQ(value("file=none.json"), "error: @embed: open none.json: no such file or directory");
  EXPECT_EQ(value("file=t,type=text"), "error: @embed: cannot embed directories");
  EXPECT_EQ(value("glob=t/*"), "error: @embed: extension not fully specified; type argument required");
  EXPECT_EQ(value("glob=none/*.txt"), "error: @embed: no matches for glob pattern \"none/*.txt\"");
  EXPECT_EQ(value("file=e.yaml"), "error: @embed: streaming not implemented: found more than one value in file");
  EXPECT_EQ(value("file=x.cue"), "error: @embed: encoding \"cue\" not (yet) supported");
  EXPECT_EQ(value("file=x.foo"), "error: @embed: unknown file extension .foo");
  EXPECT_EQ(value("file=d.json,type=foo"), "error: @embed: unknown filetype foo");
}

TEST_F(EmbedTest, OnlyWhereTheFileAsksForIt) {
  LoadResult result = load("file=d.json", "");
  EXPECT_THAT(result.errors, IsEmpty());
  EXPECT_THAT(result.package(result.instances[0]).embedded, IsEmpty());
  EXPECT_EQ(load("file=d.json", "@extern(foo)\n").errors.at(0).message, "no injection defined for \"foo\"");
  files.add_file("/m/x.cue", "package x\n@extern(embed)\n");
  EXPECT_EQ(cue::load::load({"."}, options, sources).errors.at(0).message,
            "extern attribute must appear before package clause");
}

TEST_F(EmbedTest, AttributesInStructsCountToo) {
  files.add_file("/m/x.cue", "@extern(embed)\npackage x\na: {@embed(file=d.json)}\nb: [{c: _ @embed(file=d.json)}]\n");
  options.files = &files;
  LoadResult result = cue::load::load({"."}, options, sources);
  EXPECT_THAT(result.errors, IsEmpty());
  EXPECT_EQ(result.package(result.instances[0]).embedded.size(), 2u);
}

TEST_F(EmbedTest, FilesOutsideAModuleHaveNothingToEmbed) {
  files = base::MemoryFileSystem{{"/m/d.json", "{}"}};
  EXPECT_EQ(load("file=d.json").errors.at(0).message, "cannot embed files when not in a module");
}

}  // namespace
}  // namespace opm::cue::load
