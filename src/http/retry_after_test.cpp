#include "http/retry_after.h"

#include <gtest/gtest.h>

namespace opm::http {
namespace {

using std::chrono::seconds;

std::optional<seconds> wait(std::string text, std::string date = {}) {
  Answer answer;
  if (!text.empty()) answer.headers["retry-after"] = std::move(text);
  if (!date.empty()) answer.headers["date"] = std::move(date);
  return retry_after(answer, base::parse_time("2026-11-15T12:00:00Z").value());
}

TEST(RetryAfter, IsANumberOfSeconds) {
  EXPECT_EQ(wait("0"), seconds(0));
  EXPECT_EQ(wait("7"), seconds(7));
  EXPECT_EQ(wait("99999999999999999999"), seconds(86'400));
}

TEST(RetryAfter, OrAMomentInAnyFormOfHttp) {
  EXPECT_EQ(wait("Sun, 15 Nov 2026 12:00:09 GMT"), seconds(9));
  EXPECT_EQ(wait("Sunday, 15-Nov-26 12:00:09 GMT"), seconds(9));
  EXPECT_EQ(wait("Sun Nov 15 12:00:09 2026"), seconds(9));
  EXPECT_EQ(wait("Sun, 15 Nov 2026 11:59:00 GMT"), seconds(0));
  EXPECT_EQ(wait("Sun, 15 Nov 2127 12:00:00 GMT"), seconds(86'400));
}

TEST(RetryAfter, ByTheClockOfTheServer) {
  EXPECT_EQ(wait("Sun, 15 Nov 2026 15:00:09 GMT", "Sun, 15 Nov 2026 15:00:04 GMT"), seconds(5));
  EXPECT_EQ(wait("Sun, 15 Nov 2026 12:00:09 GMT", "yesterday"), seconds(9));
}

TEST(RetryAfter, WhatMakesNoSenseIsNotThere) {
  for (const char* text : {"", "-1", "soon", "1.5", "7 seconds", "Sun, 99 Nov 2026 12:00:09 GMT"})
    EXPECT_EQ(wait(text), std::nullopt) << text;
  EXPECT_EQ(wait(std::string(100'000, ':')), std::nullopt);
}

}  // namespace
}  // namespace opm::http
