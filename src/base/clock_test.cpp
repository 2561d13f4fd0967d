#include "base/clock.h"

#include <gtest/gtest.h>

namespace opm::base {
namespace {

using std::chrono::seconds;

TEST(ClockTest, RealTimeMovesOn) {
  Clock& clock = real_clock();
  auto before = clock.elapsed();
  clock.sleep(std::chrono::milliseconds(2));
  EXPECT_GE(clock.elapsed() - before, std::chrono::milliseconds(2));
  EXPECT_GT(clock.now(), Clock::Time(std::chrono::hours(24 * 365 * 50)));
}

TEST(ClockTest, ManualTimeMovesWhenTold) {
  ManualClock clock(Clock::Time(seconds(1'000'000'000)));
  EXPECT_EQ(format_time(clock.now()), "2001-09-09T01:46:40Z");
  clock.sleep(seconds(20));
  clock.advance(seconds(-100));
  EXPECT_EQ(clock.elapsed(), seconds(20));
  EXPECT_EQ(format_time(clock.now()), "2001-09-09T01:47:00Z");
}

TEST(ClockTest, FormatsTimesBeforeAndAfterTheEpoch) {
  EXPECT_EQ(format_time(Clock::Time{}), "1970-01-01T00:00:00Z");
  EXPECT_EQ(format_time(Clock::Time(seconds(-1))), "1969-12-31T23:59:59Z");
  EXPECT_EQ(format_time(Clock::Time(std::chrono::milliseconds(951'827'199'999))), "2000-02-29T12:26:39Z");
}

TEST(ClockTest, ReadsTimesWithOffsets) {
  EXPECT_EQ(parse_time("1970-01-01T00:00:10Z"), Clock::Time(seconds(10)));
  EXPECT_EQ(parse_time("1970-01-01T01:00:10.123+01:00"), Clock::Time(seconds(10)));
  EXPECT_FALSE(parse_time("yesterday"));
  EXPECT_EQ(parse_time("9999-12-31T23:59:59Z"), parse_time("2970-01-01T00:00:00Z"));
  EXPECT_GT(parse_time("9999-12-31T23:59:59Z"), parse_time("2199-12-31T23:59:59Z"));
  EXPECT_LT(parse_time("0001-01-01T00:00:00Z"), parse_time("1800-01-01T00:00:00Z"));
  EXPECT_FALSE(parse_time("1970-01-01T00:00:10"));
}

}  // namespace
}  // namespace opm::base
