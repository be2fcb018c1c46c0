#include "cli/lens_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "cli/table.hpp"

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

// "1 user", "2 users".
std::string render_member(const Json& object, const char* name, std::string_view noun) {
  return render_count(find_integer(object, name).value_or(0), noun);
}

std::string describe_dimension(const Json& row) {
  std::string name = find_text(row, "dimension").value_or("");
  if (const auto side = find_text(row, "side")) name += " of the " + *side;
  return printable(name);
}

// The same where there is little room.
std::string render_key(const Json& row) {
  return replace_all(describe_dimension(row), " of the ", ", ");
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

std::string render_files(const Json& files, std::int64_t count, const char* what) {
  constexpr std::size_t kMost = 5;
  if (count == 0) return "";
  std::string text = fmt::format("{} {}:\n", render_count(count), what);
  for (std::size_t i = 0; i < files.size() && i < kMost; ++i)
    text += fmt::format("  {}\n", printable(files[i].get<std::string>()));
  if (count > static_cast<std::int64_t>(kMost)) text += "  …\n";
  return text;
}

std::string render_group(const Json& group) {
  std::string text =
      fmt::format("{} of {}, judged by {}: {} files, {} unread\n", describe_dimension(group),
                  printable(find_text(group, "assistant").value_or("")),
                  printable(find_text(group, "judge").value_or("")), render_member(group, "files"),
                  render_member(group, "unread"));
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
    table.add({Cell("as published"), render_member(*reference, "count"), render_mean(*reference),
               Cell("-"), render_end(*reference, "min"), render_end(*reference, "max")});
  text += table.render();
  text += fmt::format("{}\n", render_distribution(group)) + render_domains(group);
  text += render_files(group["low_rated"]["files"],
                       find_integer(group["low_rated"], "count").value_or(0), "rated low");
  return text + render_files(group["unread_files"], find_integer(group, "unread").value_or(0),
                             "could not be read");
}

// Two tables, so that they fit 80 columns.
std::string render_dimensions(const Json& results) {
  using enum Align;
  Table scores({"dimension", "score", "95 % interval", "without flagged", "as published"},
               {Left, Right, Right, Right, Right});
  Table counts({"verdicts", "scored", "cannot assess", "refused", "failed", "no dialogue"},
               {Left, Right, Right, Right, Right, Right});
  for (const Json& key : results["dimension_order"]) {
    const Json& row = results["dimensions"][key.get<std::string>()];
    const Json& outcomes = row["outcomes"];
    const Json* reference = find_member(row, "reference");
    scores.add({render_key(row), render_mean(row), render_interval(row),
                fmt::format("{} ({})", render_mean(row["without_flagged"]),
                            render_member(row["without_flagged"], "count")),
                reference ? render_mean(*reference) : "-"});
    counts.add({render_key(row), render_member(outcomes, "scored"),
                render_member(outcomes, "cannot_assess"), render_member(outcomes, "refused"),
                render_member(outcomes, "failed"), render_member(outcomes, "no_dialogue")});
  }
  const bool all_scored = std::ranges::all_of(results["dimensions"], [&](const Json& row) {
    return find_integer(row["outcomes"], "scored") == find_integer(results["dialogues"], "held");
  });
  return scores.render() +
         (all_scored ? "every dialogue is scored in every dimension\n" : "\n" + counts.render()) +
         "\n";
}

// What `lens gather RUN` shows at length, a line a group; a table for each assistant and judge.
std::string render_gathered_rows(const Json& results) {
  const Json* groups = find_member(results, "gathered");
  if (!groups) return "";
  std::map<std::pair<std::string, std::string>, Table> tables;
  using enum Align;
  for (const Json& group : *groups) {
    const auto [place, is_new] = tables.try_emplace(
        {find_text(group, "assistant").value_or(""), find_text(group, "judge").value_or("")},
        std::vector<std::string>{"gathered", "unread", "rated low", "distribution"},
        std::vector{Left, Right, Right, Left});
    place->second.add({render_key(group), render_member(group, "unread"),
                       render_member(group, "low_rated"), render_distribution(group)});
  }
  std::string text;
  for (const auto& [names, table] : tables) {
    if (tables.size() > 1)
      text += fmt::format("{}, judged by {}:\n", printable(names.first), printable(names.second));
    text += table.render() + "\n";
  }
  return text;
}

std::string render_contexts(const Json& results) {
  if (results["contexts"].size() < 2 || results["dimension_order"].empty()) return "";
  using enum Align;
  Table table({"context", "score", "95 % interval", "to the first", "95 % interval"},
              {Left, Right, Right, Right, Right});
  for (const Json& key : results["dimension_order"]) {
    const Json& row = results["dimensions"][key.get<std::string>()];
    table.add({Cell(render_key(row), Colour::Bold), Cell(""), Cell(""), Cell(""), Cell("")});
    for (const Json& context : results["contexts"]) {
      const Json& own = row["by_context"][context.get<std::string>()];
      const Json* against = find_member(own, "against_first");
      const auto difference = against ? find_number(*against, "difference") : std::nullopt;
      table.add({"  " + context.get<std::string>(), render_mean(own), render_interval(own),
                 difference ? fmt::format("{:+.2f}", *difference) : "-",
                 against ? render_interval(*against) : "-"});
    }
  }
  return table.render() + "\n";
}

std::string render_audit(const Json& results) {
  const Json& audit = results["audit"];
  const std::int64_t flagged = find_integer(audit, "flagged").value_or(0);
  std::string text = fmt::format("simulated user: {} of {} dialogues flagged",
                                 render_count(flagged), render_member(audit, "of"));
  std::vector<std::string> parts;
  for (const auto& [fault, count] : audit["faults"].items())
    if (count.get<std::int64_t>() > 0)
      parts.push_back(fmt::format("{} {}", replace_all(fault, "_", " "),
                                  render_count(count.get<std::int64_t>())));
  if (!parts.empty()) text += ": " + join(parts, ", ");
  return text + "\n";
}

// "canaries: openai/gpt-4o gave what deserves nothing 2 % of the scale on average (16 verdicts)".
std::string render_canaries(const Json& results) {
  std::string text;
  const Json* canaries = find_member(results, "canaries");
  if (!canaries) return text;
  for (const Json& judge : *canaries) {
    const std::string name = printable(find_text(judge, "judge").value_or(""));
    if (const auto mean = find_number(judge, "mean"))
      text += fmt::format(
          "canaries: {} gave what deserves nothing {:.0f} % of the scale on average ({})\n", name,
          100 * *mean, render_member(judge, "scored", "verdict"));
    else
      text += fmt::format("canaries: {} scored none of {}\n", name,
                          render_member(judge, "n", "verdict"));
  }
  return text;
}

std::string render_dialogues(const Json& results) {
  const Json& dialogues = results["dialogues"];
  std::vector<std::string> parts;
  for (const char* name : {"terminated", "exhausted", "given", "broken"})
    if (const auto count = find_integer(dialogues, name); count && *count > 0)
      parts.push_back(fmt::format("{} {}", render_count(*count), name));
  std::string text =
      fmt::format("{} ({})", render_member(dialogues, "held", "dialogue"), join(parts, ", "));
  if (const auto mean = find_number(dialogues, "mean_messages"))
    text += fmt::format(", {:.1f} messages on average", *mean);
  return text + "\n";
}

std::string render_turns(const Json& results) {
  std::string text;
  for (const Json& key : results["dimension_order"]) {
    const Json* turns = find_member(results["dimensions"][key.get<std::string>()], "by_turn");
    if (!turns) continue;
    std::vector<std::string> points;
    for (const Json& point : *turns)
      points.push_back(fmt::format("{} ({})", render_mean(point), render_member(point, "count")));
    text += fmt::format("personalization turn by turn: {}\n", join(points, ", "));
  }
  return text;
}

std::string render_lift(const Json& results) {
  const Json* lift = find_member(results, "lift");
  if (!lift) return "";
  const auto render_nats = [&](const char* name) {
    const auto mean = find_number((*lift)[name], "mean");
    return mean ? fmt::format("{:+.3f}", *mean) : std::string("-");
  };
  return fmt::format(
      "profile lift, read by {}: {} nats a token over no profile, {} over another user's, {} "
      "turns\n",
      printable(find_text(*lift, "reader").value_or("")), render_nats("over_neutral"),
      render_nats("over_other"), render_member(*lift, "turns"));
}

}  // namespace

std::string render_lens_results(const Json& results) {
  if (find_text(results, "evaluation") == "lens profiles")
    return fmt::format(
        "{} users with {} tasks in one domain and {} across several in {}\n"
        "{} summaries written by {}, {} left in our own sentences\n",
        render_member(results, "users"), render_member(results, "tasks"),
        render_member(results, "multi_tasks"), printable(find_text(results, "output").value_or("")),
        render_member(results, "written"), printable(find_text(results, "model").value_or("")),
        render_member(results, "kept"));
  if (find_text(results, "evaluation") != "lens") return "";
  std::vector<std::string> judges;
  for (const Json& judge : results["judges"]) judges.push_back(printable(judge.get<std::string>()));
  std::string text =
      fmt::format("lens, {} protocol: {}", find_text(results, "protocol").value_or(""),
                  printable(find_text(results, "model").value_or("")));
  if (const auto user = find_text(results, "user_model"))
    text += fmt::format(", user played by {}", printable(*user));
  if (!judges.empty()) text += ", judged by " + join(judges, ", ");
  text += fmt::format("\n{}, {}; {}", render_member(results, "users", "user"),
                      render_member(results, "tasks", "task"), render_dialogues(results));
  if (!results["dimension_order"].empty()) text += render_dimensions(results);
  text += render_canaries(results);
  text += render_gathered_rows(results) + render_contexts(results) + render_turns(results) +
          render_audit(results);
  text += render_lift(results);
  if (const auto output = find_text(results, "output"))
    text += fmt::format("files: {}\n", printable(*output));
  for (const Json& note : results["notes"])
    text += fmt::format("note: {}\n", printable(note.get<std::string>()));
  return text;
}

std::string render_gathered(const Json& value) {
  std::string text;
  if (const Json* groups = find_member(value, "groups")) {
    for (const Json& group : *groups) text += (text.empty() ? "" : "\n") + render_group(group);
    if (groups->empty()) text = "no verdict fits\n";
  } else {
    text = render_group(value);
  }
  for (const Json& note : value["notes"])
    text += fmt::format("note: {}\n", printable(note.get<std::string>()));
  return text;
}

}  // namespace personascope::cli
