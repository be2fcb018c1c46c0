#include "cli/lens_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/wrap.hpp"

namespace personascope::cli {
namespace {

std::string render_mean(const Json& object) {
  if (const auto rate = find_number(object, "rate")) return fmt::format("{:.1f} %", 100 * *rate);
  if (const auto mean = find_number(object, "mean")) return fmt::format("{:.2f}", *mean);
  return "-";
}

std::string render_interval(const Json& object) {
  const Json* range = find_member(object, "ci95");
  if (!range || !range->is_array() || range->size() != 2) return "-";
  const double low = (*range)[0].get<double>();
  const double high = (*range)[1].get<double>();
  if (object.contains("rate")) return fmt::format("{:.1f} to {:.1f} %", 100 * low, 100 * high);
  return fmt::format("{:.2f} to {:.2f}", low, high);
}

std::string render_member(const Json& object, const char* name) {
  return render_count(find_integer(object, name).value_or(0));
}

std::string describe_dimension(const Json& row) {
  std::string name = find_text(row, "dimension").value_or("");
  if (const auto side = find_text(row, "side")) name += " of the " + *side;
  return printable(name);
}

std::string render_distribution(const Json& row) {
  std::vector<std::string> parts;
  for (const auto& [label, count] : row["distribution"].items())
    parts.push_back(fmt::format("{}: {}", label, render_count(count.get<std::int64_t>())));
  return join(parts, ", ");
}

std::string render_domains(const Json& row) {
  using enum Align;
  if (row["by_domain"].size() < 2) return "";
  Table table({"domain", "count", "ours"}, {Left, Right, Right});
  for (const auto& [domain, own] : row["by_domain"].items())
    table.add({printable(domain), render_member(own, "count"), render_mean(own)});
  return table.render();
}

// "3 rated low:" and a line for each, with the judge's reason below.
std::string render_verdicts(const Json& verdicts, const std::string& heading) {
  if (verdicts.empty()) return "";
  std::string text = heading + ":\n";
  for (const Json& verdict : verdicts) {
    const auto score = find_number(verdict, "score");
    text += fmt::format(
        "  user {}, task {}: {}\n", render_member(verdict, "user"),
        printable(find_text(verdict, "task").value_or("")),
        score ? fmt::format("{:.4g}", *score) : find_text(verdict, "verdict").value_or("no score"));
    if (const auto reason = find_text(verdict, "reason"); reason && !reason->empty())
      text += wrap(printable(*reason), text_columns(stdout), 4);
  }
  return text;
}

// The model's name, else its folder's.
std::string name_model(const Json& group, const std::string& member) {
  const auto name = find_text(group, (member + "_name").c_str());
  return printable(name ? *name : find_text(group, member.c_str()).value_or(""));
}

// "40 verdicts, 2 cannot assess, 1 unreadable".
std::string describe_counts(const Json& group) {
  const auto count = [&](const char* name) { return find_integer(group, name).value_or(0); };
  std::string text = render_count(count("files"), "verdict");
  if (const auto abstained = count("cannot_assess"); abstained > 0)
    text += fmt::format(", {} cannot assess", render_count(abstained));
  if (const auto unreadable = count("unread") - count("cannot_assess"); unreadable > 0)
    text += fmt::format(", {} unreadable", render_count(unreadable));
  return text;
}

std::string render_group(const Json& group) {
  std::string text = fmt::format("{} of {}, judged by {}: {}\n", describe_dimension(group),
                                 name_model(group, "assistant"), name_model(group, "judge"),
                                 describe_counts(group));
  using enum Align;
  Table table(
      {"", "count", group.contains("rate") ? "rate" : "mean", "95 % interval", "least", "most"},
      {Left, Right, Right, Right, Right, Right});
  const auto render_end = [](const Json& row, const char* name) {
    const auto number = find_number(row, name);
    return number ? fmt::format("{:.4g}", *number) : std::string("-");
  };
  table.add({Cell("ours"), render_member(group, "count"), render_mean(group),
             render_interval(group), render_end(group, "min"), render_end(group, "max")});
  if (const Json* reference = find_member(group, "reference"))
    table.add({Cell("published arithmetic"), render_member(*reference, "count"),
               render_mean(*reference), Cell("-"), render_end(*reference, "min"),
               render_end(*reference, "max")});
  text += table.render();
  text += fmt::format("{}\n", render_distribution(group)) + render_domains(group);
  const Json& low = group["low_rated"]["verdicts"];
  const Json& unscored = group["unread_verdicts"];
  text += render_verdicts(low, fmt::format("{} rated low", render_count(low.size())));
  return text + render_verdicts(unscored,
                                fmt::format("{} without a score", render_count(unscored.size())));
}

}  // namespace

std::string render_gathered(const Json& value) {
  std::string text;
  if (const Json* groups = find_member(value, "groups")) {
    for (const Json& group : *groups) text += (text.empty() ? "" : "\n") + render_group(group);
    if (groups->empty()) text = "no verdict matches\n";
  } else {
    text = render_group(value);
  }
  for (const Json& note : value["notes"])
    text += fmt::format("note: {}\n", printable(note.get<std::string>()));
  return text;
}

}  // namespace personascope::cli
