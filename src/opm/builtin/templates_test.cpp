#include "opm/builtin/templates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cue/module/module_file.h"
#include "opm/builtin/catalog.h"

namespace opm::builtin {
namespace {

TEST(Templates, PinTheCatalogThatIsBuiltIn) {
  std::size_t modules = 0;
  for (std::size_t i = 0; i < template_files().size(); ++i) {
    base::EmbeddedFiles::File file = template_files().file(i);
    if (!file.path.ends_with("cue.mod/module.cue")) continue;
    ++modules;
    diag::SourceMap sources;
    auto module = cue::module::read_module_file(*sources.add(std::string(file.path), std::string(file.content)));
    ASSERT_TRUE(module) << file.path;
    EXPECT_FALSE(module->dependencies.empty()) << file.path;
    for (const cue::module::Dependency& dependency : module->dependencies) {
      EXPECT_NE(find_catalog_module(dependency.module.path), nullptr) << file.path << ": " << dependency.module.path;
      EXPECT_EQ(dependency.module.version, catalog_version()) << file.path << ": " << dependency.module.path;
    }
  }
  EXPECT_GT(modules, 0u);
}

TEST(Templates, AreThoseThatAreListed) {
  std::vector<std::string> found;
  auto entries = template_files().list_directory(kModuleTemplates, 100);
  ASSERT_TRUE(entries);
  for (const base::DirectoryEntry& entry : *entries) found.push_back(entry.name);
  EXPECT_THAT(found, testing::UnorderedElementsAreArray(module_templates()));
  for (const std::string& name : found)
    for (const char* file : {"module.cue", "values.cue", "components.cue"})
      EXPECT_TRUE(template_files().status(std::string(kModuleTemplates) + "/" + name + "/" + file)) << name << " " << file;
}

}  // namespace
}  // namespace opm::builtin
