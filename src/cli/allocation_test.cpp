#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <new>
#include <set>
#include <thread>
#include <vector>

#include "base/sanitized.h"

#ifndef OPM_SANITIZED

namespace {

struct Kept {
  void* memory;
  std::size_t bytes;
  unsigned char mark;
};

Kept keep(std::size_t bytes, unsigned char mark) {
  void* memory = ::operator new(bytes);
  std::memset(memory, mark, bytes);
  return {memory, bytes, mark};
}

bool is_intact(const Kept& kept) {
  const auto* bytes = static_cast<const unsigned char*>(kept.memory);
  for (std::size_t i = 0; i < kept.bytes; ++i) {
    if (bytes[i] != kept.mark) return false;
  }
  return true;
}

TEST(Allocation, KeepsBlocksOfAllSizesApart) {
  std::vector<Kept> all;
  for (int round = 0; round < 3; ++round) {
    for (std::size_t bytes = 0; bytes < 1100; ++bytes) all.push_back(keep(bytes, static_cast<unsigned char>(bytes + round)));
    // Every third is dropped, so that the next round fills the gaps.
    for (std::size_t i = 0; i < all.size(); i += 3) {
      ASSERT_TRUE(is_intact(all[i])) << all[i].bytes;
      ::operator delete(all[i].memory);
      all[i] = keep(all[i].bytes, 7);
    }
  }
  std::set<void*> places;
  for (const Kept& kept : all) {
    ASSERT_TRUE(is_intact(kept)) << kept.bytes;
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(kept.memory) % __STDCPP_DEFAULT_NEW_ALIGNMENT__, 0u);
    ASSERT_TRUE(places.insert(kept.memory).second);
  }
  for (const Kept& kept : all) ::operator delete(kept.memory, kept.bytes);
}

TEST(Allocation, RefusesWhatIsTooLarge) {
  volatile std::size_t most = SIZE_MAX;
  EXPECT_THROW([[maybe_unused]] void* memory = ::operator new(most), std::bad_alloc);
  EXPECT_THROW([[maybe_unused]] void* memory = ::operator new(most - 20), std::bad_alloc);
  EXPECT_EQ(::operator new(most, std::nothrow), nullptr);
}

TEST(Allocation, ThreadsGiveAndTakeFromEachOther) {
  std::vector<Kept> first;
  std::thread([&] {
    for (std::size_t i = 0; i < 5000; ++i) first.push_back(keep(i % 600, 1));
  }).join();
  std::vector<Kept> second;
  // Takes over what the first left, and drops what it made, while this thread does the same.
  std::thread other([&] {
    for (std::size_t i = 0; i < 2500; ++i) {
      ::operator delete(first[i].memory);
      second.push_back(keep(first[i].bytes, 2));
    }
  });
  for (std::size_t i = 2500; i < 5000; ++i) {
    ::operator delete(first[i].memory);
    first[i] = keep(first[i].bytes, 3);
  }
  other.join();
  for (std::size_t i = 2500; i < 5000; ++i) second.push_back(first[i]);
  for (const Kept& kept : second) ASSERT_TRUE(is_intact(kept)) << kept.bytes;
  for (const Kept& kept : second) ::operator delete(kept.memory);
}

// As rounds of a watch do: what threads made is deleted by the one that waits for them.
TEST(Allocation, WhatOneThreadDeletesOthersUseAgain) {
  auto round = [] {
    std::vector<Kept> made;
    made.reserve(40000);
    std::thread([&] {
      for (std::size_t i = 0; i < 40000; ++i) made.push_back(keep(i % 300, 1));
    }).join();
    for (const Kept& kept : made) ::operator delete(kept.memory);
  };
  for (int i = 0; i < 3; ++i) round();
  std::size_t before = mallinfo2().uordblks;
  for (int i = 0; i < 30; ++i) round();
  EXPECT_LT(mallinfo2().uordblks, 2 * before);
}

}  // namespace

#endif
