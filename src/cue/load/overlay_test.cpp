#include "cue/load/overlay.h"

#include <gtest/gtest.h>

namespace opm::cue::load {
namespace {

TEST(Overlay, StandsBeforeTheDisk) {
  base::MemoryFileSystem disk{{"/m/a.cue", "old"}, {"/m/b.cue", "b"}};
  OverlayFileSystem files(disk, {{"/m/a.cue", "new"}, {"/m/sub/c.cue", "c"}});
  EXPECT_EQ(files.read_file("/m/a.cue", 100).value(), "new");
  EXPECT_EQ(files.read_file("/m/b.cue", 100).value(), "b");
  EXPECT_EQ(files.read_file("/m/sub/c.cue", 100).value(), "c");
  auto entries = files.list_directory("/m", 100);
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 3u);
  EXPECT_EQ((*entries)[2].name, "sub");
  EXPECT_EQ(files.list_directory("/m/sub", 100)->size(), 1u);
  EXPECT_EQ(files.status("/m/sub")->kind, base::FileKind::directory);
  EXPECT_FALSE(files.status("/m/none"));
  EXPECT_EQ(files.real_path("/m/sub/c.cue").value(), "/m/sub/c.cue");
}

TEST(Overlay, FilesAreWhereTheirFolderReallyIs) {
  base::MemoryFileSystem disk{{"/real/m/b.cue", "b"}};
  disk.add_link("/m", "/real/m");
  OverlayFileSystem files(disk, {{"/m/a.cue", "a"}, {"/m/sub/c.cue", "c"}});
  EXPECT_EQ(files.real_path("/m").value(), "/real/m");
  EXPECT_EQ(files.real_path("/m/a.cue").value(), "/real/m/a.cue");
  EXPECT_EQ(files.real_path("/m/b.cue").value(), "/real/m/b.cue");
  EXPECT_EQ(files.real_path("/m/sub/c.cue").value(), "/real/m/sub/c.cue");
  EXPECT_FALSE(files.real_path("/m/none"));
}

}  // namespace
}  // namespace opm::cue::load
