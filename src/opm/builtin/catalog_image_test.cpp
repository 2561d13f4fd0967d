#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/sanitized.h"
#include "cue/compile/dump.h"
#include "cue/compile/package_image.h"
#include "cue/module/build_list.h"
#include "cue/program_parts.h"
#include "opm/builtin/catalog.h"
#include "opm/builtin/catalog_image.h"

namespace opm::builtin {
namespace {

using testing::Contains;
using testing::HasSubstr;

// The catalog without what is compiled of it: files that are not seen to be compiled.
class TextFiles : public base::FileSystem {
 public:
  std::expected<std::string, base::FileError> read_file(const std::string& path, std::size_t max_bytes) const override {
    return catalog_files().read_file(path, max_bytes);
  }
  std::expected<std::vector<base::DirectoryEntry>, base::FileError> list_directory(
      const std::string& path, std::size_t max_entries) const override {
    return catalog_files().list_directory(path, max_entries);
  }
  std::expected<base::FileStatus, base::FileError> status(const std::string& path) const override {
    return catalog_files().status(path);
  }
  std::expected<std::string, base::FileError> real_path(const std::string& path) const override {
    return catalog_files().real_path(path);
  }
};

// The catalog with an image of its own, whose pointers are changed: what is done where it can't be moved.
class CopiedFiles : public TextFiles, public cue::compile::CompiledFiles {
 public:
  CopiedFiles() : image_(catalog_image()->bytes(), *this, cue::compile::PackageImage::Placement::copied) {}
  const cue::compile::PackageImage* image() const override { return &image_; }

 private:
  cue::compile::PackageImage image_;
};

class TextSource : public CatalogSource {
 public:
  explicit TextSource(const base::FileSystem& files) : CatalogSource(Versions::up_to_it), files_(files) {}
  std::expected<std::optional<cue::module::ModuleTree>, cue::module::ModuleError> content(
      const cue::module::ModuleVersion& module) override {
    auto tree = CatalogSource::content(module);
    if (tree && *tree) (*tree)->files = &files_;
    return tree;
  }

 private:
  const base::FileSystem& files_;
};

class CatalogImage : public testing::Test {
 protected:
  CatalogImage() {
    std::string module = "module: \"example.com/main@v0\"\nlanguage: version: \"v0.15.0\"\n";
    for (const CatalogModule& known : catalog_modules())
      module += fmt::format("deps: \"{}\": v: \"{}\"\n", known.path, catalog_version());
    files_.add_file("/main/cue.mod/module.cue", module);
    files_.add_file("/main/main.cue",
                    "package main\nimport \"opmodel.dev/providers/kubernetes@v0\"\nimport \"opmodel.dev/core@v0\"\n"
                    "core.#Module\np: kubernetes.#Provider.metadata.name\nvalues: 1\n");
  }

  std::shared_ptr<const cue::Program> load(std::shared_ptr<cue::module::ModuleSource> source,
                                           const std::vector<std::string>& arguments = {}) {
    cue::module::ModuleSources sources({std::move(source)});
    cue::module::BuildListResolver resolver(sources);
    cue::load::LoadOptions options;
    options.directory = "/main";
    options.files = &files_;
    options.resolver = &resolver;
    return cue::Program::load(arguments, options);
  }
  std::shared_ptr<const cue::Program> load_compiled(const std::vector<std::string>& arguments = {}) {
    return load(std::make_shared<CatalogSource>(CatalogSource::Versions::up_to_it), arguments);
  }

  static std::vector<std::string> told(const cue::Program& program) {
    std::vector<std::string> lines;
    for (const cue::Instance& instance : program.instances()) {
      for (const diag::Diagnostic& error : instance.errors) {
        diag::Location at = program.sources().locate(error.positions.empty() ? diag::Position() : error.positions[0]);
        lines.push_back(fmt::format("{}:{}:{}: {}", at.file, at.line, at.column, error.message));
      }
    }
    return lines;
  }
  // By identity: whether it came compiled.
  static std::map<std::string, bool> compiled(const cue::Program& program) {
    std::map<std::string, bool> packages;
    for (const cue::load::Package& package : program.loaded().packages)
      packages[package.identity] = package.compiled.has_value();
    return packages;
  }

  base::MemoryFileSystem files_;
  TextFiles text_;
};

class CatalogImageWherever : public CatalogImage, public testing::WithParamInterface<bool> {
 protected:
  std::shared_ptr<const cue::Program> load_image() {
    if (GetParam()) return load_compiled();
    return load(std::make_shared<TextSource>(copied_));
  }

 private:
  CopiedFiles copied_;  // programs use what is in it
};

INSTANTIATE_TEST_SUITE_P(Placements, CatalogImageWherever, testing::Bool(),
                         [](const auto& test) { return test.param ? "Moved" : "Copied"; });

TEST_F(CatalogImage, IsUsedAsItIs) {
#ifdef OPM_SANITIZED
  EXPECT_FALSE(catalog_image()->was_moved());
#else
  EXPECT_TRUE(catalog_image()->was_moved());
#endif
}

TEST_P(CatalogImageWherever, IsWhatTheTextCompilesTo) {
  auto text = load(std::make_shared<TextSource>(text_));
  auto image = load_image();
  ASSERT_THAT(told(*text), testing::IsEmpty());
  ASSERT_THAT(told(*image), testing::IsEmpty());
  const auto& expected = text->parts();
  const auto& packages = image->parts();
  std::map<std::string_view, const cue::compile::Package*> by_path;
  for (std::size_t i = 0; i < packages.packages.size(); ++i)
    EXPECT_TRUE(by_path.emplace(packages.packages.package(i)->path, packages.packages.package(i)).second);
  std::size_t count = 0;
  for (std::size_t i = 0; i < expected.packages.size(); ++i) {
    const cue::compile::Package& was = *expected.packages.package(i);
    ASSERT_TRUE(by_path.contains(was.path)) << was.path;
    const cue::compile::Package& is = *by_path[was.path];
    EXPECT_EQ(is.language_version, was.language_version);
    ASSERT_EQ(is.files.size(), was.files.size()) << was.path;
    for (std::size_t f = 0; f < was.files.size(); ++f) {
      EXPECT_EQ(dump(packages.names, *is.files[f]), dump(expected.names, *was.files[f])) << was.path;
      EXPECT_EQ(image->sources().locate(is.files[f]->position).file, text->sources().locate(was.files[f]->position).file);
      ++count;
    }
  }
  EXPECT_GT(count, 30u);
  for (const auto& [identity, is_compiled] : compiled(*image))
    EXPECT_EQ(is_compiled, !identity.starts_with("example.com/main")) << identity;
}

// Packages can be had without a module that depends on them; one that is imported as well is there once.
TEST_F(CatalogImage, GivesPackagesByTheirFolder) {
  cue::module::ModuleSources sources({std::make_shared<CatalogSource>(CatalogSource::Versions::up_to_it)});
  cue::module::BuildListResolver resolver(sources);
  std::vector<cue::LoadRequest> requests(2);
  requests[0].options.directory = "/main";
  requests[0].options.files = &files_;
  requests[0].options.resolver = &resolver;
  requests[1].arguments = {"/providers/kubernetes:kubernetes", "/schemas_kubernetes/apps/v1:v1"};
  requests[1].options.directory = "/";
  requests[1].options.files = &catalog_files();
  auto program = cue::Program::load(std::move(requests));
  ASSERT_THAT(told(*program), testing::IsEmpty());
  ASSERT_EQ(program->instances().size(), 3u);
  EXPECT_EQ(program->instances()[1].identity, "opmodel.dev/providers/kubernetes@v0");
  cue::Context context(program);
  EXPECT_EQ(context.instance(1).find("#Provider.metadata.name").string(), "kubernetes");
  EXPECT_TRUE(context.instance(2).find("#Deployment").exists());
  std::map<std::string, int> by_path;
  for (std::size_t i = 0; i < program->parts().packages.size(); ++i) ++by_path[std::string(program->parts().packages.package(i)->path)];
  EXPECT_EQ(by_path["opmodel.dev/core@v0"], 1);
  EXPECT_EQ(by_path["opmodel.dev/providers/kubernetes@v0"], 1);
}

TEST_P(CatalogImageWherever, EvaluatesToTheSame) {
  auto evaluate = [](const std::shared_ptr<const cue::Program>& program) {
    cue::Context context(program);
    std::vector<std::string> lines;
    cue::Value value = context.instance(0);
    for (const diag::Diagnostic& error : value.validate({.concrete = true})) {
      std::string line = error.message;
      for (diag::Position position : error.positions) {
        diag::Location at = program->sources().locate(position);
        line += fmt::format(" {}:{}:{}|{}", at.file, at.line, at.column, program->sources().line_text(position));
      }
      lines.push_back(line);
    }
    return lines;
  };
  std::vector<std::string> errors = evaluate(load_image());
  EXPECT_EQ(errors, evaluate(load(std::make_shared<TextSource>(text_))));
  EXPECT_THAT(errors, Contains(HasSubstr("opmodel.dev/core@")));
}

// What module files say is known without reading them.
TEST_F(CatalogImage, ModuleFilesSayWhatTheirTextsDo) {
  diag::SourceMap sources;
  for (const CatalogModule& known : catalog_modules()) {
    auto text = catalog_files().read_file(std::string(known.root) + "/cue.mod/module.cue");
    ASSERT_TRUE(text);
    auto file = cue::module::read_module_file(*sources.add(std::string(known.root), *text));
    ASSERT_TRUE(file);
    const cue::module::ModuleFile* stored = stored_module_file(known.path);
    ASSERT_NE(stored, nullptr) << known.path;
    EXPECT_EQ(write_module_file(*stored), write_module_file(*file));
  }
  EXPECT_EQ(stored_module_file("opmodel.dev/other@v0"), nullptr);
}

TEST_F(CatalogImage, AnExpressionSeesAPackageThatCameCompiled) {
  auto program = load_compiled({"opmodel.dev/schemas@v0"});
  ASSERT_THAT(told(*program), testing::IsEmpty());
  EXPECT_THAT(compiled(*program), Contains(testing::Pair("opmodel.dev/schemas@v0", true)));
  cue::Context context(program);
  auto value = context.expression("#ContainerSchema", 0);
  ASSERT_TRUE(value);
  EXPECT_TRUE(value->exists());
}

TEST_F(CatalogImage, StandsAsideWhereAnImportMeansSomethingElse) {
  // The main module has a package of its own where the catalog expects one of its own.
  files_.add_file("/main/cue.mod/gen/opmodel.dev/schemas/common.cue", "package schemas\n");
  auto text = load(std::make_shared<TextSource>(text_));
  auto image = load_compiled();
  EXPECT_THAT(told(*text), Contains(HasSubstr("ambiguous import")));
  EXPECT_EQ(told(*image), told(*text));
}

TEST_F(CatalogImage, StandsAsideForTheModuleThatIsWorkedOn) {
  std::string module = "module: \"opmodel.dev/schemas@v0\"\nlanguage: version: \"v0.15.0\"\n";
  for (const CatalogModule& known : catalog_modules())
    if (known.path != "opmodel.dev/schemas@v0") module += fmt::format("deps: \"{}\": v: \"{}\"\n", known.path, catalog_version());
  files_.add_file("/main/cue.mod/module.cue", module);
  files_.add_file("/main/main.cue", "package schemas\n#ContainerSchema: mine: true\n");
  files_.add_file("/main/use/use.cue",
                  "package use\nimport \"opmodel.dev/resources/workload@v0\"\nx: workload.#Container\n");
  auto program = load_compiled({"./use"});
  std::map<std::string, bool> packages = compiled(*program);
  EXPECT_EQ(packages.at("opmodel.dev/resources/workload@v0"), false);
  EXPECT_EQ(packages.at("opmodel.dev/schemas@v0"), false);
  EXPECT_EQ(packages.at("opmodel.dev/core@v0"), true);
}

}  // namespace
}  // namespace opm::builtin
