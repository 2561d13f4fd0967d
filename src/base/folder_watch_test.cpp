#include "base/folder_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace opm::base {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::Contains;
using testing::IsEmpty;

class FolderWatchTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "folder-watch-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root = pattern;
    fs::create_directories(root + "/a/b");
    auto opened = FolderWatch::open();
    ASSERT_TRUE(opened) << opened.error();
    watch.emplace(std::move(*opened));
    watch->add_tree(root);
  }
  void TearDown() override { fs::remove_all(root); }

  void write(const std::string& path) { std::ofstream(root + "/" + path) << "x"; }
  std::vector<std::string> changes(milliseconds timeout = milliseconds(2000)) {
    std::vector<std::string> found;
    for (const std::string& path : watch->wait(milliseconds(20), timeout)) found.push_back(path.substr(root.size()));
    return found;
  }

  std::string root;
  std::optional<FolderWatch> watch;
};

TEST_F(FolderWatchTest, TellsOfFilesAtAnyDepth) {
  write("a/b/x.cue");
  EXPECT_THAT(changes(), ElementsAre("/a/b/x.cue"));
  fs::remove(root + "/a/b/x.cue");
  EXPECT_THAT(changes(), ElementsAre("/a/b/x.cue"));
  EXPECT_EQ(watch->size(), 3u);
}

TEST_F(FolderWatchTest, ARenameOverAFileIsAChangeOfIt) {
  write("x.cue");
  changes();
  write("new~");
  fs::rename(root + "/new~", root + "/x.cue");
  EXPECT_THAT(changes(), ElementsAre("/x.cue"));
}

TEST_F(FolderWatchTest, SeveralFilesAreOneChange) {
  write("x.cue");
  write("a/y.cue");
  EXPECT_THAT(changes(), ElementsAre("/a/y.cue", "/x.cue"));
  EXPECT_THAT(changes(milliseconds(30)), IsEmpty());
}

TEST_F(FolderWatchTest, NewFoldersAreWatchedToo) {
  fs::create_directories(root + "/c/d");
  changes();
  watch->add_tree(root);  // what was made before the folder around it was watched
  write("c/d/z.cue");
  EXPECT_THAT(changes(), Contains("/c/d/z.cue"));
}

TEST_F(FolderWatchTest, AFolderThatIsNotThereYetIsWaitedFor) {
  watch->add_folder(root + "/later");
  fs::create_directory(root + "/later");
  EXPECT_THAT(changes(), Contains("/later"));
}

TEST_F(FolderWatchTest, FoldersOfOtherProgramsAreLeftOut) {
  fs::create_directories(root + "/.git/objects");
  watch->add_tree(root);
  changes(milliseconds(50));
  write(".git/objects/x");
  EXPECT_THAT(changes(milliseconds(50)), IsEmpty());
}

TEST(EditorFiles, AreKnownByTheirNames) {
  for (std::string_view name : {"x.cue~", ".#x.cue", "#x.cue#", ".x.cue.swp", "4913", "x.tmp"}) EXPECT_TRUE(is_editor_file(name)) << name;
  for (std::string_view name : {"x.cue", "values.yaml", ".opm", "a#b"}) EXPECT_FALSE(is_editor_file(name)) << name;
}

}  // namespace
}  // namespace opm::base
