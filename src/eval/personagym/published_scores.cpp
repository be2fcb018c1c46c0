#include "eval/personagym/published_scores.hpp"

#include <array>
#include <cmath>
#include <optional>

#include "base/text.hpp"
#include "eval/personagym/published_tasks.hpp"

namespace personascope::eval::personagym {
namespace {

struct PaperFigure {
  double mean = 0;
  double sd = 0;  // over personas
};

struct PaperRow {
  std::string_view folder_end;
  std::string_view model;
  std::array<PaperFigure, kPublishedTasks.size()> tasks;  // in the order of kPublishedTasks
  PaperFigure persona_score;
};

// The paper's table of means and standard deviations.
constexpr PaperRow kPaper[] = {
    {"llama_2_13b",
     "LLaMA-2-13b",
     {{{3.87, .84}, {4.18, 1.00}, {3.77, .87}, {4.12, .92}, {3.96, .80}}},
     {3.98, .49}},
    {"gpt_35",
     "GPT 3.5",
     {{{4.28, .49}, {4.96, .30}, {3.63, .68}, {4.70, .41}, {4.31, .49}}},
     {4.38, .23}},
    {"llama_2_70b",
     "LLaMA-2-70b",
     {{{4.32, .60}, {4.68, .77}, {3.85, .73}, {4.67, .56}, {4.44, .55}}},
     {4.39, .35}},
    {"llama_3_8b",
     "LLaMA-3-8b",
     {{{4.43, .49}, {4.74, .68}, {3.97, .69}, {4.77, .37}, {4.55, .46}}},
     {4.49, .27}},
    {"claude_3_haiku",
     "Claude 3 Haiku",
     {{{4.28, .72}, {4.94, .36}, {3.04, 1.01}, {3.47, 1.57}, {2.47, 1.64}}},
     {3.64, .57}},
    {"claude_3.5_sonnet",
     "Claude 3.5 Sonnet",
     {{{4.37, .60}, {4.88, .54}, {3.98, .71}, {4.81, .51}, {4.52, .67}}},
     {4.51, .37}},
};

const PaperRow* find_paper_row(const std::string& folder) {
  for (const PaperRow& row : kPaper)
    if (folder.ends_with(row.folder_end)) return &row;
  return nullptr;
}

Result<double> read_score(const Json& scores, std::string_view name, std::string_view other) {
  auto score = find_number(scores, name);
  if (!score) score = find_number(scores, other);
  if (!score || !(*score >= 1 && *score <= 5))
    return fail(ErrorKind::Invalid, "{} is missing or not a number from 1 to 5", name);
  return *score;
}

// The mean, with the paper's deviation if it is of the same mean, else with a note.
Json make_figure(std::string_view name, double mean, const PaperFigure* paper, Json& notes) {
  Json figure{{"mean", mean}};
  if (!paper) return figure;
  if (std::abs(paper->mean - mean) < 0.005 + 1e-9)
    figure["sd"] = paper->sd;
  else
    notes.push_back(fmt::format("{} is {} here and {:.2f} in the paper", name, mean, paper->mean));
  return figure;
}

}  // namespace

Result<Json> read_published_scores(const std::string& folder, const Json& scores) {
  const PaperRow* paper = find_paper_row(folder);
  Json notes = Json::array();
  Json tasks = Json::object();
  double sum = 0;
  for (std::size_t i = 0; i < kPublishedTasks.size(); ++i) {
    const PublishedTask& task = kPublishedTasks[i];
    ASSIGN_OR_RETURN(const double mean, read_score(scores, task.name, task.key));
    sum += mean;
    tasks[std::string(task.name)] =
        make_figure(task.name, mean, paper ? &paper->tasks[i] : nullptr, notes);
  }
  ASSIGN_OR_RETURN(const double persona_score, read_score(scores, "PersonaScore", "PersonaScore"));
  const Json overall =
      make_figure("PersonaScore", persona_score, paper ? &paper->persona_score : nullptr, notes);
  // Figures of two decimals are off by up to .005 each, and so is their mean.
  const double mean_of_tasks = sum / static_cast<double>(kPublishedTasks.size());
  if (std::abs(mean_of_tasks - persona_score) > 0.01 + 1e-9)
    notes.push_back(
        fmt::format("PersonaScore {} is not the mean of its tasks, {:.2f}: one of the figures is a "
                    "misprint",
                    persona_score, mean_of_tasks));
  return Json{{"name", make_utf8(folder)},
              {"model", paper ? std::string(paper->model) : make_utf8(folder)},
              {"scores", std::move(tasks)},
              {"persona_score", overall},
              {"personas", kPublishedPersonas},
              {"notes", std::move(notes)}};
}

}  // namespace personascope::eval::personagym
