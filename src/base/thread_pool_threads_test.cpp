#include "base/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

namespace opm::base {
namespace {

TEST(ThreadPoolTest, RunsEveryPieceOnce) {
  for (std::size_t threads : {1, 2, 4, 9}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.size(), threads);
    for (std::size_t count : {0, 1, 2, 3, 100, 10'000}) {
      std::vector<int> runs(count, 0);
      EXPECT_TRUE(pool.parallel_for(count, [&](std::size_t index) { ++runs[index]; }));
      EXPECT_EQ(std::count(runs.begin(), runs.end(), 1), static_cast<std::ptrdiff_t>(count));
    }
  }
}

TEST(ThreadPoolTest, TheLastBatchIsDoneToItsEnd) {
  for (std::size_t threads : {1, 2, 4, 9}) {
    for (std::size_t count : {0, 1, 2, 1000}) {
      ThreadPool pool(threads);
      std::vector<int> runs(count, 0);
      auto job = [&](std::size_t index) { ++runs[index]; };
      EXPECT_TRUE(pool.parallel_for(count, job));
      EXPECT_TRUE(pool.parallel_for_at_last(count, job));
      // Who asks for more all the same does it alone.
      EXPECT_TRUE(pool.parallel_for(count, job));
      EXPECT_EQ(std::count(runs.begin(), runs.end(), 3), static_cast<std::ptrdiff_t>(count));
    }
  }
}

TEST(ThreadPoolTest, PiecesMayDivideTheirOwnWork) {
  ThreadPool pool(4);
  std::atomic<int> total = 0;
  auto done = pool.parallel_for(20, [&](std::size_t) {
    auto inner = pool.parallel_for(20, [&](std::size_t) {
      auto innermost = pool.parallel_for(5, [&](std::size_t) { ++total; });
      EXPECT_TRUE(innermost);
    });
    EXPECT_TRUE(inner);
  });
  EXPECT_TRUE(done);
  EXPECT_EQ(total, 2000);
}

TEST(ThreadPoolTest, SeveralThreadsMayShareAPool) {
  ThreadPool pool(3);
  std::atomic<int> total = 0;
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        EXPECT_TRUE(pool.parallel_for(10, [&](std::size_t) { ++total; }));
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(total, 2000);
}

TEST(ThreadPoolTest, ReportsTheFirstFailureAndRunsTheRest) {
  for (std::size_t threads : {1, 4}) {
    ThreadPool pool(threads);
    std::atomic<int> runs = 0;
    auto done = pool.parallel_for(1000, [&](std::size_t index) {
      ++runs;
      if (index % 100 == 37) throw std::runtime_error("piece " + std::to_string(index));
    });
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().index, 37u);
    EXPECT_EQ(done.error().message, "piece 37");
    EXPECT_EQ(runs, 1000);
  }
}

}  // namespace
}  // namespace opm::base
