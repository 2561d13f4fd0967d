#include "base/file_system.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "base/path.h"

namespace opm::base {
namespace {

TEST(Path, CleanRemovesWhatMeansNothing) {
  EXPECT_EQ(clean_path("/a//b/./c/../d/"), "/a/b/d");
  EXPECT_EQ(clean_path(""), ".");
  EXPECT_EQ(clean_path("a/.."), ".");
  EXPECT_EQ(clean_path("../a/../.."), "../..");
  EXPECT_EQ(clean_path("/../a"), "/a");
}

TEST(Path, ParentStopsAtTheTop) {
  EXPECT_EQ(parent_path("/a/b"), "/a");
  EXPECT_EQ(parent_path("/a"), "/");
  EXPECT_EQ(parent_path("/"), "/");
  EXPECT_EQ(parent_path("a"), ".");
  EXPECT_EQ(base_name("/a/b.cue"), "b.cue");
  EXPECT_EQ(base_name("/"), "/");
}

TEST(Path, RelativeGoesUpAndDown) {
  EXPECT_EQ(relative_path("/a/b", "/a/b"), ".");
  EXPECT_EQ(relative_path("/a/b", "/a/b/c/d"), "c/d");
  EXPECT_EQ(relative_path("/a/b", "/a/c"), "../c");
  EXPECT_EQ(relative_path("/a/b", "/a"), "..");
  EXPECT_EQ(relative_path("/", "/x"), "x");
  EXPECT_EQ(relative_path("/ab", "/a"), "../a");
}

TEST(MemoryFileSystem, ListsFoldersThatFilesImply) {
  MemoryFileSystem files{{"/m/a.cue", "a"}, {"/m/sub/b.cue", "b"}};
  auto entries = files.list_directory("/m", 10);
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 2u);
  EXPECT_EQ((*entries)[0].name, "a.cue");
  EXPECT_EQ((*entries)[1].kind, FileKind::directory);
  EXPECT_EQ(files.list_directory("/m/a.cue", 10).error().kind, FileErrorKind::not_a_directory);
  EXPECT_EQ(files.list_directory("/m", 1).error().kind, FileErrorKind::too_large);
  EXPECT_EQ(files.status("/none").error().kind, FileErrorKind::not_found);
  EXPECT_EQ(files.read_file("/m/sub", 10).error().kind, FileErrorKind::is_a_directory);
  EXPECT_EQ(files.read_file("/m/a.cue", 0).error().kind, FileErrorKind::too_large);
}

TEST(MemoryFileSystem, FollowsLinksButNotForEver) {
  MemoryFileSystem files{{"/m/a/x.cue", "x"}};
  files.add_link("/m/l", "a");
  files.add_link("/m/loop", "loop");
  EXPECT_EQ(files.read_file("/m/l/x.cue", 10).value(), "x");
  EXPECT_EQ(files.real_path("/m/l/x.cue").value(), "/m/a/x.cue");
  EXPECT_EQ(files.read_file("/m/loop", 10).error().message, "too many levels of symbolic links");
}

TEST(RealFileSystem, ReadsListsAndCaps) {
  std::string name = "/tmp/opm-file-system-XXXXXX";
  ASSERT_NE(::mkdtemp(name.data()), nullptr);
  std::ofstream(name + "/b.txt") << "hello";
  std::ofstream(name + "/a.txt") << "";
  ASSERT_EQ(::symlink("b.txt", (name + "/link").c_str()), 0);
  const FileSystem& files = real_file_system();
  auto entries = files.list_directory(name);
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 3u);
  EXPECT_EQ((*entries)[0].name, "a.txt");
  EXPECT_EQ((*entries)[2].kind, FileKind::symbolic_link);
  EXPECT_EQ(files.read_file(name + "/link").value(), "hello");
  EXPECT_EQ(files.read_file(name + "/b.txt", static_cast<std::size_t>(-1)).value(), "hello");
  EXPECT_EQ(files.read_file(name + "/b.txt", 5).value(), "hello");
  EXPECT_FALSE(files.read_file("/proc/self/status").value().empty());
  EXPECT_EQ(files.read_file(name + "/a.txt").value(), "");
  EXPECT_EQ(files.read_file(name + "/b.txt", 4).error().kind, FileErrorKind::too_large);
  EXPECT_EQ(files.read_file(name).error().kind, FileErrorKind::is_a_directory);
  EXPECT_EQ(files.status(name + "/none").error().message, "no such file or directory");
  EXPECT_EQ(files.status(name + "/link").value().size, 5u);
  for (const char* file : {"/a.txt", "/b.txt", "/link"}) ::unlink((name + file).c_str());
  ::rmdir(name.c_str());
}

}  // namespace
}  // namespace opm::base
