#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/path.h"
#include "cue/load/load.h"

namespace opm::cue::load {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ImportTest : public ::testing::Test {
 protected:
  ImportTest() {
    options.directory = "/m";
    options.is_standard_package = [](std::string_view path) { return path == "strings"; };
    files.add_file("/m/cue.mod/module.cue", "module: \"mod.test/m@v0\"\nlanguage: version: \"v0.15.0\"\n");
  }

  LoadResult load(std::vector<std::string> arguments) {
    options.files = &files;
    return cue::load::load(arguments, options, sources);
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
  void add_importer(const std::string& path) {
    files.add_file("/m/x.cue", "package x\nimport p \"" + path + "\"\na: p\n");
  }
  const Package& imported(const LoadResult& result, const std::string& path) {
    return result.package(*result.package(result.instances.at(0)).imports.at(path).package);
  }

  base::MemoryFileSystem files;
  diag::SourceMap sources;
  LoadOptions options;
};

TEST_F(ImportTest, PackagesOfTheModuleAreFound) {
  files.add_file("/m/x.cue",
                 "package x\nimport (\n\t\"strings\"\n\t\"mod.test/m/lib\"\n\tl \"mod.test/m/lib@v0:lib\"\n)\na: "
                 "strings & lib & l\n");
  files.add_file("/m/lib/lib.cue", "package lib\nimport \"mod.test/m/base\"\nb: base\n");
  files.add_file("/m/base/b.cue", "package base\n");
  LoadResult result = load({"."});
  EXPECT_THAT(messages(result), IsEmpty());
  const Package& main = result.package(result.instances[0]);
  EXPECT_TRUE(main.imports.at("strings").is_standard);
  EXPECT_FALSE(main.imports.at("strings").package);
  EXPECT_EQ(main.imports.at("mod.test/m/lib").package, main.imports.at("mod.test/m/lib@v0:lib").package);
  const Package& lib = imported(result, "mod.test/m/lib");
  EXPECT_EQ(lib.identity, "mod.test/m/lib@v0");
  EXPECT_EQ(lib.directory, "/m/lib");
  EXPECT_EQ(result.packages.size(), 3u);
  EXPECT_LT(lib.id, main.id);
  EXPECT_LT(*lib.imports.at("mod.test/m/base").package, lib.id);
}

TEST_F(ImportTest, ParentsFilesBelongToImportedPackagesToo) {
  add_importer("mod.test/m/a/b:shared");
  files.add_file("/m/s.cue", "package shared\n");
  files.add_file("/m/a/s.cue", "package shared\n");
  files.add_file("/m/a/b/s.cue", "package shared\n");
  LoadResult result = load({".:x"});
  EXPECT_THAT(messages(result), IsEmpty());
  EXPECT_EQ(imported(result, "mod.test/m/a/b:shared").files.size(), 3u);
}

TEST_F(ImportTest, WhatIsMissingIsExplained) {
  auto with = [&](const std::string& path) {
    add_importer(path);
    std::vector<std::string> found = messages(load({"."}));
    return found.size() == 1 ? found.front() : std::to_string(found.size()) + " errors";
  };
  files.add_file("/m/lib/lib.cue", "package other\n");
  files.add_file("/m/iff/i.cue", "@if(x)\npackage iff\n");
  const std::string place = " @./x.cue:2:8";
  EXPECT_EQ(with("nowhere.test/y"),
            "mod.test/m@v0: import failed: cannot find package \"nowhere.test/y\": cannot find module "
            "providing package nowhere.test/y" +
                place);
  EXPECT_EQ(with("mod.test/m/nope"),
            "mod.test/m@v0: import failed: cannot find package \"mod.test/m/nope\": cannot find module "
            "providing package mod.test/m/nope" +
                place);
  EXPECT_EQ(with("mod.test/m/lib@v1"),
            "mod.test/m@v0: import failed: cannot find package \"mod.test/m/lib@v1\": cannot find module "
            "providing package mod.test/m/lib@v1" +
                place);
  EXPECT_EQ(with("mod.test/m/lib"),
            "mod.test/m@v0: import failed: cannot find package \"mod.test/m/lib\": no files in package "
            "directory with package name \"lib\"" +
                place);
  EXPECT_EQ(with("mod.test/m/iff"),
            "mod.test/m@v0: import failed: cannot find package \"mod.test/m/iff\": no files in package "
            "directory with package name \"iff\" (1 files were excluded)" +
                place);
  EXPECT_EQ(with("./lib"), "import failed: relative import paths not allowed (\"./lib\")" + place);
  EXPECT_EQ(with("nosuch/builtin"), "builtin package \"nosuch/builtin\" undefined" + place);
  EXPECT_EQ(with("mod.test/m/my-lib"),
            "mod.test/m@v0: import failed: cannot find package \"mod.test/m/my-lib\": cannot find module "
            "providing package mod.test/m/my-lib" +
                place);
}

TEST_F(ImportTest, ArgumentsMayBeImportPaths) {
  files.add_file("/m/a/a.cue", "package x\n");
  LoadResult result = load({"mod.test/m/a:x"});
  EXPECT_THAT(messages(result), IsEmpty());
  EXPECT_EQ(result.package(result.instances[0]).display_path, "mod.test/m/a:x");
  EXPECT_THAT(
      messages(load({"mod.test/m/a"})),
      ElementsAre("cannot find package \"mod.test/m/a\": no files in package directory with package name \"a\""));
  EXPECT_THAT(messages(load({"strconv"})),
              ElementsAre("standard library import path \"strconv\" cannot be imported as a CUE package"));
}

TEST_F(ImportTest, WithoutModuleFileThereAreNoImports) {
  files = base::MemoryFileSystem{};
  add_importer("mod.test/m/lib");
  EXPECT_THAT(
      messages(load({"."})),
      ElementsAre("import failed: imports are unavailable because there is no cue.mod/module.cue file @./x.cue:2:8"));
  options.skip_imports = true;
  EXPECT_THAT(messages(load({"."})), IsEmpty());
}

TEST_F(ImportTest, CyclesAreRefused) {
  files.add_file("/m/a/x.cue", "package a\nimport \"mod.test/m/b\"\nv: b\n");
  files.add_file("/m/b/x.cue", "package b\nimport \"mod.test/m/a\"\nv: a\n");
  files.add_file("/m/self/x.cue", "package self\nimport s \"mod.test/m/self\"\nv: s\n");
  LoadResult result = load({"./a"});
  EXPECT_THAT(messages(result),
              ElementsAre("import failed: import failed: import failed: package import cycle not allowed "
                          "@./a/x.cue:2:8 @./b/x.cue:2:8"));
  EXPECT_EQ(result.errors[0].notes.at(0).message, "mod.test/m/b imports mod.test/m/a imports mod.test/m/b");
  EXPECT_THAT(messages(load({"./self"})),
              ElementsAre("import failed: import failed: package import cycle not allowed @./self/x.cue:2:8"));
}

TEST_F(ImportTest, LongChainsEndInAnError) {
  for (int i = 0; i < 700; ++i) {
    std::string name = "p" + std::to_string(i);
    std::string next = "p" + std::to_string(i + 1);
    files.add_file("/m/" + name + "/x.cue",
                   "package " + name + "\nimport \"mod.test/m/" + next + "\"\nv: " + next + "\n");
  }
  files.add_file("/m/p700/x.cue", "package p700\n");
  EXPECT_EQ(load({"./p0"}).errors.size(), 1u);
  EXPECT_THAT(messages(load({"./p300"})), IsEmpty());
}

TEST_F(ImportTest, ErrorsOfImportedFilesNameTheImport) {
  add_importer("mod.test/m/bad");
  files.add_file("/m/bad/b.cue", "package bad\na: ]\n");
  LoadResult result = load({"."});
  ASSERT_FALSE(result.errors.empty());
  EXPECT_TRUE(result.errors[0].message.starts_with("import failed: ")) << result.errors[0].message;
  EXPECT_EQ(sources.locate(result.errors[0].positions.at(0)).file, "./x.cue");
  EXPECT_EQ(sources.locate(result.errors[0].positions.at(1)).file, "./bad/b.cue");
}

TEST_F(ImportTest, LocalPackagesAreMergedFromTheirFolders) {
  add_importer("k8s.io/api/v1");
  files.add_file("/m/cue.mod/gen/k8s.io/api/v1/g.cue", "package v1\n");
  files.add_file("/m/cue.mod/usr/k8s.io/api/v1/u.cue", "package v1\n");
  files.add_file("/m/cue.mod/pkg/k8s.io/api/v1/p.cue", "package v1\n");
  files.add_file("/m/cue.mod/gen/k8s.io/api/up.cue", "package v1\n");
  LoadResult result = load({"."});
  EXPECT_THAT(messages(result), IsEmpty());
  const Package& package = imported(result, "k8s.io/api/v1");
  EXPECT_EQ(package.files.size(), 3u);
  EXPECT_EQ(package.module.path, "local");
}

TEST_F(ImportTest, TwoPlacesForOnePackageAreAmbiguous) {
  add_importer("mod.test/m/lib");
  files.add_file("/m/lib/l.cue", "package lib\n");
  files.add_file("/m/cue.mod/pkg/mod.test/m/lib/l.cue", "package lib\n");
  EXPECT_THAT(
      messages(load({"."})),
      ElementsAre(
          "mod.test/m@v0: import failed: cannot find package \"mod.test/m/lib\": ambiguous import: found package "
          "mod.test/m/lib in multiple locations:\n\tmod.test/m@v0 (lib)\n\tlocal (cue.mod/pkg/mod.test/m/lib) "
          "@./x.cue:2:8"));
}

TEST_F(ImportTest, DependenciesNeedAResolver) {
  files.add_file("/m/cue.mod/module.cue",
                 "module: \"mod.test/m@v0\"\nlanguage: version: \"v0.15.0\"\ndeps: \"dep.test/d@v1\": v: \"v1.2.0\"\n");
  add_importer("dep.test/d/lib");
  EXPECT_THAT(messages(load({"."})),
              ElementsAre("mod.test/m@v0: import failed: cannot find package \"dep.test/d/lib\": cannot fetch "
                          "dep.test/d@v1.2.0: module not found @./x.cue:2:8"));
}

// A registry in memory: two versions of one module, one of another.
class FakeResolver : public module::ModuleResolver {
 public:
  FakeResolver() {
    add("dep.test/d@v1", "v1.2.0",
        {{"/d1/lib/l.cue", "@if(prod)\npackage lib\n"},
         {"/d1/lib/m.cue", "package lib\nimport \"dep.test/e\"\na: e\n"}});
    add("dep.test/d@v2", "v2.0.0", {{"/d2/lib/l.cue", "package lib\n"}});
    add("dep.test/e@v3", "v3.1.0", {{"/e/e.cue", "package e\n"}});
    add("indirect.test/i@v0", "v0.5.0", {{"/i/i.cue", "package i\n"}});
  }
  void begin(const module::ModuleFile& main_module) override { main_path = main_module.path; }
  std::expected<std::optional<module::ModuleVersion>, module::ModuleError> selected(std::string_view path,
                                                                                    Scope scope) override {
    if (path == "broken.test/b@v0")
      return std::unexpected(module::ModuleError{module::ModuleErrorKind::unreachable, "registry is down"});
    if (path == "indirect.test/i@v0" && scope == Scope::listed) return std::nullopt;
    auto found = contents_.find(std::string(path));
    if (found == contents_.end()) return std::nullopt;
    return module::ModuleVersion{found->first, found->second.second};
  }
  std::expected<std::string, module::ModuleError> default_major_version(const module::ModuleVersion& importer,
                                                                        std::string_view base) override {
    asked.push_back(importer.text() + " " + std::string(base));
    return base == "dep.test/e" ? "v3" : "";
  }
  void prepare(std::span<const module::ModuleVersion> modules) override {
    for (const module::ModuleVersion& module : modules) prepared.push_back(module.text());
  }
  std::expected<const module::ModuleContent*, module::ModuleError> fetch(const module::ModuleVersion& module) override {
    return &contents_.at(module.path).first;
  }

  std::string main_path;
  std::vector<std::string> asked;
  std::vector<std::string> prepared;

 private:
  void add(const std::string& path, const std::string& version,
           std::vector<std::pair<std::string, std::string>> content) {
    module::ModuleContent& module = contents_[path].first;
    contents_[path].second = version;
    std::string root = content.front().first.substr(0, content.front().first.find('/', 1));
    for (auto& [name, text] : content) disk_.add_file(name, text);
    disk_.add_file(root + "/cue.mod/module.cue", "module: \"" + path + "\"\nlanguage: version: \"v0.11.0\"\n");
    module.files = &disk_;
    module.root = root;
    module.display_root = path.substr(0, path.find('@')) + "@" + version;
    module.file.path = path;
    module.file.language_version = "v0.11.0";
  }
  base::MemoryFileSystem disk_;
  std::map<std::string, std::pair<module::ModuleContent, std::string>> contents_;
};

TEST_F(ImportTest, OtherModulesComeFromTheResolver) {
  FakeResolver resolver;
  options.resolver = &resolver;
  options.tags = {"prod"};
  files.add_file("/m/cue.mod/module.cue",
                 "module: \"mod.test/m@v0\"\nlanguage: version: \"v0.15.0\"\ndeps: \"dep.test/d@v1\": {v: \"v1.2.0\", "
                 "default: true}\n"
                 "deps: \"dep.test/d@v2\": v: \"v2.0.0\"\n");
  files.add_file("/m/x.cue",
                 "@if(prod)\npackage x\nimport \"dep.test/d/lib\"\nimport two \"dep.test/d/lib@v2\"\na: lib & two\n");
  LoadResult result = load({"."});
  EXPECT_THAT(messages(result), IsEmpty());
  const Package& one = imported(result, "dep.test/d/lib");
  EXPECT_EQ(one.module.text(), "dep.test/d@v1.2.0");
  EXPECT_EQ(one.language_version, "v0.11.0");
  EXPECT_EQ(one.identity, "dep.test/d/lib@v1");
  // The user's tags are not for other modules.
  ASSERT_EQ(one.files.size(), 1u);
  EXPECT_EQ(one.files[0].source->path, "dep.test/d@v1.2.0/lib/m.cue");
  EXPECT_EQ(imported(result, "dep.test/d/lib@v2").module.version, "v2.0.0");
  EXPECT_EQ(result.package(*one.imports.at("dep.test/e").package).module.version, "v3.1.0");
  EXPECT_THAT(resolver.asked, ElementsAre("dep.test/d@v1.2.0 dep.test/e", "dep.test/d@v1.2.0 dep.test",
                                          "dep.test/d@v1.2.0 dep.test/e", "dep.test/d@v1.2.0 dep.test"));
  EXPECT_EQ(resolver.main_path, "mod.test/m@v0");
  EXPECT_THAT(resolver.prepared, ElementsAre("dep.test/d@v1.2.0", "dep.test/d@v2.0.0", "dep.test/e@v3.1.0"));
  add_importer("broken.test/b@v0");
  options.tags = {};
  EXPECT_THAT(messages(load({"."})),
              ElementsAre("mod.test/m@v0: import failed: cannot find package \"broken.test/b@v0\": "
                          "registry is down @./x.cue:2:8"));
  EXPECT_EQ(load({"."}).errors.at(0).code, "registry-unreachable");
  add_importer("indirect.test/i@v0");
  EXPECT_THAT(messages(load({"."})), IsEmpty());
}

TEST_F(ImportTest, ModulesThatCouldHaveThePackageAreNamed) {
  FakeResolver resolver;
  options.resolver = &resolver;
  add_importer("dep.test/d/nope@v1");
  LoadResult result = load({"."});
  ASSERT_EQ(result.errors.size(), 1u);
  ASSERT_EQ(result.errors[0].notes.size(), 1u);
  EXPECT_EQ(result.errors[0].notes[0].message, "tried dep.test/d@v1.2.0: no CUE files in folder nope");
  EXPECT_THAT(result.errors[0].advice, testing::HasSubstr("opm mod tidy"));
}

TEST_F(ImportTest, APackageWhosePathIsNearlyTheOneThatIsImported) {
  files.add_file("/m/library/l.cue", "package library\n");
  files.add_file("/m/other/o.cue", "package other\n");
  files.add_file("/m/libary2/readme.md", "no package");
  add_importer("mod.test/m/libary");
  EXPECT_EQ(load({"."}).errors.at(0).advice, "did you mean \"mod.test/m/library\"?");
  add_importer("mod.test/m/quite/different");
  EXPECT_THAT(load({"."}).errors.at(0).advice, testing::HasSubstr("opm mod tidy"));
}

}  // namespace
}  // namespace opm::cue::load
