#include "cue/load/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/path.h"

namespace opm::cue::load {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kModule = "module: \"mod.test/m@v0\"\nlanguage: version: \"v0.15.0\"\n";

class LoadTest : public ::testing::Test {
 protected:
  LoadTest() { options.directory = "/m"; }

  void with_module() { files.add_file("/m/cue.mod/module.cue", kModule); }

  LoadResult load(std::vector<std::string> arguments) {
    options.files = &files;
    return cue::load::load(arguments, options, sources);
  }
  // Paths below /m of all files of an instance.
  std::vector<std::string> file_names(const LoadResult& result, std::size_t instance = 0) {
    std::vector<std::string> names;
    for (const PackageFile& file : result.package(result.instances.at(instance)).files)
      names.push_back(base::relative_path("/m", file.path));
    return names;
  }
  std::vector<std::string> messages(const LoadResult& result) {
    std::vector<std::string> texts;
    for (const diag::Diagnostic& error : result.errors) {
      std::string text = (error.path.empty() ? "" : error.path + ": ") + error.message;
      for (diag::Position position : error.positions) {
        diag::Location place = sources.locate(position);
        text += " @" + std::string(place.file) + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
      }
      texts.push_back(text);
    }
    return texts;
  }
  const Package& first(const LoadResult& result) { return result.package(result.instances.at(0)); }

  base::MemoryFileSystem files;
  diag::SourceMap sources;
  LoadOptions options;
};

TEST_F(LoadTest, PackageHasTheFilesOfItsFolderAndParents) {
  with_module();
  files.add_file("/m/top.cue", "package x\ntop: 1\n");
  files.add_file("/m/other.cue", "package other\n");
  files.add_file("/m/a/b/z.cue", "package x\n");
  files.add_file("/m/a/b/y.cue", "package x\n");
  files.add_file("/m/a/a.cue", "package x\n");
  files.add_file("/m/a/plain.cue", "a: 1\n");
  LoadResult result = load({"./a/b"});
  EXPECT_THAT(messages(result), IsEmpty());
  EXPECT_THAT(file_names(result), ElementsAre("top.cue", "a/a.cue", "a/b/y.cue", "a/b/z.cue"));
  const Package& package = first(result);
  EXPECT_EQ(package.name, "x");
  EXPECT_EQ(package.import_path, "mod.test/m/a/b@v0:x");
  EXPECT_EQ(package.display_path, "./a/b");
  EXPECT_EQ(package.directory, "/m/a/b");
  EXPECT_EQ(package.root, "/m");
  EXPECT_EQ(package.module.path, "mod.test/m@v0");
  EXPECT_EQ(package.language_version, "v0.15.0");
  EXPECT_EQ(package.files[0].source->path, "./top.cue");
}

TEST_F(LoadTest, WithoutModuleOnlyTheFolderCounts) {
  files.add_file("/m/top.cue", "package x\n");
  files.add_file("/m/a/a.cue", "package x\n");
  LoadResult result = load({"./a"});
  EXPECT_THAT(messages(result), IsEmpty());
  EXPECT_THAT(file_names(result), ElementsAre("a/a.cue"));
  EXPECT_EQ(first(result).import_path, "");
}

TEST_F(LoadTest, SearchStopsAtTheNearestModule) {
  with_module();
  files.add_file("/m/top.cue", "package x\n");
  files.add_file("/m/n/cue.mod/module.cue", "module: \"mod.test/n@v0\"\nlanguage: version: \"v0.15.0\"\n");
  files.add_file("/m/n/n.cue", "package x\n");
  options.directory = "/m/n";
  LoadResult result = load({});
  EXPECT_THAT(file_names(result), ElementsAre("n/n.cue"));
  options.directory = "/m";
  EXPECT_THAT(messages(load({"./n"})),
              ElementsAre("cannot determine import path for \"./n\" (directory is in a nested module)"));
}

TEST_F(LoadTest, TestsToolsAndHiddenFilesStayOut) {
  with_module();
  files.add_file("/m/x.cue", "package x\n");
  files.add_file("/m/x_test.cue", "package x\n");
  files.add_file("/m/x_tool.cue", "package x\n");
  files.add_file("/m/_h.cue", "package x\n");
  files.add_file("/m/.h.cue", "package x\n");
  EXPECT_THAT(file_names(load({"."})), ElementsAre("x.cue"));
  options.tests = true;
  EXPECT_THAT(file_names(load({"."})), ElementsAre("x.cue", "x_test.cue"));
  options.tests = false;
  options.tools = true;
  EXPECT_THAT(file_names(load({"."})), ElementsAre("x.cue", "x_tool.cue"));
}

TEST_F(LoadTest, AddedFilesJoinWhateverTheirName) {
  with_module();
  files.add_file("/m/x.cue", "package x\n");
  options.overlay["/m/_release.cue"] = "package x\nrelease: true\n";
  options.added_files = {"/m/_release.cue"};
  LoadResult result = load({"."});
  EXPECT_THAT(messages(result), IsEmpty());
  EXPECT_THAT(file_names(result), ElementsAre("_release.cue", "x.cue"));
  options.overlay["/m/_release.cue"] = "package y\n";
  EXPECT_THAT(messages(load({"."})), ElementsAre("found packages \"x\" (x.cue) and \"y\" (_release.cue) in \".\""));
  options.added_files = {"/other/_release.cue"};
  EXPECT_THAT(messages(load({"."})), ElementsAre("no package to add ../other/_release.cue to"));
}

TEST_F(LoadTest, OverlayMayBringAWholeModule) {
  options.overlay = {{"/m/cue.mod/module.cue", kModule},
                     {"/m/dir/x.cue", "package dir\nimport \"mod.test/m/lib\"\nx: lib\n"},
                     {"/m/lib/l.cue", "package lib\n"}};
  LoadResult result = load({"./dir"});
  EXPECT_THAT(messages(result), IsEmpty());
  EXPECT_TRUE(first(result).imports.at("mod.test/m/lib").package);
}

TEST_F(LoadTest, BuildAttributesChooseFiles) {
  with_module();
  files.add_file("/m/prod.cue", "@if(prod)\npackage x\n");
  files.add_file("/m/dev.cue", "@if(!prod)\npackage x\n");
  EXPECT_THAT(file_names(load({"."})), ElementsAre("dev.cue"));
  options.tags = {"prod"};
  LoadResult result = load({"."});
  EXPECT_THAT(file_names(result), ElementsAre("prod.cue"));
  EXPECT_THAT(messages(result), IsEmpty());
  options.ignore_build_attributes = true;
  options.tags = {};
  EXPECT_THAT(file_names(load({"."})), ElementsAre("dev.cue", "prod.cue"));
}

TEST_F(LoadTest, FoldersWithoutAPackageAreExplained) {
  with_module();
  files.add_file("/m/anon/n.cue", "x: 1\n");
  files.add_file("/m/iff/i.cue", "@if(foo)\npackage iff\n");
  files.add_file("/m/data/d.json", "{}");
  files.add_file("/m/hidden/_y.cue", "package y\n");
  files.add_directory("/m/empty");
  EXPECT_THAT(messages(load({"./anon"})),
              ElementsAre("build constraints exclude all CUE files in ./anon:\n    ./anon/n.cue: no package name"));
  EXPECT_THAT(
      messages(load({"./iff"})),
      ElementsAre("build constraints exclude all CUE files in ./iff:\n    ./iff/i.cue: @if(foo) did not match"));
  EXPECT_THAT(messages(load({"./data"})), ElementsAre("no CUE files in ./data"));
  EXPECT_THAT(messages(load({"./hidden"})), ElementsAre("no CUE files in ./hidden"));
  EXPECT_THAT(messages(load({"./empty"})), ElementsAre("cue: \"./empty\" matched no packages"));
  EXPECT_THAT(messages(load({"./none"})), ElementsAre("cannot find package \"./none\""));
  EXPECT_THAT(messages(load({".."})), ElementsAre("cannot determine import path for \"..\" (dir outside of root)"));
}

TEST_F(LoadTest, SeveralPackagesNeedAName) {
  with_module();
  files.add_file("/m/multi/p.cue", "package p\n");
  files.add_file("/m/multi/q.cue", "package q\n");
  EXPECT_THAT(messages(load({"./multi"})), ElementsAre("found packages \"p\" (p.cue) and \"q\" (q.cue) in \"multi\""));
  EXPECT_THAT(messages(load({"./..."})), ElementsAre("found packages \"p\" (p.cue) and \"q\" (q.cue) in \"multi\""));
  EXPECT_THAT(file_names(load({"./multi:q"})), ElementsAre("multi/q.cue"));
  EXPECT_THAT(
      messages(load({"./multi:z"})),
      ElementsAre("build constraints exclude all CUE files in ./multi:\n    ./multi/p.cue: package is p, want z\n"
                  "    ./multi/q.cue: package is q, want z"));
  options.package = "p";
  EXPECT_THAT(file_names(load({"./multi"})), ElementsAre("multi/p.cue"));
  options.package = "*";
  LoadResult all = load({"./multi"});
  ASSERT_EQ(all.instances.size(), 2u);
  EXPECT_EQ(all.package(all.instances[0]).import_path, "mod.test/m/multi@v0:p");
  EXPECT_EQ(all.package(all.instances[1]).name, "q");
  options.package = "_";
  files.add_file("/m/multi/plain.cue", "a: 1\n");
  EXPECT_THAT(file_names(load({"./multi"})), ElementsAre("multi/plain.cue"));
}

TEST_F(LoadTest, PatternsWalkTheModule) {
  with_module();
  files.add_file("/m/x.cue", "package x\n");
  files.add_file("/m/a/a.cue", "package a\n");
  files.add_file("/m/a/deep/er/d.cue", "package d\n");
  files.add_file("/m/_skip/s.cue", "package s\n");
  files.add_file("/m/.skip/s.cue", "package s\n");
  files.add_file("/m/testdata/s.cue", "package s\n");
  files.add_file("/m/nested/cue.mod/module.cue", kModule);
  files.add_file("/m/nested/s.cue", "package s\n");
  files.add_file("/m/cue.mod/pkg/h.org/p/p.cue", "package p\n");
  files.add_file("/m/data/only.json", "{}");
  files.add_link("/m/loop", "/m");
  LoadResult result = load({"./..."});
  EXPECT_THAT(messages(result), IsEmpty());
  std::vector<std::string> paths;
  for (PackageId id : result.instances) paths.push_back(result.package(id).import_path);
  EXPECT_THAT(paths, ElementsAre("mod.test/m@v0:x", "mod.test/m/a@v0", "mod.test/m/a/deep/er@v0:d"));
  EXPECT_EQ(load({"./a/..."}).instances.size(), 2u);
  EXPECT_EQ(load({"mod.test/m/a/..."}).instances.size(), 2u);
  EXPECT_EQ(load({"./...:d"}).instances.size(), 1u);
  EXPECT_THAT(messages(load({"./data/..."})), ElementsAre("cue: \"./data/...\" matched no packages"));
  EXPECT_THAT(messages(load({"./...:none"})), ElementsAre("cue: \"./...\" matched no packages"));
  EXPECT_THAT(messages(load({"d/..."})), ElementsAre("pattern not allowed in external package path \"d/...\""));
  options.max_directories = 2;
  EXPECT_THAT(messages(load({"./..."})), ElementsAre("more than 2 folders below ."));
}

TEST_F(LoadTest, FilesAsArgumentsMakeOneInstance) {
  with_module();
  files.add_file("/m/a/x.cue", "package x\n");
  files.add_file("/m/a/plain.cue", "a: 1\n");
  files.add_file("/m/a/_h.cue", "package x\n");
  files.add_file("/m/d.yaml", "a: 1\n");
  files.add_file("/m/y.cue", "package y\n");
  options.standard_input = "b: 2\n";
  LoadResult result = load({"a/x.cue", "/m/a/plain.cue", "a/_h.cue", "-", "d.yaml", "json:", "y.cue"});
  EXPECT_THAT(messages(result), IsEmpty());
  EXPECT_THAT(result.instances.size(), 1u);
  const Package& package = first(result);
  EXPECT_TRUE(package.is_command_line);
  EXPECT_EQ(package.name, "x");
  EXPECT_EQ(package.display_path, "command-line-arguments");
  EXPECT_EQ(package.files.size(), 4u);
  ASSERT_EQ(package.data_files.size(), 2u);
  EXPECT_EQ(package.data_files[0].type.encoding, Encoding::yaml);
  EXPECT_EQ(package.data_files[1].type.encoding, Encoding::json);
  EXPECT_THAT(messages(load({"a/x.cue", "y.cue"})),
              ElementsAre("found packages \"x\" (x.cue) and \"y\" (y.cue) in \".\""));
  EXPECT_THAT(messages(load({"none.cue"})), ElementsAre("stat /m/none.cue: no such file or directory"));
  EXPECT_THAT(messages(load({"d.unknown"})), ElementsAre("unknown file extension .unknown"));
}

TEST_F(LoadTest, PackagesAndDataFilesMix) {
  with_module();
  files.add_file("/m/x.cue", "package x\n");
  files.add_file("/m/data/d.json", "{}");
  LoadResult result = load({".", "data/d.json"});
  EXPECT_THAT(messages(result), IsEmpty());
  ASSERT_EQ(result.instances.size(), 2u);
  EXPECT_EQ(result.package(result.instances[1]).data_files.size(), 1u);
}

TEST_F(LoadTest, FolderCalledLikeAFile) {
  with_module();
  files.add_file("/m/x.cue/y.cue", "package y\n");
  files.add_file("/m/top.cue", "package top\n");
  EXPECT_THAT(messages(load({"./x.cue"})), ElementsAre("read /m/x.cue: is a directory"));
  EXPECT_THAT(file_names(load({"./x.cue/"})), ElementsAre("x.cue/y.cue"));
  EXPECT_THAT(messages(load({"."})), IsEmpty());
}

TEST_F(LoadTest, SyntaxErrorsAreThePackages) {
  with_module();
  files.add_file("/m/x.cue", "package x\na: {\n");
  files.add_file("/m/y.cue", "package x\nb: ]\n");
  LoadResult result = load({"."});
  ASSERT_GE(result.errors.size(), 2u);
  EXPECT_FALSE(first(result).ok());
  for (const diag::Diagnostic& error : result.errors) EXPECT_FALSE(error.positions.empty());
}

TEST_F(LoadTest, UnreadableFilesAreNamed) {
  with_module();
  files.add_file("/m/x.cue", "package x\n");
  files.add_link("/m/loop.cue", "loop.cue");
  files.add_link("/m/gone.cue", "nowhere");
  EXPECT_THAT(messages(load({"."})), ElementsAre("open ./gone.cue: no such file or directory",
                                                 "open ./loop.cue: too many levels of symbolic links"));
  options.max_file_bytes = 3;
  files.add_file("/m/s/x.cue", "package x\n");
  EXPECT_THAT(messages(load({"./s"})), ElementsAre("open ./s/x.cue: file is larger than 3 bytes"));
}

TEST_F(LoadTest, BytesThatAreNoTextAreAnError) {
  with_module();
  files.add_file("/m/x.cue", "package x\na: \"\xff\xfe\"\n");
  EXPECT_FALSE(load({"."}).errors.empty());
  files.add_file("/m/x.cue", std::string("package x\0\n", 11));
  EXPECT_FALSE(load({"."}).errors.empty());
}

TEST_F(LoadTest, ModuleFileErrorsStopEverything) {
  files.add_file("/m/cue.mod/module.cue", "module: \"abc\"\nlanguage: version: \"v0.15.0\"\n");
  files.add_file("/m/x.cue", "package x\n");
  LoadResult result = load({"."});
  EXPECT_TRUE(result.instances.empty());
  ASSERT_EQ(result.errors.size(), 1u);
  files = base::MemoryFileSystem{{"/m/cue.mod", "module: \"a.b/c\""}, {"/m/x.cue", "package x\n"}};
  EXPECT_THAT(messages(load({"."})), ElementsAre("cue.mod files are no longer supported; use cue.mod/module.cue"));
}

TEST_F(LoadTest, InsideCueModIsNoPlaceToWork) {
  with_module();
  options.directory = "/m/cue.mod";
  EXPECT_THAT(messages(load({"."})), ElementsAre("cannot load packages inside the cue.mod directory"));
}

TEST_F(LoadTest, TagsArePutIntoFields) {
  with_module();
  files.add_file(
      "/m/x.cue",
      "package x\nenv: string @tag(env,short=prod|dev)\nn: int @tag(n,type=int)\nb: bool @tag(b,type=bool)\n");
  options.tags = {"prod", "n=0x10", "b=T"};
  LoadResult result = load({"."});
  EXPECT_THAT(messages(result), IsEmpty());
  std::vector<std::string> injected;
  for (const syntax::Declaration* declaration : first(result).files[0].syntax->declarations) {
    if (declaration->kind != syntax::NodeKind::field) continue;
    const auto* value = syntax::as<syntax::Field>(declaration)->value;
    ASSERT_EQ(value->kind, syntax::NodeKind::binary);
    const auto* literal = syntax::as<syntax::BasicLiteral>(syntax::as<syntax::Binary>(value)->right);
    injected.emplace_back(literal->text);
  }
  EXPECT_THAT(injected, ElementsAre("\"prod\"", "0x10", "true"));
}

TEST_F(LoadTest, TagMistakesAreTold) {
  with_module();
  files.add_file("/m/x.cue",
                 "package x\nn: int @tag(n,type=int)\nf: number @tag(f,type=number)\nb: bool @tag(b,type=bool)\n");
  auto with = [&](std::string tag) {
    options.tags = {std::move(tag)};
    std::vector<std::string> found = messages(load({"."}));
    return found.empty() ? std::string("none") : found.front();
  };
  EXPECT_EQ(with("x=1"), "no tag for \"x\"");
  EXPECT_EQ(with("x"), "tag \"x\" not used in any file");
  EXPECT_EQ(with("n=1.5"), "invalid int \"1.5\" for injection tag \"n\" @./x.cue:2:8");
  EXPECT_EQ(with("n=abc"), "invalid number for injection tag \"n\": illegal number \"abc\" @./x.cue:2:8");
  EXPECT_EQ(with("f=1.5"), "none");
  EXPECT_EQ(with("b=maybe"), "invalid boolean \"maybe\" for injection tag \"b\" @./x.cue:4:9");
}

TEST_F(LoadTest, TagsBelongToPlainFields) {
  with_module();
  files.add_file("/m/x.cue",
                 "package x\nl: [{a: 1 @tag(a)}]\no?: int @tag(o)\n[string]: {p: 1 @tag(p)}\nif true {c: 1 @tag(c)}\n"
                 "t: 1 @tag(t,type=foo)\ni: 1 @tag(0i)\n");
  EXPECT_THAT(messages(load({"."})),
              ElementsAre("@tag not allowed within lists @./x.cue:2:11",
                          "@tag not allowed within field constraint @./x.cue:3:9",
                          "@tag not allowed within field constraint @./x.cue:4:17",
                          "@tag not allowed within comprehension @./x.cue:5:15", "invalid type \"foo\" @./x.cue:6:6",
                          "invalid identifier \"0i\" @./x.cue:7:6"));
}

TEST_F(LoadTest, TagVariablesFillWhatIsNotGiven) {
  with_module();
  files.add_file("/m/x.cue", "package x\na: string @tag(a,var=now)\n");
  options.tag_variables.emplace();
  (*options.tag_variables)["now"] = {"today"};
  LoadResult result = load({"."});
  const auto* field = syntax::as<syntax::Field>(first(result).files[0].syntax->declarations.back());
  EXPECT_EQ(field->value->kind, syntax::NodeKind::binary);
  options.tag_variables->clear();
  EXPECT_THAT(messages(load({"."})), ElementsAre("tag variable 'now' not found @./x.cue:2:11"));
}

}  // namespace
}  // namespace opm::cue::load
