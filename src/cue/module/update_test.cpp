#include "cue/module/update.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cue/module/import_path.h"
#include "cue/module/module_folder.h"
#include "cue/module/version.h"

namespace opm::cue::module {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Modules that only have a module file.
class FileSource : public ModuleSource {
 public:
  void add(const std::string& base, const std::string& version, const std::string& dependencies = {}) {
    std::string path = base + "@" + std::string(major_version(version));
    texts_[{path, version}] = "module: \"" + path + "\"\nlanguage: version: \"v0.15.0\"\n" + dependencies;
  }
  std::string name() const override { return "a registry"; }
  std::expected<std::optional<std::string>, ModuleError> module_file(const ModuleVersion& module) override {
    auto found = texts_.find(module);
    return found == texts_.end() ? std::nullopt : std::optional(found->second);
  }
  std::expected<std::optional<ModuleTree>, ModuleError> content(const ModuleVersion&) override { return std::nullopt; }
  std::expected<std::vector<std::string>, ModuleError> versions(std::string_view module_path) override {
    std::vector<std::string> found;
    for (const auto& [module, text] : texts_)
      if (module.base_path() == module_path) found.push_back(module.version);
    return found;
  }

 private:
  std::map<ModuleVersion, std::string> texts_;
};

class UpdateTest : public ::testing::Test {
 protected:
  UpdateTest() {
    source->add("a.test/a", "v0.1.0");
    source->add("a.test/a", "v0.2.0");
    source->add("a.test/a", "v0.10.0-rc.1");
    source->add("a.test/a", "v1.0.0");
    source->add("b.test/b", "v0.1.0", "deps: \"a.test/a@v0\": v: \"v0.2.0\"\n");
  }
  ModuleFile file(const std::string& dependencies = {}) {
    const diag::Source* text = texts.add(
        "module.cue", "module: \"main.test/m\"\nlanguage: version: \"v0.15.0\"\n" + dependencies);
    return read_module_file(*text).value();
  }
  std::string find(const std::string& wish, const std::string& dependencies = {}) {
    auto found = find_version(wish, file(dependencies), sources);
    return found ? found->text() : found.error().message;
  }
  std::string update(const std::string& dependencies, const std::vector<ModuleVersion>& wanted) {
    auto updated = update_versions(file(dependencies), wanted, sources);
    if (!updated) return updated.error().message;
    std::string all;
    for (const Dependency& dependency : updated->dependencies)
      all += dependency.module.text() + (dependency.is_default ? " default\n" : "\n");
    return all;
  }

  std::shared_ptr<FileSource> source = std::make_shared<FileSource>();
  ModuleSources sources{{source}};
  diag::SourceMap texts;
};

TEST_F(UpdateTest, WishesMeanTheNewestThatFits) {
  EXPECT_EQ(find("a.test/a@v0.1.0"), "a.test/a@v0.1.0");
  EXPECT_EQ(find("a.test/a@v0"), "a.test/a@v0.2.0");
  EXPECT_EQ(find("a.test/a@v0.1"), "a.test/a@v0.1.0");
  EXPECT_EQ(find("a.test/a@v0.10"), "a.test/a@v0.10.0-rc.1");
  EXPECT_EQ(find("a.test/a"), "a.test/a@v1.0.0");
  EXPECT_EQ(find("a.test/a@latest"), "a.test/a@v1.0.0");
  EXPECT_EQ(find("a.test/a", "deps: \"a.test/a@v0\": {v: \"v0.1.0\", default: true}\n"), "a.test/a@v0.2.0");
  EXPECT_THAT(find("a.test/a@v3"), HasSubstr("no versions found for module a.test/a@v3"));
  EXPECT_THAT(find("a.test/a@1.2.3"), HasSubstr("does not specify a valid semantic version"));
  EXPECT_THAT(find("NotAPath@v1"), HasSubstr("malformed module path"));
}

TEST_F(UpdateTest, RequirementsRiseTogether) {
  EXPECT_EQ(update("", {{"a.test/a@v0", "v0.1.0"}}), "a.test/a@v0.1.0\n");
  EXPECT_EQ(update("deps: \"a.test/a@v0\": {v: \"v0.1.0\", default: true}\n", {{"b.test/b@v0", "v0.1.0"}}),
            "a.test/a@v0.2.0 default\nb.test/b@v0.1.0\n");
  EXPECT_THAT(update("deps: \"b.test/b@v0\": v: \"v0.1.0\"\n", {{"a.test/a@v0", "v0.1.0"}}),
              HasSubstr("other requirements prevent changing module a.test/a@v0 to version v0.1.0"));
  EXPECT_THAT(update("", {{"main.test/m@v0", "v0.1.0"}}), HasSubstr("main module"));
  EXPECT_THAT(update("", {{"c.test/c@v0", "v0.1.0"}}), HasSubstr("module not found"));
}

TEST_F(UpdateTest, FilesAreWrittenInOneForm) {
  ModuleFile written = file(
      "custom: tool: {z: 1, a: [\"x\", {b: 2}], \"foo-bar\": null}\nsource: kind: \"self\"\n"
      "deps: \"b.test/b@v0\": v: \"v0.1.0\"\ndeps: \"a.test/a@v0\": {default: true, v: \"v0.1.0\"}\n");
  // What `cue mod tidy` makes of it.
  std::string text =
      "module: \"main.test/m\"\nlanguage: {\n\tversion: \"v0.15.0\"\n}\nsource: {\n\tkind: \"self\"\n}\ndeps: {\n"
      "\t\"a.test/a@v0\": {\n\t\tv:       \"v0.1.0\"\n\t\tdefault: true\n\t}\n"
      "\t\"b.test/b@v0\": {\n\t\tv: \"v0.1.0\"\n\t}\n}\n"
      "custom: {\n\ttool: {\n\t\ta: [\"x\", {\n\t\t\tb: 2\n\t\t}]\n\t\t\"foo-bar\": null\n\t\tz:         1\n\t}\n}\n";
  EXPECT_EQ(write_module_file(written), text);
  const diag::Source* again = texts.add("again.cue", text);
  EXPECT_EQ(write_module_file(read_module_file(*again).value()), text);
}

TEST(ModuleFolder, HasWhatIsPublished) {
  base::MemoryFileSystem files{{"/m/cue.mod/module.cue", "x"},     {"/m/a.cue", "a"},
                               {"/m/sub/.hidden", "h"},            {"/m/.git/config", "g"},
                               {"/m/nested/cue.mod/module.cue", ""}, {"/m/nested/n.cue", ""},
                               {"/m/cue.mod/local-module.cue", ""}, {"/m/cue.mod/vendor/v.cue", ""},
                               {"/m/cue.mod/gen/x/g.cue", "g"}};
  files.add_link("/m/link.cue", "a.cue");
  auto paths = list_module_files(files, "/m");
  ASSERT_TRUE(paths);
  EXPECT_THAT(*paths, ElementsAre("a.cue", "cue.mod/gen/x/g.cue", "cue.mod/module.cue", "sub/.hidden"));
  EXPECT_EQ(read_module_files(files, "/m", *paths)->size(), 4u);
  files.add_file("/m/A.cue", "");
  EXPECT_THAT(read_module_files(files, "/m", list_module_files(files, "/m").value()).error(), HasSubstr("collision"));
}

}  // namespace
}  // namespace opm::cue::module
