#include "opm/builtin/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/embedded_files.h"

namespace opm::builtin {
namespace {

using testing::Contains;
using testing::HasSubstr;

const base::EmbeddedFiles& embedded() { return dynamic_cast<const base::EmbeddedFiles&>(catalog_files()); }

TEST(Catalog, HasEveryModuleAtOneVersion) {
  CatalogResolver resolver;
  for (const CatalogModule& known : catalog_modules()) {
    auto version = resolver.selected(known.path);
    ASSERT_TRUE(version && *version) << known.path;
    auto content = resolver.fetch(**version);
    ASSERT_TRUE(content) << known.path << ": " << content.error();
    EXPECT_EQ((*content)->file.path, known.path);
    for (const cue::module::Dependency& dependency : (*content)->file.dependencies) {
      EXPECT_NE(find_catalog_module(dependency.module.path), nullptr) << dependency.module.path;
      EXPECT_EQ(dependency.module.version, catalog_version()) << known.path << " needs " << dependency.module.path;
    }
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

TEST(Catalog, AnswersForNothingElse) {
  CatalogResolver resolver;
  EXPECT_EQ(*resolver.selected("example.com/x@v0"), std::nullopt);
  EXPECT_EQ(*resolver.selected("opmodel.dev/core@v1"), std::nullopt);
  EXPECT_EQ(*resolver.default_major_version({}, "opmodel.dev/core"), "v0");
  EXPECT_EQ(*resolver.default_major_version({}, "example.com/x"), "");
  EXPECT_FALSE(resolver.fetch({"opmodel.dev/core@v0", "v0.0.1"}));
}

}  // namespace
}  // namespace opm::builtin
