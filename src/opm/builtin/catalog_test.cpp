#include "opm/builtin/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/embedded_files.h"

namespace opm::builtin {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const base::EmbeddedFiles& embedded() { return dynamic_cast<const base::EmbeddedFiles&>(catalog_files()); }

cue::module::ModuleVersion ours(std::string_view path) { return {std::string(path), std::string(catalog_version())}; }

TEST(Catalog, HasEveryModuleAtOneVersion) {
  cue::module::ModuleSources sources({std::make_shared<CatalogSource>(CatalogSource::Versions::exact)});
  for (const CatalogModule& known : catalog_modules()) {
    auto content = sources.content(ours(known.path));
    ASSERT_TRUE(content) << known.path << ": " << content.error().message;
    EXPECT_EQ((*content)->file.path, known.path);
    for (const cue::module::Dependency& dependency : (*content)->file.dependencies) {
      EXPECT_NE(find_catalog_module(dependency.module.path), nullptr) << dependency.module.path;
      EXPECT_EQ(dependency.module.version, catalog_version()) << known.path << " needs " << dependency.module.path;
    }
    EXPECT_EQ((*sources.module_file(ours(known.path)))->path, known.path);
  }
}

TEST(Catalog, HoldsNoFileOutsideOfItsModulesAndNoTests) {
  for (std::size_t i = 0; i < embedded().size(); ++i) {
    std::string path = "/" + std::string(embedded().file(i).path);
    EXPECT_TRUE(std::ranges::any_of(catalog_modules(), [&](const CatalogModule& known) {
      return path.starts_with(std::string(known.root) + "/");
    })) << path;
    EXPECT_THAT(path, testing::Not(HasSubstr("tests")));
  }
}

TEST(Catalog, ListsFoldersAndReadsFiles) {
  const base::FileSystem& files = catalog_files();
  auto root = files.list_directory("/");
  ASSERT_TRUE(root);
  EXPECT_EQ(root->size(), catalog_modules().size());
  EXPECT_TRUE(std::ranges::is_sorted(*root, {}, &base::DirectoryEntry::name));
  EXPECT_EQ(files.status("/core")->kind, base::FileKind::directory);
  EXPECT_EQ(files.status("/core/cue.mod/module.cue")->kind, base::FileKind::regular);
  EXPECT_THAT(*files.read_file("/core/module.cue"), HasSubstr("#Module:"));
  EXPECT_EQ(files.read_file("/core").error().kind, base::FileErrorKind::is_a_directory);
  EXPECT_EQ(files.read_file("/core/none.cue").error().kind, base::FileErrorKind::not_found);
  EXPECT_EQ(files.read_file("/core/module.cue", 3).error().kind, base::FileErrorKind::too_large);
  EXPECT_EQ(files.list_directory("/cor").error().kind, base::FileErrorKind::not_found);
  EXPECT_EQ(files.list_directory("/core/module.cue").error().kind, base::FileErrorKind::not_a_directory);
  EXPECT_EQ(*files.real_path("/core/../core//module.cue"), "/core/module.cue");
}

TEST(Catalog, LeavesOtherVersionsToOtherSources) {
  CatalogSource source(CatalogSource::Versions::exact);
  EXPECT_TRUE(*source.content(ours("opmodel.dev/core@v0")));
  EXPECT_FALSE(*source.content({"opmodel.dev/core@v0", "v0.1.10"}));
  EXPECT_FALSE(*source.content({"opmodel.dev/core@v0", "v0.99.0"}));
  EXPECT_FALSE(*source.module_file({"opmodel.dev/core@v1", "v1.0.0"}));
  EXPECT_FALSE(*source.module_file({"example.com/x@v0", "v0.1.0"}));
}

TEST(Catalog, StandsInForOlderVersionsWhereThereIsNoOtherSource) {
  CatalogSource source(CatalogSource::Versions::up_to_it);
  auto older = source.content({"opmodel.dev/core@v0", "v0.1.10"});
  ASSERT_TRUE(older && *older);
  EXPECT_EQ((*older)->root, "/core");
  EXPECT_EQ((*older)->display_root, ours("opmodel.dev/core").text());
  auto newer = source.content({"opmodel.dev/core@v0", "v0.99.0"});
  ASSERT_FALSE(newer);
  EXPECT_EQ(newer.error().kind, cue::module::ModuleErrorKind::not_found);
  EXPECT_THAT(newer.error().message, HasSubstr(std::string(catalog_version())));
  EXPECT_FALSE(*source.content({"example.com/x@v0", "v0.1.0"}));
}

TEST(Catalog, IsAtHandForWhatItAnswersFor) {
  CatalogSource exact(CatalogSource::Versions::exact);
  EXPECT_TRUE(exact.has_at_hand(ours("opmodel.dev/core@v0")));
  EXPECT_FALSE(exact.has_at_hand({"opmodel.dev/core@v0", "v0.1.10"}));
  EXPECT_FALSE(exact.has_at_hand({"example.com/x@v0", "v0.1.0"}));
  CatalogSource only(CatalogSource::Versions::up_to_it);
  EXPECT_TRUE(only.has_at_hand({"opmodel.dev/core@v0", "v0.1.10"}));
  EXPECT_TRUE(only.has_at_hand({"opmodel.dev/core@v0", "v0.99.0"}));  // it is sure that nobody has it
}

TEST(Catalog, TellsItsVersion) {
  CatalogSource source(CatalogSource::Versions::exact);
  EXPECT_THAT(*source.versions("opmodel.dev/core"), ElementsAre(catalog_version()));
  EXPECT_THAT(*source.versions("opmodel.dev/core@v0"), ElementsAre(catalog_version()));
  EXPECT_THAT(*source.versions("opmodel.dev/core@v1"), IsEmpty());
  EXPECT_THAT(*source.versions("example.com/x"), IsEmpty());
}

}  // namespace
}  // namespace opm::builtin
