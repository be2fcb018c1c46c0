#include "base/clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>

#include "base/text.hpp"

namespace personascope {
namespace {

using std::chrono::system_clock;

std::tm utc_fields(system_clock::time_point at) {
  const std::time_t time = system_clock::to_time_t(at);
  std::tm fields{};
  gmtime_r(&time, &fields);
  return fields;
}

constexpr double kLongestWaitSeconds = 7 * 24 * 3600.0;

std::optional<milliseconds> make_wait(double in_seconds) {
  if (!std::isfinite(in_seconds)) return std::nullopt;
  const double bounded = std::clamp(in_seconds, 0.0, kLongestWaitSeconds);
  return milliseconds(static_cast<long long>(std::ceil(bounded * 1000)));
}

// "6m0s", "1.5s", "20ms": numbers each followed by a unit.
std::optional<double> find_go_duration(std::string_view text) {
  double total = 0;
  while (!text.empty()) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const auto take = [&](std::string_view unit) {
      if (!text.starts_with(unit)) return false;
      text.remove_prefix(unit.size());
      return true;
    };
    if (take("ms"))
      total += number / 1000;
    else if (take("us") || take("µs"))
      total += number / 1e6;
    else if (take("ns"))
      total += number / 1e9;
    else if (take("d"))
      total += number * 86400;
    else if (take("h"))
      total += number * 3600;
    else if (take("m"))
      total += number * 60;
    else if (take("s"))
      total += number;
    else
      return std::nullopt;
  }
  return total;
}

// What may follow the seconds of an ISO date: a fraction, then "Z", "+02:00" or nothing. Gives the
// seconds by which the date is ahead of UTC.
std::optional<int> find_zone(std::string_view text) {
  if (text.starts_with('.'))
    text.remove_prefix(std::min(text.find_first_not_of("0123456789", 1), text.size()));
  if (text.empty() || text == "Z") return 0;
  if (text.size() != 6 || (text[0] != '+' && text[0] != '-') || text[3] != ':') return std::nullopt;
  const auto hours = find_integer_in(text.substr(1, 2));
  const auto minutes = find_integer_in(text.substr(4, 2));
  if (!hours || !minutes || *hours < 0 || *minutes < 0) return std::nullopt;
  return static_cast<int>(*hours * 3600 + *minutes * 60) * (text[0] == '-' ? -1 : 1);
}

// Seconds since 1970. Not a time_point: its nanoseconds overflow in the year 2262.
std::optional<double> find_date(const std::string& text) {
  std::tm fields{};
  if (const char* rest = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &fields)) {
    const auto ahead = find_zone(rest);
    if (!ahead) return std::nullopt;
    return static_cast<double>(timegm(&fields)) - *ahead;
  }
  // The three forms of an HTTP date.
  for (const char* format :
       {"%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %d %H:%M:%S %Y"}) {
    fields = {};
    if (const char* rest = strptime(text.c_str(), format, &fields); rest && *rest == '\0')
      return static_cast<double>(timegm(&fields));
  }
  return std::nullopt;
}

}  // namespace

std::string render_utc(system_clock::time_point at) {
  const std::tm f = utc_fields(at);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", f.tm_year + 1900, f.tm_mon + 1,
                     f.tm_mday, f.tm_hour, f.tm_min, f.tm_sec);
}

std::string utc_now() {
  return render_utc(system_clock::now());
}

std::string render_compact_utc(system_clock::time_point at) {
  const std::tm f = utc_fields(at);
  return fmt::format("{:04}{:02}{:02}T{:02}{:02}{:02}Z", f.tm_year + 1900, f.tm_mon + 1, f.tm_mday,
                     f.tm_hour, f.tm_min, f.tm_sec);
}

std::optional<milliseconds> find_wait(std::string_view text, system_clock::time_point now) {
  text = trim(text);
  if (text.empty() || text.size() > 64) return std::nullopt;
  if (const auto in_seconds = find_number_in(text)) return make_wait(*in_seconds);
  if (const auto in_seconds = find_go_duration(text)) return make_wait(*in_seconds);
  if (const auto date = find_date(std::string(text)))
    return make_wait(*date - std::chrono::duration<double>(now.time_since_epoch()).count());
  return std::nullopt;
}

std::string render_duration(Duration duration) {
  const auto in_ms = std::chrono::round<milliseconds>(duration);
  if (in_ms < seconds(1)) return fmt::format("{} ms", in_ms.count());
  const long long whole = std::chrono::round<seconds>(duration).count();
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

}  // namespace personascope
