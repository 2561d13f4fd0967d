#include "cue/module/stored_module_file.h"

#include <gtest/gtest.h>

namespace opm::cue::module {
namespace {

std::vector<ModuleFile> files() {
  std::vector<ModuleFile> files(2);
  files[0].path = "example.com/a@v1";
  files[0].has_major_version = false;
  files[0].language_version = "v0.15.0";
  files[0].source_kind = "self";
  files[0].description = "the first one";
  files[0].dependencies = {{{"example.com/b@v0", "v0.1.0"}, true, "", {}}, {{"example.com/c@v2", "v2.0.0"}, false, "", {}}};
  files[1].path = "example.com/b@v0";
  return files;
}

TEST(StoredModuleFile, SaysTheSame) {
  auto bytes = store_module_files(files());
  ASSERT_TRUE(bytes) << bytes.error();
  std::vector<ModuleFile> restored = restore_module_files(reinterpret_cast<const unsigned char*>(bytes->data()));
  ASSERT_EQ(restored.size(), 2u);
  for (std::size_t i = 0; i < restored.size(); ++i)
    EXPECT_EQ(write_module_file(restored[i]), write_module_file(files()[i]));
  EXPECT_FALSE(restored[0].has_major_version);
  EXPECT_TRUE(restored[1].has_major_version);
  EXPECT_EQ(restored[0].dependencies[0].module, (ModuleVersion{"example.com/b@v0", "v0.1.0"}));
  EXPECT_TRUE(restored[0].dependencies[0].is_default);
}

TEST(StoredModuleFile, RefusesWhatItDoesNotKeep) {
  std::vector<ModuleFile> changed = files();
  changed[1].custom = data::Value("x");
  EXPECT_FALSE(store_module_files(changed));
  changed = files();
  changed[0].dependencies[1].replace_with = "./c";
  EXPECT_FALSE(store_module_files(changed));
}

}  // namespace
}  // namespace opm::cue::module
