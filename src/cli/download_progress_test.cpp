#include "cli/download_progress.h"

#include <gtest/gtest.h>

namespace opm::cli {
namespace {

using std::chrono::milliseconds;

TEST(DownloadProgress, IsShownAfterAWhileAndGoneAtTheEnd) {
  base::ManualClock clock;
  Output err = Output::to_text();
  DownloadProgress progress(&err, clock, true);
  oci::Progress tell = progress.callback();
  tell("a.test/m@v1.0.0", 100'000, 2'000'000);
  clock.advance(milliseconds(400));
  tell("a.test/m@v1.0.0", 500'000, 2'000'000);
  EXPECT_EQ(err.text(), "");
  clock.advance(milliseconds(200));
  tell("b.test/m@v1.0.0", 0, 3'000'000);
  EXPECT_EQ(err.text(), "\r\x1b[Kdownloading a.test/m@v1.0.0: 0.5 of 2.0 MB and 1 more");
  tell("a.test/m@v1.0.0", 2'000'000, 2'000'000);
  tell("b.test/m@v1.0.0", 3'000'000, 3'000'000);
  EXPECT_TRUE(err.text().ends_with("\r\x1b[K"));
}

TEST(DownloadProgress, SaysNothingWhereNobodyLooks) {
  base::ManualClock clock;
  Output err = Output::to_text();
  DownloadProgress progress(&err, clock, false);
  EXPECT_FALSE(progress.callback());
}

}  // namespace
}  // namespace opm::cli
