#include "cue/large_stack.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <new>
#include <thread>

#include "cue/value.h"

namespace opm::cue {
namespace {

// Deeper than any thread's own stack reaches.
std::size_t descend(std::size_t levels) {
  volatile char frame[1024] = {};
  frame[levels % sizeof(frame)] = 1;
  return levels == 0 ? 0 : descend(levels - 1) + static_cast<std::size_t>(frame[levels % sizeof(frame)]);
}

TEST(LargeStack, HoldsWhatAnOrdinaryStackDoesNot) {
  constexpr std::size_t kLevels = 100'000;
  std::size_t reached = 0;
  run_on_large_stack([&] { reached = descend(kLevels); });
  EXPECT_EQ(reached, kLevels);
}

TEST(LargeStack, KnowsItsBoundsWhileItIsUsed) {
  EXPECT_EQ(current_large_stack(), nullptr);
  run_on_large_stack([] {
    const StackBounds* stack = current_large_stack();
    ASSERT_NE(stack, nullptr);
    char here = 0;
    EXPECT_GT(&here, stack->lowest);
    EXPECT_LT(&here, static_cast<char*>(stack->lowest) + stack->size);
    // Whoever is on it already stays there.
    run_on_large_stack([&] { EXPECT_EQ(current_large_stack(), stack); });
    std::thread([] { EXPECT_EQ(current_large_stack(), nullptr); }).join();
  });
  EXPECT_EQ(current_large_stack(), nullptr);
}

TEST(LargeStack, GivesBackWhatADeepUseTook) {
  char* deep = nullptr;
  auto is_resident = [&] {
    unsigned char pages = 0;
    EXPECT_EQ(mincore(deep, 1, &pages), 0);
    return (pages & 1) != 0;
  };
  auto use = [&](std::size_t levels) {
    run_on_large_stack([&] {
      const StackBounds* stack = current_large_stack();
      deep = static_cast<char*>(stack->lowest) + stack->size - (32u << 20);
      deep -= reinterpret_cast<std::uintptr_t>(deep) % 4096;
      descend(levels);
    });
  };
  for (int i = 0; i < 2; ++i) {
    use(1);
    use(1);
    EXPECT_FALSE(is_resident());
    use(100'000);
    EXPECT_TRUE(is_resident());
  }
}

TEST(LargeStack, HandsExceptionsOn) {
  EXPECT_THROW(run_on_large_stack([] { throw std::bad_alloc(); }), std::bad_alloc);
  EXPECT_EQ(current_large_stack(), nullptr);
}

}  // namespace
}  // namespace opm::cue
