#include "base/pages.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "base/arena.h"
#include "base/large_run.h"
#include "base/sanitized.h"

namespace opm::base {
namespace {

TEST(Pages, BlocksAreAsLargeAsAskedForAndApart) {
  std::vector<PageBlock> blocks;
  for (std::size_t bytes : {1u, 16u << 10, 17u << 10, 300u << 10, 2u << 20, 5u << 20, 16u << 10}) {
    blocks.push_back(take_pages(bytes));
    EXPECT_GE(blocks.back().size, bytes);
    std::memset(blocks.back().memory, static_cast<int>(blocks.size()), blocks.back().size);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto* bytes = static_cast<const unsigned char*>(blocks[i].memory);
    EXPECT_EQ(bytes[0], i + 1);
    EXPECT_EQ(bytes[blocks[i].size - 1], i + 1);
  }
  for (const PageBlock& block : blocks) give_pages(block);
}

// Where a sanitizer watches, blocks really go back to the system.
#ifndef OPM_SANITIZED
TEST(Pages, WhatWasGivenBackIsTakenAgain) {
  PageBlock block = take_pages(100'000);
  give_pages(block);
  PageBlock again = take_pages(100'000);
  EXPECT_EQ(again.memory, block.memory);
  give_pages(again);
}

TEST(Pages, AnArenaLeavesItsBlocksToTheNext) {
  const void* first = Arena().allocate(16, 8);
  EXPECT_EQ(Arena().allocate(16, 8), first);
}
#endif

void use_heap_in_two_threads() {
  auto work = [] {
    open_heap();
    std::vector<std::vector<char>> kept;
    for (std::size_t i = 0; i < 200; ++i) kept.emplace_back(i * 997, static_cast<char>(i));
    for (std::size_t i = 1; i < kept.size(); ++i) ASSERT_EQ(kept[i].back(), static_cast<char>(i));
  };
  std::thread other(work);
  work();
  other.join();
}

TEST(Pages, AnOpenHeapWorksInEveryThread) {
  tune_heap();
  open_heap();
  use_heap_in_two_threads();
}

TEST(Pages, ASharedHeapWorksInEveryThread) {
  share_heap();
  expect_large_run();
  use_heap_in_two_threads();
}

}  // namespace
}  // namespace opm::base
