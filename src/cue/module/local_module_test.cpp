#include "cue/module/local_module.h"

#include <gtest/gtest.h>

namespace opm::cue::module {
namespace {

class LocalModuleTest : public testing::Test {
 protected:
  LocalModuleTest() {
    published_.path = "main.test@v0";
    published_.language_version = "v0.17.0";
    published_.dependencies = {{{"a.test@v0", "v0.1.0"}, true, {}, {}}, {{"b.test@v0", "v0.2.0"}, false, {}, {}}};
  }
  auto read(std::string text) { return read_local_module_file(*sources_.add("local-module.cue", std::move(text)), published_); }

  diag::SourceMap sources_;
  ModuleFile published_;
};

TEST_F(LocalModuleTest, WhatIsLeftOutIsAsPublished) {
  auto dependencies = read("deps: \"a.test@v0\": replaceWith: \"./a\"\ndeps: \"c.test@v1\": v: \"v1.0.0\"");
  ASSERT_TRUE(dependencies);
  ASSERT_EQ(dependencies->size(), 2u);
  EXPECT_EQ((*dependencies)[0].module, (ModuleVersion{"a.test@v0", "v0.1.0"}));
  EXPECT_TRUE((*dependencies)[0].is_default);
  EXPECT_EQ((*dependencies)[0].replace_with, "./a");
  EXPECT_EQ(write_local_module_file(*dependencies, published_),
            "deps: {\n\t\"a.test@v0\": {\n\t\treplaceWith: \"./a\"\n\t}\n\t\"c.test@v1\": {\n\t\tv: \"v1.0.0\"\n\t}\n}\n");
}

TEST_F(LocalModuleTest, MistakesPointIntoTheFile) {
  auto wrong = read("deps: \"a.test@v0\": replaced: \"./a\"");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error()[0].message, "field not allowed");
  EXPECT_EQ(sources_.locate(wrong.error()[0].positions[0]).column, 20u);
  EXPECT_FALSE(read("deps: ["));
}

TEST_F(LocalModuleTest, ReplacementsAreFoldersOrModules) {
  EXPECT_EQ(parse_replacement("../x", published_.dependencies)->folder, "../x");
  EXPECT_EQ(parse_replacement("a.test", published_.dependencies)->module, (ModuleVersion{"a.test@v0", "v0.1.0"}));
  EXPECT_EQ(parse_replacement("b.test@v0.3.0", published_.dependencies)->module, (ModuleVersion{"b.test@v0", "v0.3.0"}));
  EXPECT_EQ(parse_replacement("b.test@v0.1.0", published_.dependencies)->module, (ModuleVersion{"b.test@v0", "v0.2.0"}));
  EXPECT_EQ(parse_replacement("c.test@v1", published_.dependencies)->module, (ModuleVersion{"c.test@v1", ""}));
  EXPECT_EQ(parse_replacement("nonsense", published_.dependencies).error(), "invalid replacement \"nonsense\"");
  EXPECT_FALSE(parse_replacement("b.test", published_.dependencies));
}

}  // namespace
}  // namespace opm::cue::module
