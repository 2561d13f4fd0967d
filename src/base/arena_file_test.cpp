#include "base/arena_file.h"

#include <gtest/gtest.h>

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
