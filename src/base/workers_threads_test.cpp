#include "base/workers.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <array>
#include <atomic>
#include <latch>
#include <memory>
#include <thread>

namespace opm::base {
namespace {

cpu_set_t processors_of_caller() {
  cpu_set_t set;
  CPU_ZERO(&set);
  EXPECT_EQ(sched_getaffinity(0, sizeof(set), &set), 0);
  return set;
}

TEST(Workers, EachRunsOnceAndAtTheSameTime) {
  std::array<std::atomic<int>, 5> runs{};
  std::latch all(6);  // nobody gets past it unless all are running
  {
    Workers workers(5, [&](std::size_t i) {
      ++runs[i];
      all.arrive_and_wait();
    });
    ASSERT_EQ(workers.size(), 5u);
    all.arrive_and_wait();
  }
  for (std::atomic<int>& count : runs) EXPECT_EQ(count, 1);
}

TEST(Workers, AreAsFreeToMoveAsTheirCaller) {
  cpu_set_t here = processors_of_caller();
  std::atomic<int> alike = 0;
  std::latch all(4);
  {
    Workers workers(3, [&](std::size_t) {
      cpu_set_t there = processors_of_caller();
      if (CPU_EQUAL(&here, &there)) ++alike;
      all.count_down();
    });
    all.arrive_and_wait();
  }
  EXPECT_EQ(alike, 3);
  cpu_set_t after = processors_of_caller();
  EXPECT_TRUE(CPU_EQUAL(&here, &after));
}

TEST(Workers, WorkWhereThereIsOneProcessorOnly) {
  cpu_set_t all = processors_of_caller();
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(usable_processors(), 1u);
  std::atomic<int> runs = 0;
  std::latch both(3);
  {
    Workers workers(2, [&](std::size_t) {
      ++runs;
      both.count_down();
    });
    both.arrive_and_wait();
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof(all), &all), 0);
  EXPECT_EQ(runs, 2);
}

// Whether it begins or not: it does so before nobody waits for it any more, or never.
TEST(Workers, ThatComeTooLateDoNothing) {
  for (int i = 0; i < 200; ++i) {
    auto runs = std::make_unique<std::atomic<int>>(0);
    std::atomic<bool> is_over = false;
    { Workers workers(3, [&](std::size_t) { EXPECT_FALSE(is_over); ++*runs; }); }
    is_over = true;
    int in_time = *runs;
    EXPECT_LE(in_time, 3);
    std::this_thread::yield();
    EXPECT_EQ(*runs, in_time);
  }
}

TEST(Workers, NoneIsNoThread) {
  Workers none(0, [](std::size_t) { FAIL(); });
  EXPECT_EQ(none.size(), 0u);
}

}  // namespace
}  // namespace opm::base
