#include "cue/std/evaluate_fixture.h"

namespace opm::cue::standard {
namespace {

TEST(Time, Durations) {
  expect_all({"time"}, {
    {R"(time.ParseDuration("1h15m30.918s"))", "4530918000000"},
    {R"(time.ParseDuration("-1.5us"))", "-1500"},
    {R"(time.ParseDuration("1µs2μs"))", "3000"},
    {R"(time.ParseDuration("0"))", "0"},
    {R"(time.ParseDuration(".5h"))", "1800000000000"},
    {R"(time.ParseDuration("1"))", R"(error: error in call to time.ParseDuration: time: missing unit in duration "1")"},
    {R"(time.ParseDuration("1d"))", R"(error: error in call to time.ParseDuration: time: unknown unit "d" in duration "1d")"},
    {R"(time.ParseDuration(""))", R"(error: error in call to time.ParseDuration: time: invalid duration "")"},
    {R"(time.ParseDuration("3000000h"))", R"(error: error in call to time.ParseDuration: time: invalid duration "3000000h")"},
    {"time.FormatDuration(10920000000000)", R"("3h2m0s")"},
    {"time.FormatDuration(-1500)", R"("-1.5µs")"},
    {"time.FormatDuration(600000001)", R"("600.000001ms")"},
    {"time.FormatDuration(61100000000)", R"("1m1.1s")"},
    {"time.FormatDuration(7)", R"("7ns")"},
    {"time.FormatDuration(0)", R"("0s")"},
    {R"("10s" & time.Duration)", R"("10s")"},
    {R"("ten" & time.Duration)", R"(error: invalid value "ten" (does not satisfy time.Duration): time: invalid duration "ten")"},
  });
}

TEST(Time, Validation) {
  expect_all({"time"}, {
    {R"("1937-01-01T12:00:27.87+00:20" & time.Time)", R"("1937-01-01T12:00:27.87+00:20")"},
    {R"("no time" & time.Time)", R"(error: invalid value "no time" (does not satisfy time.Time): invalid time "no time")"},
    {R"("2021-02-29T00:00:00Z" & time.Time)",
     R"(error: invalid value "2021-02-29T00:00:00Z" (does not satisfy time.Time): invalid time "2021-02-29T00:00:00Z")"},
    {R"("3:04PM" & time.Format(time.Kitchen))", R"("3:04PM")"},
    {R"(time.Format("2021-02-19", time.RFC3339Date))", "true"},
  });
}

TEST(Time, Parse) {
  expect_all({"time"}, {
    {R"(time.Parse(time.RFC822, "01 Jul 21 17:54 CEST"))", R"("2021-07-01T17:54:00Z")"},
    {R"(time.Parse(time.RFC3339Date, "2021-02-19"))", R"("2021-02-19T00:00:00Z")"},
    {R"(time.Parse("01/02 03:04:05PM '06 -0700", "01/02 03:04:05PM '06 -0700"))", R"("2006-01-02T22:04:05Z")"},
    {R"(time.Parse(time.ANSIC, "Mon Jan  2 15:04:05 2006"))", R"("2006-01-02T15:04:05Z")"},
    {R"(time.Parse(time.RFC850, "Monday, 02-Jan-06 15:04:05 GMT+3"))", R"("2006-01-02T15:04:05Z")"},
    {R"(time.Parse("2006-002", "2020-366"))", R"("2020-12-31T00:00:00Z")"},
    {R"(time.Parse("3:04:05 pm", "12:00:01 am"))", R"("0000-01-01T00:00:01Z")"},
    {R"(time.Parse("15:04:05", "01:02:03,5"))", R"("0000-01-01T01:02:03.5Z")"},
    {R"(time.Parse("15:04:05.000", "01:02:03.25"))",
     R"(error: error in call to time.Parse: parsing time "01:02:03.25" as "15:04:05.000": cannot parse ".25" as ".000")"},
    {R"(time.Parse("2006", "20x6"))", R"(error: error in call to time.Parse: parsing time "20x6" as "2006": cannot parse "20x6" as "2006")"},
    {R"(time.Parse("15:04", "24:00"))", R"(error: error in call to time.Parse: parsing time "24:00": hour out of range)"},
    {R"(time.Parse("2006-01-02", "2021-02-30"))", R"(error: error in call to time.Parse: parsing time "2021-02-30": day out of range)"},
    {R"(time.Parse("2006", "2020!"))", R"(error: error in call to time.Parse: parsing time "2020!": extra text: "!")"},
    {R"(time.Parse("Jan", "foo"))", R"(error: error in call to time.Parse: parsing time "foo" as "Jan": cannot parse "foo" as "Jan")"},
    {R"(time.Parse("Z07:00", "+25:00"))", R"(error: error in call to time.Parse: parsing time "+25:00": time zone offset hour out of range)"},
  });
}

TEST(Time, FormatString) {
  expect_all({"time"}, {
    {R"(time.FormatString("Mon Jan _2 15:04:05 MST 2006", "2019-03-04T05:06:07Z"))", R"("Mon Mar  4 05:06:07 UTC 2019")"},
    {R"(time.FormatString("Monday 2 January 06 3:4:5pm -0700", "2019-12-14T15:06:07+02:00"))", R"("Saturday 14 December 19 3:6:7pm +0200")"},
    {R"(time.FormatString("002 __2 .000 .999 ,00 MST Z07:00:00", "2019-02-01T00:00:00.12-01:30"))",
     R"("032  32 .120 .12 ,12 -0130 -01:30:00")"},
    {R"(time.FormatString("Janet Month _2006", "2019-02-01T00:00:00Z"))", R"("Janet Month _2019")"},
    {R"(time.FormatString("03 PM", "2019-02-01T00:00:00Z"))", R"("12 AM")"},
  });
}

TEST(Time, UnixAndParts) {
  expect_all({"time"}, {
    {"time.Unix(1500000000, 123456)", R"("2017-07-14T02:40:00.000123456Z")"},
    {"time.Unix(-1, -1)", R"("1969-12-31T23:59:58.999999999Z")"},
    {"time.Unix(0, 5000000000)", R"("1970-01-01T00:00:05Z")"},
    {"time.Unix(-62135596801, 0)", R"("0000-12-31T23:59:59Z")"},
    {R"(time.Split("2017-07-14T02:40:00.000123456+01:00"))", "{year:2017,month:7,day:14,hour:2,minute:40,second:0,nanosecond:123456}"},
    {"[time.Second, time.June, time.Kitchen24]", R"([1000000000,6,"15:04"])"},
  });
  EXPECT_EQ(evaluate(R"(time.ToUnix("2019-01-02T15:04:05-08:00"))", {"time"}), "1546470245");
  EXPECT_EQ(evaluate(R"(time.ToUnixNano("1969-12-31T23:59:59.5Z"))", {"time"}), "-500000000");
}

}  // namespace
}  // namespace opm::cue::standard
