#include "cue/module/module_file.h"

#include <gtest/gtest.h>

#include "diag/source.h"

namespace opm::cue::module {
namespace {

constexpr std::string_view kLanguage = "language: version: \"v0.15.0\"\n";

class ModuleFileTest : public ::testing::Test {
 protected:
  std::expected<ModuleFile, std::vector<diag::Diagnostic>> read(std::string text,
                                                                Strictness strictness = Strictness::lenient) {
    return read_module_file(*sources.add("./cue.mod/module.cue", std::move(text)), strictness);
  }
  std::string first_error(std::string text, Strictness strictness = Strictness::lenient) {
    auto file = read(std::move(text), strictness);
    if (file) return "none";
    const diag::Diagnostic& error = file.error().front();
    return (error.path.empty() ? "" : error.path + ": ") + error.message;
  }
  std::string with_language(std::string_view text) { return std::string(text) + "\n" + std::string(kLanguage); }

  diag::SourceMap sources;
};

TEST_F(ModuleFileTest, SaysWhatAModuleIs) {
  auto file = read(R"(
// A module.
module: "example.org/app@v1"
language: version: "v0.15.0"
source: kind: "git"
description: "an app"
deps: {
  "x.org/b@v2": v: "v2.1.0"
  "x.org/b@v1": {v: "v1.0.0", default: true}
  "x.org/a@v0": v: "v0.3.0-rc.1"
}
custom: "tool.org": {list: [1, -2.5, "x", true, null], deep: a: b: 0x10}
)");
  ASSERT_TRUE(file) << file.error().front().message;
  EXPECT_EQ(file->path, "example.org/app@v1");
  EXPECT_EQ(file->base_path(), "example.org/app");
  EXPECT_EQ(file->major_version(), "v1");
  EXPECT_EQ(file->language_version, "v0.15.0");
  EXPECT_EQ(file->source_kind, "git");
  EXPECT_EQ(file->description, "an app");
  ASSERT_EQ(file->dependencies.size(), 3u);
  EXPECT_EQ(file->dependencies[0].module.text(), "x.org/a@v0.3.0-rc.1");
  EXPECT_EQ(file->dependencies[1].module.path, "x.org/b@v1");
  EXPECT_EQ(file->default_major_version("x.org/b"), "v1");
  EXPECT_EQ(file->default_major_version("x.org/a"), "v0");
  EXPECT_EQ(file->default_major_version("example.org/app"), "v1");
  EXPECT_EQ(file->default_major_version("y.org"), "");
  const data::Value* list = file->custom.find_path({"tool.org", "list"});
  ASSERT_NE(list, nullptr);
  EXPECT_EQ(list->as_list()[1].as_number().text, "-2.5");
  EXPECT_EQ(file->custom.find_path({"tool.org", "deep", "a", "b"})->as_number().text, "16");
}

TEST_F(ModuleFileTest, MajorVersionsMayBeLeftOutUnlessPublished) {
  std::string text = with_language("module: \"a.b/c\"\ndeps: \"x.y/z\": v: \"v3.1.0\"");
  auto file = read(text);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->path, "a.b/c@v0");
  EXPECT_EQ(file->dependencies[0].module.path, "x.y/z@v3");
  EXPECT_FALSE(read(text, Strictness::strict));
}

TEST_F(ModuleFileTest, LanguageVersionHasToMakeSense) {
  EXPECT_EQ(first_error("module: \"a.b/c\""), "no language version declared in module.cue");
  EXPECT_EQ(first_error("module: \"a.b/c\"\nlanguage: version: \"0.9\""),
            "language version \"0.9\" in module.cue is not valid semantic version");
  EXPECT_EQ(first_error("module: \"a.b/c\"\nlanguage: version: \"v99.0.0\""),
            "language version \"v99.0.0\" declared in module.cue is too new for current language version \"" +
                std::string(kLanguageVersion) + "\"");
  EXPECT_EQ(first_error("module: \"a.b/c\"\nlanguage: version: \"v0.9\""),
            "invalid module file ./cue.mod/module.cue: language version v0.9 is not canonical");
  EXPECT_EQ(first_error("module: \"a.b/c\"\nlanguage: version: \"v0.4.0\""),
            "cannot find schema suitable for reading module file with language version \"v0.4.0\"");
  EXPECT_EQ(first_error("module: \"a.b/c\"\nlanguage: version: \"v0.8.0\"\nsource: kind: \"self\""),
            "invalid module file: source field is not allowed at this language version; need at least v0.9.0-alpha.0");
}

TEST_F(ModuleFileTest, OnlyDataIsAllowed) {
  auto error = [&](std::string_view text) { return first_error(with_language(text)); };
  EXPECT_EQ(error("module: \"a.b/\" + \"c\""), "invalid module file syntax: expressions not allowed in data mode");
  EXPECT_EQ(error("module: x"), "invalid module file syntax: references not allowed in data mode");
  EXPECT_EQ(error("module?: \"a.b/c\""), "invalid module file syntax: optional fields not allowed in data mode");
  EXPECT_EQ(error("module: \"a.b/c\"\n#d: 1"), "invalid module file syntax: definitions not allowed in data mode");
  EXPECT_EQ(error("module: \"a.b/c\"\nif true {a: 1}"),
            "invalid module file syntax: expressions not allowed in data mode");
  EXPECT_EQ(error("module: \"a.b/c\"\nmodule: \"a.b/d\""),
            "module: invalid module file syntax: conflicting values \"a.b/d\" and \"a.b/c\"");
  EXPECT_EQ(error("module: \"a.b/c\"\nmodule: \"a.b/c\"\n_h: 1"), "none");
}

TEST_F(ModuleFileTest, FieldsAreChecked) {
  auto error = [&](std::string_view text) { return first_error(with_language(text)); };
  EXPECT_EQ(error("module: 123"), "module: conflicting values 123 and string (mismatched types int and string)");
  EXPECT_EQ(error("module: \"a.b/c\"\nfoo: 1"), "foo: field not allowed");
  EXPECT_EQ(error("module: \"\""), "invalid module file ./cue.mod/module.cue: empty module path");
  EXPECT_EQ(
      error("module: \"abc\""),
      "invalid module file ./cue.mod/module.cue: module path \"abc\" is not valid: missing dot in first path element");
  EXPECT_EQ(error("module: \"a.b/c@v0.1\""),
            "invalid module file ./cue.mod/module.cue: module path a.b/c@v0.1 should contain the major version only");
  EXPECT_EQ(
      error("module: \"a.b/c\"\ndeps: \"x.y/z@v1\": v: \"v0.1.0\""),
      "invalid module file ./cue.mod/module.cue: cannot make version from module \"x.y/z@v1\", version \"v0.1.0\": "
      "mismatched major version suffix in \"x.y/z@v1\" (version v0.1.0)");
  EXPECT_EQ(error("module: \"a.b/c\"\ndeps: \"x.y/z@v1\": {}"),
            "deps.\"x.y/z@v1\".v: field is required but not present");
  EXPECT_EQ(error("module: \"a.b/c\"\nsource: kind: \"x\""), "source.kind: unrecognized source kind \"x\"");
}

}  // namespace
}  // namespace opm::cue::module
