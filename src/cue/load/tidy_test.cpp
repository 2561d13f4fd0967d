#include "cue/load/tidy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cue/module/import_path.h"
#include "cue/module/version.h"

namespace opm::cue::load {
namespace {

using ::testing::HasSubstr;
using module::ModuleError;
using module::ModuleVersion;

class TreeSource : public module::ModuleSource {
 public:
  void add(const std::string& base, const std::string& version, const std::string& dependencies,
           const std::vector<std::pair<std::string, std::string>>& content) {
    ModuleVersion module{base + "@" + std::string(module::major_version(version)), version};
    std::string root = "/" + module.text();
    texts_[module] = "module: \"" + module.path + "\"\nlanguage: version: \"v0.15.0\"\n" + dependencies;
    files_.add_file(root + "/cue.mod/module.cue", texts_[module]);
    for (const auto& [path, text] : content) files_.add_file(root + "/" + path, text);
  }
  std::string name() const override { return "a registry"; }
  std::expected<std::optional<std::string>, ModuleError> module_file(const ModuleVersion& module) override {
    auto found = texts_.find(module);
    return found == texts_.end() ? std::nullopt : std::optional(found->second);
  }
  std::expected<std::optional<module::ModuleTree>, ModuleError> content(const ModuleVersion& module) override {
    if (!texts_.contains(module)) return std::nullopt;
    return module::ModuleTree{&files_, "/" + module.text(), module.text()};
  }
  std::expected<std::vector<std::string>, ModuleError> versions(std::string_view path) override {
    auto [base, major] = module::split_version(path);
    std::vector<std::string> found;
    for (const auto& [module, text] : texts_)
      if (module.base_path() == base && (major.empty() || module::major_version(module.version) == major))
        found.push_back(module.version);
    return found;
  }

 private:
  base::MemoryFileSystem files_;
  std::map<ModuleVersion, std::string> texts_;
};

class TidyTest : public ::testing::Test {
 protected:
  TidyTest() {
    registry->add("dep.test/d", "v0.1.0", "", {{"lib/l.cue", "package lib\n"}});
    registry->add("dep.test/d", "v0.2.0", "deps: \"dep.test/e@v1\": v: \"v1.1.0\"\n",
                  {{"lib/l.cue", "package lib\nimport \"dep.test/e/x\"\na: x\n"},
                   {"lib/l_test.cue", "package lib\nimport \"nobody.test/has/it\"\nb: it\n"}});
    registry->add("dep.test/e", "v1.0.0", "", {{"x/x.cue", "package x\n"}});
    registry->add("dep.test/e", "v1.1.0", "", {{"x/x.cue", "package x\n"}});
    registry->add("dep.test/e", "v2.0.0", "", {{"x/x.cue", "package x\n"}});
    set_dependencies("");
  }
  void set_dependencies(const std::string& text) {
    files.add_file("/m/cue.mod/module.cue", "module: \"main.test/m@v0\"\nlanguage: version: \"v0.15.0\"\n" + text);
  }
  // What the module depends on afterwards, or what is wrong.
  std::string tidied(TidyMode mode = TidyMode::update) {
    LoadOptions options;
    options.directory = "/m";
    options.files = &files;
    auto result = tidy(mode, options, modules, sources);
    if (!result) {
      std::string text = result.error().front().message;
      for (const diag::Note& note : result.error().front().notes) text += "\n" + note.message;
      return text;
    }
    if (mode == TidyMode::check) return result->changed() ? "not tidy" : "tidy";
    std::string all;
    for (const module::Dependency& dependency : result->after.dependencies)
      all += dependency.module.text() + (dependency.is_default ? " default\n" : "\n");
    return all;
  }

  std::shared_ptr<TreeSource> registry = std::make_shared<TreeSource>();
  module::ModuleSources modules{{registry}};
  base::MemoryFileSystem files;
  diag::SourceMap sources;
};

TEST_F(TidyTest, WhatIsImportedIsListedDirectlyOrNot) {
  files.add_file("/m/sub/a.cue", "package a\nimport \"dep.test/d/lib@v0\"\na: lib\n");
  EXPECT_EQ(tidied(), "dep.test/d@v0.2.0\ndep.test/e@v1.1.0\n");
  EXPECT_EQ(tidied(TidyMode::check), "module is not tidy: missing dependency providing package dep.test/d/lib@v0");
}

TEST_F(TidyTest, ImportsWithoutAVersionNeedADefault) {
  files.add_file("/m/a.cue", "package a\nimport \"dep.test/e/x\"\na: x\n");
  EXPECT_EQ(tidied(), "dep.test/e@v2.0.0 default\n");
}

TEST_F(TidyTest, VersionsThatAreListedStay) {
  set_dependencies("deps: \"dep.test/d@v0\": v: \"v0.1.0\"\ndeps: \"dep.test/e@v1\": v: \"v1.0.0\"\n");
  files.add_file("/m/a.cue", "package a\nimport \"dep.test/d/lib\"\na: lib\n");
  EXPECT_EQ(tidied(TidyMode::check), "not tidy");
  EXPECT_EQ(tidied(), "dep.test/d@v0.1.0\n");
  set_dependencies("deps: \"dep.test/d@v0\": v: \"v0.1.0\"\n");
  EXPECT_EQ(tidied(TidyMode::check), "tidy");
}

TEST_F(TidyTest, VersionsRiseToWhatOthersRequire) {
  set_dependencies("deps: \"dep.test/d@v0\": v: \"v0.2.0\"\ndeps: \"dep.test/e@v1\": v: \"v1.0.0\"\n");
  files.add_file("/m/a.cue", "package a\nimport \"dep.test/d/lib\"\na: lib\n");
  EXPECT_EQ(tidied(), "dep.test/d@v0.2.0\ndep.test/e@v1.1.0\n");
}

TEST_F(TidyTest, AllFilesOfTheModuleCountButThoseIgnored) {
  files.add_file("/m/a_test.cue", "package a\nimport \"dep.test/e/x@v1\"\na: x\n");
  files.add_file("/m/b.cue", "@if(prod)\npackage a\nimport \"dep.test/d/lib@v0\"\nb: lib\n");
  files.add_file("/m/c.cue", "@ignore()\npackage a\nimport \"nobody.test/x\"\n");
  files.add_file("/m/_hidden/c.cue", "package a\nimport \"nobody.test/x\"\n");
  files.add_file("/m/nested/cue.mod/module.cue", "module: \"n.test/n\"\n");
  files.add_file("/m/nested/c.cue", "package a\nimport \"nobody.test/x\"\n");
  EXPECT_EQ(tidied(), "dep.test/d@v0.2.0\ndep.test/e@v1.1.0\n");
}

TEST_F(TidyTest, WhatNobodyHasIsToldWithWhatWasTried) {
  files.add_file("/m/a.cue", "package a\nimport \"nobody.test/x/y\"\na: y\n");
  EXPECT_EQ(tidied(),
            "failed to resolve \"nobody.test/x/y\": cannot find module providing package nobody.test/x/y\n"
            "tried nobody.test/x/y: no versions\ntried nobody.test/x: no versions\ntried nobody.test: no versions");
  files.add_file("/m/a.cue", "package a\nimport \"dep.test/d/nope@v0\"\na: nope\n");
  EXPECT_THAT(tidied(), HasSubstr("cannot find module providing package dep.test/d/nope@v0"));
}

TEST_F(TidyTest, ThereHasToBeAModule) {
  files = base::MemoryFileSystem{};
  files.add_directory("/m");
  EXPECT_THAT(tidied(), HasSubstr("no cue.mod/module.cue"));
}

}  // namespace
}  // namespace opm::cue::load
