#include "cli/gym_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "cli/estimate_text.hpp"
#include "cli/table.hpp"

namespace personascope::cli {
namespace {

std::string render_number(const Json& object, const char* member, int digits = 2) {
  const Json* value = find_member(object, member);
  return value && value->is_number() ? fmt::format("{:.{}f}", value->get<double>(), digits) : "-";
}

std::string render_range(const Json& object, const char* member, const char* missing) {
  const Json* range = find_member(object, member);
  if (!range || !range->is_array() || range->size() != 2) return missing;
  return fmt::format("{:.2f} to {:.2f}", (*range)[0].get<double>(), (*range)[1].get<double>());
}

std::string render_interval(const Json& row) {
  return render_range(row, "ci95", find_member(row, "mean") ? "too few personas" : "-");
}

std::string render_outcome(const Json& object, const char* name) {
  const Json* outcomes = find_member(object, "outcomes");
  return outcomes ? render_count(find_integer(*outcomes, name).value_or(0)) : "-";
}

std::int64_t count_outcomes(const Json& counts) {
  std::int64_t all = 0;
  for (const char* name : {"scored", "cannot_assess", "refused", "failed"})
    all += find_integer(counts, name).value_or(0);
  return all;
}

// Whether an item has no score, so that the bounds say something.
bool has_gaps(const Json& results) {
  const Json& outcomes = results["outcomes"];
  return std::ranges::any_of(
      std::array{"cannot_assess", "refused", "failed"},
      [&](const char* name) { return find_integer(outcomes, name).value_or(0) > 0; });
}

std::string render_scores(const Json& results) {
  using enum Align;
  const bool with_bounds = has_gaps(results);
  std::vector<std::string> headings{"task",      "mean",    "95 % interval", "scored",
                                    "abstained", "refused", "failed"};
  if (with_bounds) headings.emplace_back("bounds");
  std::vector<Align> aligns(headings.size(), Right);
  aligns.front() = Left;
  Table table(std::move(headings), std::move(aligns));
  const auto add = [&](const Cell& name, const Json& row, const Json& counts, Colour colour) {
    std::vector<Cell> cells{name,
                            Cell(render_number(row, "mean"), colour),
                            render_interval(row),
                            render_outcome(counts, "scored"),
                            render_outcome(counts, "cannot_assess"),
                            render_outcome(counts, "refused"),
                            render_outcome(counts, "failed")};
    if (with_bounds) cells.emplace_back(render_range(row, "bounds", ""));
    table.add(std::move(cells));
  };
  for (const Json& name : results["task_order"]) {
    const Json& row = results["tasks"][name.get<std::string>()];
    add(printable(name.get<std::string>()), row, row, Colour::None);
  }
  add(Cell("PersonaScore", Colour::Bold), results["persona_score"], results, Colour::Bold);
  return table.render();
}

// The same verdicts in the published program's arithmetic.
std::string render_published(const Json& results) {
  const Json& reference = results["reference"];
  std::vector<std::string> tasks;
  for (const Json& name : results["task_order"])
    tasks.push_back(printable(name.get<std::string>()) + " " +
                    render_number(reference["tasks"], name.get_ref<const std::string&>().c_str()));
  return fmt::format("as published: PersonaScore {} ({})\n",
                     render_number(reference, "PersonaScore"), join(tasks, ", "));
}

std::string render_basis(const Json& results) {
  const Json& score = results["persona_score"];
  const std::int64_t clusters = find_integer(score, "clusters").value_or(0);
  std::string text = "PersonaScore: mean over " + render_count(clusters, "persona");
  if (find_member(score, "sd"))
    text += fmt::format(", standard deviation {}", render_number(score, "sd"));
  if (const auto method = find_text(score, "method"); method && find_member(score, "ci95"))
    text += "; interval: " + printable(*method);
  text += "\n";
  if (const Json* caveats = find_member(score, "caveats"))
    for (const Json& caveat : *caveats)
      text += fmt::format("  {}\n", printable(caveat.get<std::string>()));
  if (const auto why = find_text(score, "why_no_mean"))
    text += fmt::format("  no PersonaScore: {}\n", printable(*why));
  return text;
}

// Those of the tasks that are not the PersonaScore's as well.
std::string render_task_caveats(const Json& results) {
  const Json said = results["persona_score"].value("caveats", Json::array());
  Notes notes;
  for (const Json& name : results["task_order"])
    if (const Json* caveats = find_member(results["tasks"][name.get<std::string>()], "caveats"))
      for (const Json& caveat : *caveats)
        if (std::ranges::find(said, caveat) == said.end())
          notes.add(name.get<std::string>(), printable(caveat.get<std::string>()));
  return notes.render();
}

// What each judge gave answers that deserve nothing.
std::string render_canaries(const Json& results) {
  const Json* canaries = find_member(results, "canaries");
  if (!canaries) return "";
  std::string text;
  for (const Json& judge : *canaries)
    text += fmt::format("canaries: mean {} by {} ({} of {} scored)\n", render_number(judge, "mean"),
                        printable(find_text(judge, "judge").value_or("")),
                        render_count(find_integer(judge["counts"], "scored").value_or(0)),
                        render_count(count_outcomes(judge["counts"])));
  return text;
}

std::string render_personas(const Json& results) {
  constexpr std::size_t kMost = 12;
  constexpr std::size_t kWidth = 60;
  const Json& personas = results["personas"];
  if (personas.size() < 2 || personas.size() > kMost) return "";
  using enum Align;
  Table table({"persona", "PersonaScore"}, {Left, Right});
  for (const Json& persona : personas)
    table.add({printable(shorten(find_text(persona, "persona").value_or(""), kWidth)),
               render_number(persona, "persona_score")});
  return "\n" + table.render();
}

std::string render_likelihood(const Json& likelihood) {
  const std::string reader = printable(find_text(likelihood, "reader").value_or(""));
  if (const auto why = find_text(likelihood, "why_none"))
    return fmt::format("\nRead by {}: nothing, since {}\n", reader, printable(*why));
  const Json& answers = likelihood["answers"];
  const Json& lift = answers["lift"];
  std::string text = fmt::format(
      "\nRead by {} (it asks nothing, so no answer can talk it round):\n"
      "  persona lift    {} nats a token over {}, 95 % interval {}\n",
      reader, render_number(lift, "value", 3),
      render_count(find_integer(lift, "n").value_or(0), "answer"),
      render_range(lift, "interval", "too few personas"));
  const auto render_identified = [](const Json& part) {
    const Json* identification = find_member(part, "identification");
    if (!identification) return std::string("-");
    return fmt::format("{:.0f} %, chance {:.0f} %, mean reciprocal rank {}",
                       100 * (*identification)["accuracy"]["value"].get<double>(),
                       100 * (*identification)["chance_accuracy"].get<double>(),
                       render_number((*identification)["reciprocal_rank"], "value"));
  };
  text += fmt::format("  identification  {}\n", render_identified(answers));
  const auto add_control = [&](const char* member, const char* name) {
    const Json* part = find_member(likelihood, member);
    if (!part) return;
    text += fmt::format("  {:<15} lift {}, identification {}\n", name,
                        render_number((*part)["lift"], "value", 3), render_identified(*part));
  };
  add_control("control", "no persona");
  add_control("content_free", "content-free");
  return text;
}

std::string render_exam(const Json& results) {
  const Json& exam = results["exam"];
  std::vector<std::string> sources;
  for (const auto& [source, count] : exam["questions"].items()) {
    std::string_view from = source;
    if (source == "files") from = "from files";
    if (source == "answers from files") from = "from the files of answers";
    sources.push_back(
        fmt::format("{} for {}", from, render_count(count.get<std::int64_t>(), "persona")));
  }
  std::string text = "questions: " + join(sources, ", ");
  if (const auto writer = find_text(exam, "question_model"))
    text += fmt::format(" by {}", printable(*writer));  // "written" is the last of the sources
  if (const auto writer = find_text(exam, "example_model"))
    text += fmt::format("; examples by {}", printable(*writer));
  return text + "\n";
}

// What to type next, for those whose judge was the model inside the program.
std::string render_next(const Json& results) {
  const auto tiny = std::ranges::any_of(results["judges"], [](const Json& judge) {
    return judge.get<std::string>().starts_with("embedded/");
  });
  if (!tiny) return "";
  return "next: a judge with a say, and your own personas:\n"
         "  personascope gym run --persona \"…\" --model openai/gpt-4o-mini --judge openai/gpt-4o\n"
         "  personascope gym run --help\n";
}

}  // namespace

std::string render_gym_results(const Json& results) {
  if (find_text(results, "evaluation") != "gym") return "";
  std::vector<std::string> judges;
  for (const Json& judge : results["judges"]) judges.push_back(printable(judge.get<std::string>()));
  // Questions alone have no model, and of answers from files it may not be known.
  std::vector<std::string> who;
  if (const auto model = find_text(results, "model"); model && !model->empty())
    who.push_back(printable(*model));
  if (!judges.empty()) who.push_back("judged by " + join(judges, ", "));
  std::string text =
      fmt::format("gym, {} protocol{}\n", find_text(results, "protocol").value_or(""),
                  who.empty() ? "" : ": " + join(who, ", "));
  text += render_exam(results);
  if (find_member(results, "persona_score")) {
    text += render_scores(results) + render_basis(results) + render_published(results) +
            render_canaries(results) + render_task_caveats(results) + render_personas(results);
    if (const Json* likelihood = find_member(results, "likelihood"))
      text += render_likelihood(*likelihood);
  }
  if (const Json* files = find_member(results, "files"))
    for (const Json& place : *files)
      text += fmt::format("files: {}\n", printable(place.get<std::string>()));
  for (const Json& note : results["notes"])
    text += fmt::format("note: {}\n", printable(note.get<std::string>()));
  return text + render_next(results);
}

}  // namespace personascope::cli
