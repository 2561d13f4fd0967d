#include "base/file_tree.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/file_writer.h"
#include "base/path.h"

namespace opm::base {
namespace {

class FileTreeTest : public ::testing::Test {
 protected:
  FileTreeTest() {
    folder = ::testing::TempDir() + "file_tree." + std::to_string(::getpid());
    EXPECT_TRUE(real_file_writer().make_directories(folder));
  }
  ~FileTreeTest() override { EXPECT_TRUE(remove_tree(folder)); }

  std::string folder;
};

TEST_F(FileTreeTest, ReadOnlyTreesCanBeRemoved) {
  std::string tree = join_path(folder, "tree");
  ASSERT_TRUE(real_file_writer().make_directories(join_path(tree, "a/b")));
  ASSERT_TRUE(create_file(join_path(tree, "a/b/c"), "text", true));
  EXPECT_FALSE(create_file(join_path(tree, "a/b/c"), "other", true));
  make_folders_read_only(tree);
  struct stat status {};
  ASSERT_EQ(::stat(join_path(tree, "a/b").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0555u);
  ASSERT_EQ(::stat(join_path(tree, "a/b/c").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0222, 0u);
  ASSERT_TRUE(remove_tree(tree));
  EXPECT_FALSE(real_file_system().status(tree));
  EXPECT_TRUE(remove_tree(tree));
}

TEST_F(FileTreeTest, LinksAreRemovedNotFollowed) {
  std::string outside = join_path(folder, "outside");
  ASSERT_TRUE(real_file_writer().make_directories(outside));
  ASSERT_TRUE(create_file(join_path(outside, "kept"), "text", false));
  std::string tree = join_path(folder, "tree");
  ASSERT_TRUE(real_file_writer().make_directories(tree));
  std::filesystem::create_symlink(outside, join_path(tree, "link"));
  ASSERT_TRUE(remove_tree(tree));
  EXPECT_TRUE(real_file_system().status(join_path(outside, "kept")));
}

TEST_F(FileTreeTest, LocksEndWithTheirObject) {
  std::string path = join_path(folder, "lock");
  {
    auto lock = FileLock::acquire(path);
    ASSERT_TRUE(lock);
  }
  EXPECT_TRUE(FileLock::acquire(path));
  EXPECT_FALSE(FileLock::acquire(join_path(folder, "no/such/folder")));
}

}  // namespace
}  // namespace opm::base
