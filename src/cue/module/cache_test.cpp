#include "cue/module/cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/file_writer.h"
#include "base/path.h"

namespace opm::cue::module {
namespace {

using ::testing::HasSubstr;

class CacheTest : public ::testing::Test {
 protected:
  CacheTest() {
    folder = ::testing::TempDir() + "module_cache." + std::to_string(::getpid());
    EXPECT_TRUE(base::remove_tree(folder));
  }
  ~CacheTest() override { EXPECT_TRUE(base::remove_tree(folder)); }

  static std::string archive(const std::string& text) {
    return write_archive({{"cue.mod/module.cue", "module: \"a.test/m@v1\"\nlanguage: version: \"v0.15.0\"\n"},
                          {"sub/x.cue", text}});
  }
  std::string path(const std::string& below) { return folder + "/mod/" + below; }
  bool exists(const std::string& below) { return base::real_file_system().status(path(below)).has_value(); }
  std::string read(const std::string& below) {
    return base::real_file_system().read_file(path(below)).value_or("(not there)");
  }

  const ModuleVersion module{"a.test/m@v1", "v1.2.0-RC.1"};
  std::string folder;
  ModuleCache cache{::testing::TempDir() + "module_cache." + std::to_string(::getpid())};
};

TEST_F(CacheTest, HasTheLayoutOfCue) {
  EXPECT_FALSE(cache.extracted(module));
  auto lock = cache.lock(module);
  ASSERT_TRUE(lock);
  EXPECT_TRUE(exists("download/a.test/m/@v/v1.2.0-!r!c.1.lock"));
  ASSERT_TRUE(cache.store_module_file(module, "text"));
  EXPECT_EQ(read("download/a.test/m/@v/v1.2.0-!r!c.1.mod"), "text");
  ASSERT_TRUE(cache.store_archive(module, archive("package sub\n")));
  EXPECT_TRUE(cache.has_archive(module));
  EXPECT_EQ(cache.extract(module).value(), path("extract/a.test/m@v1.2.0-!r!c.1"));
  EXPECT_EQ(read("extract/a.test/m@v1.2.0-!r!c.1/sub/x.cue"), "package sub\n");
  EXPECT_FALSE(exists("download/a.test/m/@v/v1.2.0-!r!c.1.partial"));
  EXPECT_TRUE(cache.extracted(module));
}

TEST_F(CacheTest, WhatWasLeftHalfDoneIsDoneAgain) {
  {
    auto lock = cache.lock(module);
    ASSERT_TRUE(cache.store_archive(module, archive("package sub\n")));
  }
  // As after a kill in the middle of unpacking and of a download.
  ASSERT_TRUE(base::create_file(path("download/a.test/m/@v/v1.2.0-!r!c.1.partial"), "", false));
  ASSERT_TRUE(base::create_file(path("download/a.test/m/@v/v1.2.0-!r!c.1.zip123.tmp"), "half", false));
  ASSERT_TRUE(base::real_file_writer().make_directories(path("extract/a.test/m@v1.2.0-!r!c.1")));
  ASSERT_TRUE(base::create_file(path("extract/a.test/m@v1.2.0-!r!c.1/broken"), "", true));
  EXPECT_FALSE(cache.extracted(module));
  CacheSource source(cache);
  auto tree = source.content(module);
  ASSERT_TRUE(tree && *tree);
  EXPECT_FALSE(exists("extract/a.test/m@v1.2.0-!r!c.1/broken"));
  EXPECT_EQ(read("extract/a.test/m@v1.2.0-!r!c.1/sub/x.cue"), "package sub\n");
  EXPECT_EQ(source.module_file(module).value().value(),
            "module: \"a.test/m@v1\"\nlanguage: version: \"v0.15.0\"\n");
  auto lock = cache.lock(module);
  ASSERT_TRUE(cache.store_archive(module, archive("package sub\n")));
  EXPECT_FALSE(exists("download/a.test/m/@v/v1.2.0-!r!c.1.zip123.tmp"));
}

TEST_F(CacheTest, BadArchivesLeaveNothingBehind) {
  auto lock = cache.lock(module);
  auto stored = cache.store_archive(module, write_archive({{"../x", ""}}));
  ASSERT_FALSE(stored);
  EXPECT_THAT(stored.error().message, HasSubstr("module a.test/m@v1.2.0-RC.1: invalid module archive: ../x"));
  EXPECT_FALSE(cache.has_archive(module));
  // One that got there in another way.
  ASSERT_TRUE(base::create_file(path("download/a.test/m/@v/v1.2.0-!r!c.1.zip"), "no zip", false));
  EXPECT_FALSE(cache.extract(module));
  EXPECT_FALSE(cache.has_archive(module));
  EXPECT_FALSE(exists("extract/a.test/m@v1.2.0-!r!c.1"));
  EXPECT_FALSE(exists("download/a.test/m/@v/v1.2.0-!r!c.1.partial"));
}

TEST(CacheFolder, IsWhereCueHasIt) {
  using Variables = std::map<std::string, std::string>;
  auto folder = [](Variables variables) {
    return cache_folder(base::MemoryEnvironment(std::move(variables))).value_or("none");
  };
  EXPECT_EQ(folder({{"CUE_CACHE_DIR", "/c"}, {"XDG_CACHE_HOME", "/x"}}), "/c");
  EXPECT_EQ(folder({{"XDG_CACHE_HOME", "/x"}, {"HOME", "/h"}}), "/x/cue");
  EXPECT_EQ(folder({{"HOME", "/h"}}), "/h/.cache/cue");
  EXPECT_EQ(folder({}), "none");
}

}  // namespace
}  // namespace opm::cue::module
