#include "cue/module/build_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cue/module/import_path.h"
#include "cue/module/version.h"

namespace opm::cue::module {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ModuleVersion at(std::string base, std::string version) {
  std::string path = base + "@" + std::string(major_version(version));
  return {std::move(path), std::move(version)};
}

// Modules in memory, each with the modules that it requires.
class MemorySource : public ModuleSource {
 public:
  explicit MemorySource(std::string name) : name_(std::move(name)) {}

  void add(const ModuleVersion& module, const std::vector<ModuleVersion>& requirements = {}) {
    std::string text = "module: \"" + module.path + "\"\nlanguage: version: \"v0.15.0\"\n";
    for (const ModuleVersion& required : requirements)
      text += "deps: \"" + required.path + "\": v: \"" + required.version + "\"\n";
    add_file(module, std::move(text));
  }
  void add_file(const ModuleVersion& module, std::string text) {
    files_.add_file("/" + module.text() + "/cue.mod/module.cue", text);
    texts_[module] = std::move(text);
  }
  std::string name() const override { return name_; }
  std::expected<std::optional<std::string>, ModuleError> module_file(const ModuleVersion& module) override {
    ++asked;
    if (failing) return std::unexpected(ModuleError{ModuleErrorKind::unreachable, "no answer"});
    auto found = texts_.find(module);
    return found == texts_.end() ? std::nullopt : std::optional(found->second);
  }
  std::expected<std::optional<ModuleTree>, ModuleError> content(const ModuleVersion& module) override {
    ++asked;
    if (!texts_.contains(module)) return std::nullopt;
    return ModuleTree{&files_, "/" + module.text(), name_ + "/" + module.text()};
  }
  std::expected<std::vector<std::string>, ModuleError> versions(std::string_view module_path) override {
    auto [base, major] = split_version(module_path);
    std::vector<std::string> found;
    for (const auto& [module, text] : texts_)
      if (module.base_path() == base && (major.empty() || major == major_version(module.version)))
        found.push_back(module.version);
    return found;
  }

  std::atomic<int> asked = 0;
  bool failing = false;

 private:
  std::string name_;
  base::MemoryFileSystem files_;
  std::map<ModuleVersion, std::string> texts_;
};

class BuildListTest : public ::testing::Test {
 protected:
  std::vector<std::string> expand(const std::vector<ModuleVersion>& roots) {
    auto list = BuildList::expand("main.test/m@v0", roots, sources);
    if (!list) return {"error: " + list.error().message};
    std::vector<std::string> texts;
    for (const ModuleVersion& module : list->modules()) texts.push_back(module.text());
    return texts;
  }

  std::shared_ptr<MemorySource> first = std::make_shared<MemorySource>("first");
  std::shared_ptr<MemorySource> second = std::make_shared<MemorySource>("second");
  ModuleSources sources{{first, second}};
};

TEST_F(BuildListTest, TheLargestRequiredVersionWins) {
  first->add(at("a.test/a", "v1.0.0"), {at("c.test/c", "v1.2.0"), at("main.test/m", "v0.9.0")});
  second->add(at("b.test/b", "v0.3.0"), {at("c.test/c", "v1.10.0"), at("c.test/c", "v2.0.0")});
  second->add(at("c.test/c", "v1.1.0"));
  EXPECT_THAT(expand({at("a.test/a", "v1.0.0"), at("b.test/b", "v0.3.0"), at("c.test/c", "v1.1.0")}),
              ElementsAre("a.test/a@v1.0.0", "b.test/b@v0.3.0", "c.test/c@v1.10.0", "c.test/c@v2.0.0"));
}

TEST_F(BuildListTest, PrereleasesComeBeforeTheirRelease) {
  first->add(at("a.test/a", "v1.0.0"), {at("b.test/b", "v1.0.0-rc.2")});
  first->add(at("b.test/b", "v1.0.0-rc.10"));
  EXPECT_THAT(expand({at("a.test/a", "v1.0.0"), at("b.test/b", "v1.0.0-rc.10")}),
              ElementsAre("a.test/a@v1.0.0", "b.test/b@v1.0.0-rc.10"));
}

TEST_F(BuildListTest, WhatNobodyHasIsAnError) {
  EXPECT_THAT(expand({at("a.test/a", "v1.0.0")}),
              ElementsAre("error: a.test/a@v1.0.0: module a.test/a@v1.0.0: module not found"));
}

TEST_F(BuildListTest, AModuleFileOfAnotherModuleIsRefused) {
  first->add_file(at("a.test/a", "v1.0.0"), "module: \"evil.test/e@v1\"\nlanguage: version: \"v0.15.0\"\n");
  EXPECT_THAT(expand({at("a.test/a", "v1.0.0")}), ElementsAre(HasSubstr("it is the file of module evil.test/e@v1")));
}

TEST_F(BuildListTest, TheFirstSourceThatHasTheVersionAnswers) {
  first->add(at("a.test/a", "v1.0.0"));
  second->add(at("a.test/a", "v1.0.0"));
  second->add(at("a.test/a", "v1.1.0"));
  second->failing = true;
  EXPECT_TRUE(sources.module_file(at("a.test/a", "v1.0.0")));
  EXPECT_EQ(sources.content(at("a.test/a", "v1.0.0")).value()->display_root, "first/a.test/a@v1.0.0");
  EXPECT_EQ(second->asked, 0);
  EXPECT_EQ(sources.content(at("a.test/a", "v1.1.0")).value()->display_root, "second/a.test/a@v1.1.0");
  auto failed = sources.module_file(at("a.test/a", "v1.1.0"));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code(), "registry-unreachable");
  EXPECT_THAT(sources.versions("a.test/a").value(), ElementsAre("v1.0.0", "v1.1.0"));
  EXPECT_THAT(sources.versions("a.test/a@v2").value(), IsEmpty());
}

TEST_F(BuildListTest, EachIsAskedForOnce) {
  first->add(at("a.test/a", "v1.0.0"));
  const ModuleFile* file = sources.module_file(at("a.test/a", "v1.0.0")).value();
  EXPECT_EQ(sources.module_file(at("a.test/a", "v1.0.0")).value(), file);
  EXPECT_EQ(first->asked, 1);
}

TEST_F(BuildListTest, ListedVersionsNeedNoModuleFiles) {
  first->add(at("a.test/a", "v1.0.0"), {at("c.test/c", "v1.2.0"), at("d.test/d", "v3.0.0")});
  first->add(at("c.test/c", "v1.1.0"));
  ModuleFile main;
  main.path = "main.test/m@v0";
  main.dependencies.push_back({at("a.test/a", "v1.0.0"), true, {}, {}});
  main.dependencies.push_back({at("c.test/c", "v1.1.0"), false, {}, {}});
  BuildListResolver resolver(sources);
  resolver.begin(main);
  using Scope = ModuleResolver::Scope;
  EXPECT_EQ(resolver.selected("c.test/c@v1", Scope::listed).value()->version, "v1.1.0");
  EXPECT_FALSE(resolver.selected("d.test/d@v3", Scope::listed).value());
  EXPECT_EQ(first->asked, 0);
  EXPECT_EQ(resolver.selected("c.test/c@v1", Scope::build_list).value()->version, "v1.2.0");
  EXPECT_EQ(resolver.selected("d.test/d@v3", Scope::build_list).value()->version, "v3.0.0");
  EXPECT_EQ(resolver.default_major_version(at("a.test/a", "v1.0.0"), "d.test/d").value(), "v3");
  EXPECT_EQ(resolver.default_major_version(at("a.test/a", "v1.0.0"), "e.test/e").value(), "");
}

}  // namespace
}  // namespace opm::cue::module
