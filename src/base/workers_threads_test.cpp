#include "base/workers.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <array>
#include <atomic>
#include <latch>

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
  {
    Workers workers(3, [&](std::size_t) {
      cpu_set_t there = processors_of_caller();
      if (CPU_EQUAL(&here, &there)) ++alike;
    });
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
  { Workers workers(2, [&](std::size_t) { ++runs; }); }
  ASSERT_EQ(sched_setaffinity(0, sizeof(all), &all), 0);
  EXPECT_EQ(runs, 2);
}

TEST(Workers, NoneIsNoThread) {
  Workers none(0, [](std::size_t) { FAIL(); });
  EXPECT_EQ(none.size(), 0u);
}

}  // namespace
}  // namespace opm::base
