#include "base/clock.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace personascope {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::system_clock;

// Sunday, 15 November 2026, 03:41:00 UTC.
const system_clock::time_point kNow = system_clock::from_time_t(1794714060);

TEST(Clock, RendersTheRecordsFormAndTheCompactOne) {
  EXPECT_EQ(render_utc(kNow), "2026-11-15T03:41:00Z");
  EXPECT_EQ(render_compact_utc(kNow), "20261115T034100Z");
  EXPECT_EQ(render_utc(system_clock::from_time_t(0)), "1970-01-01T00:00:00Z");
  EXPECT_EQ(render_utc(system_clock::from_time_t(951782400)), "2000-02-29T00:00:00Z");
  EXPECT_EQ(utc_now().size(), 20u);
}

struct WaitCase {
  const char* text;
  milliseconds wait;
};

TEST(Clock, ReadsEveryFormInWhichServersTellAWait) {
  const WaitCase cases[] = {
      {"0", milliseconds(0)},
      {"45", seconds(45)},
      {" 2 ", seconds(2)},
      {"0.5", milliseconds(500)},
      {"1e2", seconds(100)},
      {"20ms", milliseconds(20)},
      {"1.5s", milliseconds(1500)},
      {"6m0s", minutes(6)},
      {"1m30s", seconds(90)},
      {"1h2m3s", seconds(3723)},
      {"1d", hours(24)},
      {"500us", milliseconds(1)},
      {"500µs", milliseconds(1)},
      {"7ns", milliseconds(1)},
      {"2026-11-15T03:41:10Z", seconds(10)},
      {"2026-11-15T03:41:10", seconds(10)},
      {"2026-11-15T03:41:10.250Z", seconds(10)},
      {"2026-11-15T05:41:10+02:00", seconds(10)},
      {"2026-11-14T22:11:10.5-05:30", seconds(10)},
      {"Sun, 15 Nov 2026 03:42:00 GMT", minutes(1)},
      {"Sunday, 15-Nov-26 03:42:00 GMT", minutes(1)},
      {"Sun Nov 15 03:42:00 2026", minutes(1)},
  };
  for (const WaitCase& row : cases) {
    const auto wait = find_wait(row.text, kNow);
    ASSERT_TRUE(wait) << row.text;
    EXPECT_EQ(wait->count(), row.wait.count()) << row.text;
  }
}

TEST(Clock, AWaitIsNeverNegativeAndNeverOverAWeek) {
  for (const char* past : {"-5", "-5s", "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT",
                           "Sunday, 06-Nov-94 08:49:37 GMT", "0001-01-01T00:00:00Z"})
    EXPECT_EQ(find_wait(past, kNow), milliseconds(0)) << past;
  for (const char* far : {"1e18", "99999999999", "1e300s", "99999d", "9999-12-31T23:59:59Z",
                          "Fri, 31 Dec 9999 23:59:59 GMT", "1794714060000"})
    EXPECT_EQ(find_wait(far, kNow), hours(7 * 24)) << far;
}

TEST(Clock, WhatIsNoWaitIsNothing) {
  const std::string bad[] = {"",
                             " ",
                             "soon",
                             "s",
                             "5x",
                             "5s!",
                             "1m30",
                             "inf",
                             "nan",
                             "infs",
                             "1e999",
                             "1e999s",
                             "0x10",
                             "2026-11-15",
                             "2026-13-15T00:00:00Z",
                             "2026-11-15T25:00:00Z",
                             "2026-11-15T03:41:10Zulu",
                             "2026-11-15T03:41:10+2",
                             "2026-11-15T03:41:10+-2:00",
                             "2026-11-15T03:41:10.x",
                             "Sun, 15 Nov 2026 03:42:00",
                             "Sun, 15 Nov 2026 03:42:00 GMT!",
                             std::string(65, '1'),
                             std::string(1'000'000, '9'),
                             "\xFF\xFE",
                             std::string("\0\0", 2)};
  for (const std::string& text : bad) EXPECT_FALSE(find_wait(text, kNow)) << text.substr(0, 80);
}

TEST(Clock, RendersDurationsForPeople) {
  const std::pair<Duration, const char*> cases[] = {
      {milliseconds(0), "0 ms"},
      {milliseconds(850), "850 ms"},
      {milliseconds(1000), "1 s"},
      {std::chrono::microseconds(999'700), "1 s"},
      {seconds(12), "12 s"},
      {milliseconds(59'700), "1 min 00 s"},
      {seconds(185), "3 min 05 s"},
      {seconds(3599), "59 min 59 s"},
      {milliseconds(3'599'600), "1 h 00 min"},
      {minutes(130), "2 h 10 min"},
  };
  for (const auto& [duration, text] : cases) EXPECT_EQ(render_duration(duration), text);
}

}  // namespace
}  // namespace personascope
