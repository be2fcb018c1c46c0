#include "http/loopback/scenario.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace personascope::http::loopback {
namespace {

enum class Argument { None, Number, Text, Pair };

struct Directive {
  std::uint64_t number = 0;
  std::string text;
  std::string retry_after;
  std::uint64_t times = UINT64_MAX;
};

struct Row {
  std::string_view name;
  Argument argument = Argument::None;
  void (*apply)(Directive& given, Scenario& scenario) = nullptr;
  std::uint64_t least = 0;
  std::uint64_t most = UINT64_MAX;
};

constexpr std::string_view kNotJson = "<html><body>502 Bad Gateway</body></html>";

constexpr std::array kRows{
    Row{"status", Argument::Number,
        [](Directive& given, Scenario& scenario) {
          scenario.status = static_cast<int>(given.number);
          scenario.retry_after = std::move(given.retry_after);
        },
        200, 599},
    Row{"report", Argument::Number,
        [](Directive& given, Scenario& scenario) {
          scenario.report = static_cast<int>(given.number);
        },
        100, 599},
    Row{"words", Argument::Text,
        [](Directive& given, Scenario& scenario) { scenario.words = std::move(given.text); }},
    Row{"close", Argument::None, [](Directive&, Scenario& scenario) { scenario.close = true; }},
    Row{"cut", Argument::None, [](Directive&, Scenario& scenario) { scenario.cut = true; }},
    Row{"stall", Argument::None, [](Directive&, Scenario& scenario) { scenario.stall = true; }},
    Row{"endless", Argument::None, [](Directive&, Scenario& scenario) { scenario.endless = true; }},
    Row{"huge", Argument::Number,
        [](Directive& given, Scenario& scenario) { scenario.huge = given.number; }, 1,
        std::uint64_t{1} << 40},
    Row{"delay", Argument::Number,
        [](Directive& given, Scenario& scenario) {
          scenario.delay = milliseconds(static_cast<std::int64_t>(given.number));
        },
        0, 3'600'000},
    Row{"invalid-utf8", Argument::None,
        [](Directive&, Scenario& scenario) { scenario.invalid_utf8 = true; }},
    Row{"not-json", Argument::None,
        [](Directive&, Scenario& scenario) { scenario.raw_body = kNotJson; }},
    Row{"empty", Argument::None, [](Directive&, Scenario& scenario) { scenario.raw_body = ""; }},
    Row{"refuse", Argument::None,
        [](Directive&, Scenario& scenario) { scenario.ending = Ending::Refusal; }},
    Row{"filter", Argument::None,
        [](Directive&, Scenario& scenario) { scenario.ending = Ending::Filter; }},
    Row{"length", Argument::None,
        [](Directive&, Scenario& scenario) { scenario.ending = Ending::Length; }},
    Row{"break-off", Argument::None,
        [](Directive&, Scenario& scenario) { scenario.ending = Ending::Error; }},
    Row{"blank", Argument::None, [](Directive&, Scenario& scenario) { scenario.say = ""; }},
    Row{"too-long", Argument::None,
        [](Directive&, Scenario& scenario) { scenario.too_long = true; }},
    Row{"echo-key", Argument::None,
        [](Directive&, Scenario& scenario) { scenario.echo_key = true; }},
    Row{"say", Argument::Text,
        [](Directive& given, Scenario& scenario) { scenario.say = std::move(given.text); }},
    Row{"header", Argument::Pair,
        [](Directive& given, Scenario& scenario) {
          const std::size_t equals = given.text.find('=');
          scenario.headers.emplace_back(given.text.substr(0, equals),
                                        given.text.substr(equals + 1));
        }},
};

const Row* find_row(std::string_view name) {
  const auto row = std::ranges::find(kRows, name, &Row::name);
  return row == kRows.end() ? nullptr : &*row;
}

std::optional<std::uint64_t> find_count(std::string_view text) {
  const auto value = find_integer_in(text);
  if (!value || *value < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

// Where the text inside "[[" ends: at the "]]" that balances, so that JSON can be said, else at
// the first. Length of `text` if there is none.
std::size_t find_end(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (depth == 0 && text.substr(i, 2) == "]]") return i;
    if (text[i] == '[') ++depth;
    if (text[i] == ']' && depth > 0) --depth;
  }
  return std::min(text.find("]]"), text.size());
}

bool is_header(std::string_view text) {
  const std::size_t equals = text.find('=');
  return equals != 0 && equals != std::string_view::npos &&
         std::ranges::none_of(text, [](char c) { return c >= 0 && c < ' '; }) &&
         text.substr(0, equals).find_first_of(" :") == std::string_view::npos;
}

Result<void> read_option(std::string_view word, const Row& row, Directive& given) {
  const std::size_t equals = word.find('=');
  const std::string_view value = equals == std::string_view::npos ? "" : word.substr(equals + 1);
  if (word.starts_with("times=")) {
    const auto times = find_count(value);
    if (!times || *times == 0) return fail(ErrorKind::Invalid, "times must be a number from 1");
    given.times = *times;
    return {};
  }
  if (word.starts_with("retry-after=") && row.name == "status" && !value.empty()) {
    given.retry_after = value;
    return {};
  }
  return fail(ErrorKind::Invalid, "unknown argument \"{}\"", printable(word));
}

Result<Directive> parse_arguments(const Row& row, std::string_view rest) {
  Directive given;
  if (row.argument == Argument::Text || row.argument == Argument::Pair) {
    given.text = rest;
    if (row.argument == Argument::Pair && !is_header(rest))
      return fail(ErrorKind::Invalid, "needs name=value");
    return given;
  }
  bool needs_number = row.argument == Argument::Number;
  for (const std::string_view word : split(rest, ' ')) {
    if (word.empty()) continue;
    if (!needs_number) {
      RETURN_IF_ERROR(read_option(word, row, given));
      continue;
    }
    const auto number = find_count(word);
    if (!number || *number < row.least || *number > row.most)
      return fail(ErrorKind::Invalid, "\"{}\" is not a number it takes", printable(word));
    given.number = *number;
    needs_number = false;
  }
  if (needs_number) return fail(ErrorKind::Invalid, "needs a number");
  return given;
}

}  // namespace

Result<Scenario> parse_scenario(std::string_view text, std::uint64_t attempt) {
  Scenario scenario;
  for (std::size_t at = text.find("[["); at != std::string_view::npos; at = text.find("[[")) {
    text.remove_prefix(at + 2);
    const std::size_t end = find_end(text);
    const std::string_view inside = text.substr(0, end);
    const std::size_t blank = std::min(inside.find(' '), inside.size());
    const Row* row = end == text.size() ? nullptr : find_row(inside.substr(0, blank));
    if (!row) continue;
    const std::string_view rest = inside.substr(std::min(blank + 1, inside.size()));
    auto given = parse_arguments(*row, rest);
    if (!given)
      return fail(ErrorKind::Invalid, "directive [[{}]]: {}", row->name, given.error().message);
    if (attempt <= given->times) row->apply(*given, scenario);
    text.remove_prefix(end);
  }
  return scenario;
}

}  // namespace personascope::http::loopback
