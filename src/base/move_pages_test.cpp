#include "base/move_pages.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstring>

namespace opm::base {
namespace {

class MovePages : public testing::Test {
 protected:
  MovePages() : pages_(map(2 * kSize)), there_(static_cast<char*>(pages_) + kSize) {
    ::munmap(there_, kSize);  // it is free
    std::strcpy(static_cast<char*>(pages_), "text");
  }
  ~MovePages() override { ::munmap(pages_, 2 * kSize); }
  static void* map(std::size_t size) {
    return ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }

  static inline const std::size_t kSize = whole_pages(100'000);
  void* pages_;
  void* there_;
};

TEST_F(MovePages, TakesThemAlong) {
  ASSERT_TRUE(move_pages(pages_, kSize, there_));
  EXPECT_STREQ(static_cast<const char*>(there_), "text");
}

TEST_F(MovePages, ReplacesNothing) {
  void* other = map(kSize);
  std::strcpy(static_cast<char*>(other), "other");
  EXPECT_FALSE(move_pages(pages_, kSize, other));
  EXPECT_STREQ(static_cast<const char*>(other), "other");
  EXPECT_STREQ(static_cast<const char*>(pages_), "text");
  ::munmap(other, kSize);
}

TEST_F(MovePages, MovesWholePagesToAnAddressThatThereIs) {
  EXPECT_FALSE(move_pages(static_cast<char*>(pages_) + 16, kSize, there_));
  EXPECT_FALSE(move_pages(pages_, kSize - 1, there_));
  EXPECT_FALSE(move_pages(pages_, kSize, reinterpret_cast<void*>(~std::uintptr_t{0} / kSize * kSize - kSize)));
  EXPECT_STREQ(static_cast<const char*>(pages_), "text");
  EXPECT_EQ(whole_pages(1), whole_pages(2));
  EXPECT_EQ(whole_pages(whole_pages(1)), whole_pages(1));
}

}  // namespace
}  // namespace opm::base
