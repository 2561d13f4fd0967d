#include "base/file_writer.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

namespace opm::base {
namespace {

class FileWriterTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "opm-file-writer-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(std::string_view name) const { return folder_ + "/" + std::string(name); }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    auto entries = real_file_system().list_directory(folder_);
    for (const auto& entry : entries.value()) found.push_back(entry.name);
    return found;
  }

  std::string folder_;
  FileWriter& writer_ = real_file_writer();
};

TEST_F(FileWriterTest, WritesAndReplacesFiles) {
  ASSERT_TRUE(writer_.write_file(path("a"), "one"));
  ASSERT_TRUE(writer_.write_file(path("a"), std::string(300'000, 'x')));
  EXPECT_EQ(real_file_system().read_file(path("a"))->size(), 300'000u);
  EXPECT_EQ(names(), std::vector<std::string>{"a"});  // nothing else is left behind
}

TEST_F(FileWriterTest, SetsWhoMayRead) {
  ASSERT_TRUE(writer_.write_file(path("secret"), "x", FileAccess::owner_only));
  ASSERT_TRUE(writer_.write_file(path("tool"), "x", FileAccess::everyone_executable));
  struct stat status {};
  ASSERT_EQ(::stat(path("secret").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  ASSERT_EQ(::stat(path("tool").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0755u);
}

TEST_F(FileWriterTest, MakesPrivateFoldersAndRemovesEmptyOnes) {
  ASSERT_TRUE(writer_.make_directories(path("private/inner"), FileAccess::owner_only));
  struct stat status {};
  ASSERT_EQ(::stat(path("private").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  EXPECT_FALSE(writer_.remove_directory(path("private")));
  EXPECT_TRUE(writer_.remove_directory(path("private/inner")));
  EXPECT_TRUE(writer_.remove_directory(path("private")));

  MemoryFileSystem memory{{"/a/b", "x"}};
  MemoryFileWriter in_memory(memory);
  EXPECT_FALSE(in_memory.remove_directory("/a"));
  ASSERT_TRUE(in_memory.remove_file("/a/b"));
  EXPECT_TRUE(in_memory.remove_directory("/a"));
  EXPECT_FALSE(memory.status("/a"));
}

TEST_F(FileWriterTest, ReplacesALinkInsteadOfFollowingIt) {
  ASSERT_TRUE(writer_.write_file(path("target"), "old"));
  std::filesystem::create_symlink(path("target"), path("link"));
  ASSERT_TRUE(writer_.write_file(path("link"), "new"));
  EXPECT_EQ(*real_file_system().read_file(path("target")), "old");
  EXPECT_EQ(*real_file_system().read_file(path("link")), "new");
}

TEST_F(FileWriterTest, RewritesInMorePartsThanTheSystemTakesAtATime) {
  for (std::size_t old_size : {0, 100, 100'000}) {
    ASSERT_TRUE(writer_.write_file(path("a"), std::string(old_size, 'x')));
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < 3000; ++i) texts.push_back(std::to_string(i).substr(0, i % 5));
    ASSERT_TRUE(writer_.rewrite_file(path("a"), std::vector<std::string_view>(texts.begin(), texts.end())));
    std::string content;
    for (const std::string& text : texts) content += text;
    EXPECT_EQ(*real_file_system().read_file(path("a")), content);
  }
}

TEST_F(FileWriterTest, RewritesInPlace) {
  ASSERT_TRUE(writer_.write_file(path("target"), "old content", FileAccess::owner_only));
  std::filesystem::create_symlink(path("target"), path("link"));
  struct stat before {};
  ASSERT_EQ(::stat(path("target").c_str(), &before), 0);
  for (const std::string& content : {std::string(300'000, 'x'), std::string("short"), std::string()}) {
    ASSERT_TRUE(writer_.rewrite_file(path("link"), content));
    EXPECT_EQ(*real_file_system().read_file(path("target")), content);
  }
  for (std::size_t size : {0, 5, 3000, 2, 40}) {  // longer and shorter than before, where parts end and in the middle of them
    std::vector<std::string_view> parts{"ab", "", "cdef", "g"};
    std::string long_part(size, 'y');
    parts.insert(parts.begin() + 2, long_part);
    ASSERT_TRUE(writer_.rewrite_file(path("link"), parts));
    EXPECT_EQ(*real_file_system().read_file(path("target")), "ab" + long_part + "cdefg");
  }
  struct stat after {};
  ASSERT_EQ(::stat(path("target").c_str(), &after), 0);
  EXPECT_EQ(after.st_ino, before.st_ino);
  EXPECT_EQ(after.st_mode, before.st_mode);
  EXPECT_FALSE(writer_.rewrite_file(path("none"), "x"));
  EXPECT_FALSE(writer_.rewrite_file(folder_, "x"));
}

TEST_F(FileWriterTest, LeavesNothingBehindWhenItFails) {
  ASSERT_TRUE(writer_.make_directories(path("folder/inner")));
  auto written = writer_.write_file(path("folder"), "x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, FileErrorKind::is_a_directory);
  EXPECT_EQ(names(), std::vector<std::string>{"folder"});
  EXPECT_EQ(writer_.write_file(path("none/a"), "x").error().kind, FileErrorKind::not_found);
}

TEST_F(FileWriterTest, MakesFoldersAndRemovesFiles) {
  ASSERT_TRUE(writer_.make_directories(path("a/b/c")));
  ASSERT_TRUE(writer_.make_directories(path("a/b/c")));
  ASSERT_TRUE(writer_.write_file(path("a/b/c/f"), "x"));
  EXPECT_EQ(writer_.make_directories(path("a/b/c/f/d")).error().kind, FileErrorKind::not_a_directory);
  ASSERT_TRUE(writer_.remove_file(path("a/b/c/f")));
  EXPECT_EQ(writer_.remove_file(path("a/b/c/f")).error().kind, FileErrorKind::not_found);
  EXPECT_FALSE(writer_.remove_file(path("a/b/c")));
}

TEST_F(FileWriterTest, MemoryBehavesLikeADisk) {
  MemoryFileSystem files;
  MemoryFileWriter writer(files);
  EXPECT_EQ(writer.write_file("/a/f", "x", FileAccess::everyone).error().kind, FileErrorKind::not_found);
  ASSERT_TRUE(writer.make_directories("/a/b", FileAccess::everyone));
  ASSERT_TRUE(writer.write_file("/a/f", "x", FileAccess::everyone));
  ASSERT_TRUE(writer.write_file("/a/f", "y", FileAccess::everyone));
  EXPECT_EQ(*files.read_file("/a/f", 10), "y");
  EXPECT_EQ(writer.write_file("/a/b", "x", FileAccess::everyone).error().kind, FileErrorKind::is_a_directory);
  EXPECT_EQ(writer.make_directories("/a/f/c", FileAccess::everyone).error().kind, FileErrorKind::not_a_directory);
  EXPECT_TRUE(writer.remove_file("/a/f"));
  EXPECT_EQ(writer.remove_file("/a/f").error().kind, FileErrorKind::not_found);
  EXPECT_FALSE(writer.remove_file("/a/b"));
}

}  // namespace
}  // namespace opm::base
