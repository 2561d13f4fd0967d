#include "base/arena_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "base/file_writer.h"

namespace opm::base {
namespace {

std::string_view view(std::span<const char> text) { return {text.data(), text.size()}; }

TEST(ArenaFile, HasWhatTheFileHas) {
  std::string path = testing::TempDir() + "/arena_file_test";
  Arena arena;
  for (std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{4096}, std::size_t{300'000}}) {
    std::string content(size, 'a');
    if (size > 0) content.back() = 'b';
    ASSERT_TRUE(real_file_writer().write_file(path, content));
    auto read = read_file(path, arena);
    ASSERT_TRUE(read);
    EXPECT_EQ(view(*read), content);
  }
  std::filesystem::remove(path);
}

TEST(ArenaFile, ReadsWhatWasOpenedAhead) {
  std::string path = testing::TempDir() + "/arena_file_opened_test";
  ASSERT_TRUE(real_file_writer().write_file(path, "before"));
  OpenedFile opened(path);
  OpenedFile none;
  EXPECT_TRUE(opened.is_open());
  EXPECT_FALSE(none.is_open());
  EXPECT_FALSE(OpenedFile(path + ".not").is_open());
  none = std::move(opened);
  // The one that was opened, even if there is another one in its place now.
  ASSERT_TRUE(real_file_writer().write_file(path, "after"));
  Arena arena;
  EXPECT_EQ(view(read_file(path, arena, std::move(none)).value()), "before");
  EXPECT_EQ(view(read_file(path, arena).value()), "after");
  std::filesystem::remove(path);
}

TEST(ArenaFile, LeavesTheTimeOfTheLastReadingAsItWas) {
  std::string path = testing::TempDir() + "/arena_file_time_test";
  ASSERT_TRUE(real_file_writer().write_file(path, "a"));
  const timespec times[] = {{.tv_sec = 1000, .tv_nsec = 0}, {.tv_sec = 2000, .tv_nsec = 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  Arena arena;
  ASSERT_TRUE(read_file(path, arena));
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_atim.tv_sec, 1000);
  std::filesystem::remove(path);
}

TEST(ArenaFile, ReadsWhatDoesNotSayHowLongItIs) {
  Arena arena;
  auto read = read_file("/proc/self/status", arena);
  ASSERT_TRUE(read);
  EXPECT_TRUE(view(*read).starts_with("Name:"));
}

TEST(ArenaFile, SaysWhyItCannotBeRead) {
  Arena arena;
  EXPECT_EQ(read_file(testing::TempDir() + "/no such file", arena).error().kind, FileErrorKind::not_found);
  EXPECT_EQ(read_file(testing::TempDir(), arena).error().kind, FileErrorKind::is_a_directory);
}

}  // namespace
}  // namespace opm::base
