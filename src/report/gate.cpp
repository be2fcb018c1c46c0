#include "report/gate.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace personascope::report {
namespace {

// XML 1.0 has no place for control characters, not even escaped.
std::string escape_xml(std::string_view text) {
  std::string escaped;
  for (const char letter : printable(text, Newlines::Keep)) {
    switch (letter) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\n':
        escaped += "&#10;";
        break;
      default:
        escaped += letter;
    }
  }
  return escaped;
}

std::string render_limit(double limit) {
  return limit < 1 ? fmt::format("{:.4g} %", 100 * limit) : fmt::format("{:.0f}", limit);
}

}  // namespace

std::string_view name_of(GateEnd end) {
  switch (end) {
    case GateEnd::Passed:
      return "passed";
    case GateEnd::Missed:
      return "missed";
    case GateEnd::Undecided:
      return "undecided";
  }
  return "";
}

GateEnd end_of(const std::vector<GateCheck>& checks) {
  const auto has = [&](GateEnd end) {
    return std::ranges::any_of(checks, [&](const GateCheck& check) { return check.end == end; });
  };
  if (has(GateEnd::Undecided)) return GateEnd::Undecided;
  return has(GateEnd::Missed) ? GateEnd::Missed : GateEnd::Passed;
}

bool exceeds(std::int64_t count, std::int64_t items, double limit) {
  const double most = limit < 1 ? limit * static_cast<double>(items) : limit;
  return static_cast<double>(count) > most + 1e-9;
}

GateCheck check_share(const std::string& subject, core::Outcome outcome, std::int64_t count,
                      std::int64_t items, double limit) {
  const double share =
      items == 0 ? 0 : 100 * static_cast<double>(count) / static_cast<double>(items);
  GateCheck check;
  check.name = core::name_of(outcome);
  check.sentence =
      fmt::format("{}{} of {} items {} ({:.3g} %), limit {}", subject.empty() ? "" : subject + ": ",
                  count, items, core::name_of(outcome), share, render_limit(limit));
  if (exceeds(count, items, limit))
    check.end = outcome == core::Outcome::Failed ? GateEnd::Undecided : GateEnd::Missed;
  return check;
}

Json to_json(const std::vector<GateCheck>& checks) {
  Json list = Json::array();
  for (const GateCheck& check : checks)
    list.push_back(
        {{"name", check.name}, {"end", name_of(check.end)}, {"sentence", check.sentence}});
  return list;
}

std::string render_junit(const std::string& suite, const std::vector<GateCheck>& checks) {
  const auto count = [&](GateEnd end) { return std::ranges::count(checks, end, &GateCheck::end); };
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites>\n"
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n",
      escape_xml(suite), checks.size(), count(GateEnd::Missed), count(GateEnd::Undecided));
  for (const GateCheck& check : checks) {
    text += fmt::format("    <testcase classname=\"personascope\" name=\"{}\">\n",
                        escape_xml(check.name));
    if (check.end == GateEnd::Passed)
      text += fmt::format("      <system-out>{}</system-out>\n", escape_xml(check.sentence));
    else
      text += fmt::format("      <{0} message=\"{1}\"/>\n",
                          check.end == GateEnd::Missed ? "failure" : "error",
                          escape_xml(check.sentence));
    text += "    </testcase>\n";
  }
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace personascope::report
