// The gym: does an agent act as its persona would? PersonaGym's evaluation (docs/gym.md).
//
// Its unit of work is a sheet: questions for one persona and task, answers in persona, grades.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eval/evaluation.hpp"
#include "eval/personagym/exam.hpp"
#include "eval/personagym/grading.hpp"
#include "eval/personagym/plan.hpp"
#include "eval/personagym/reference_files.hpp"
#include "eval/personagym/score_book.hpp"
#include "eval/personagym/sheet.hpp"
#include "eval/personagym/side_scores.hpp"
#include "judge/likelihood_judge.hpp"

namespace personascope::eval::personagym {

// The pack's tasks that the plan names, with those of its own files.
Result<std::vector<GymTask>> choose_tasks(const GymPlan& plan, const Pack& pack);

class Gym final : public Evaluation {
 public:
  // Loads the pack and every file that the plan names, and checks them. Fails as Invalid or
  // NotFound, with what and where.
  static Result<std::unique_ptr<Gym>> create(GymPlan plan, const FindModel& find_model);

  std::int64_t items() const override;
  std::vector<Forecast> forecast() const override;
  std::int64_t pieces() const override;
  Task<void> work(ItemContext& context, std::int64_t piece) override;
  Result<Json> finish() override;

 private:
  Gym(GymPlan plan, Pack pack, std::vector<GymTask> tasks);
  Result<void> find_models(const FindModel& find_model);
  Result<void> make_judges();
  Result<void> make_reader(const FindModel& find_model);
  Result<void> check_responses() const;
  void list_probed();

  Task<void> run_sheet(ItemContext& context, std::size_t persona, std::size_t task, int epoch);
  // Each fails only if the run stops.
  Task<Result<void>> fill_questions(ItemContext& context, Sheet& sheet) const;
  Task<Result<void>> fill_answers(ItemContext& context, Sheet& sheet) const;
  Task<Result<void>> answer(ItemContext& context, const Persona& persona, Item& item,
                            int epoch) const;
  Task<Result<void>> grade(ItemContext& context, Sheet& sheet);
  Task<void> run_probes(ItemContext& context, std::size_t probed, int epoch);
  Task<Result<void>> run_probe(ItemContext& context, const Persona& persona, const Probe& probe,
                               int epoch, std::int64_t position);
  Task<Result<void>> judge_canaries(ItemContext& context, const Sheet& sheet);
  Task<Result<void>> read_likelihoods(ItemContext& context, const Sheet& sheet);
  Task<Result<void>> read_one(ItemContext& context, const Sheet& sheet, std::size_t place,
                              bool with_control);
  void take_in(ItemContext& context, Sheet sheet);
  void keep_files(const Sheet& sheet);

  std::int64_t sheets() const;
  std::int64_t sheet_items() const;
  std::int64_t probe_items() const;
  std::int64_t index_of(const Sheet& sheet, std::size_t item) const;
  Json describe_likelihood() const;
  Json describe_exam() const;

  GymPlan plan_;
  Pack pack_;
  std::vector<GymTask> tasks_;
  llm::Model* model_ = nullptr;
  llm::Model* writer_ = nullptr;
  Grading grading_;
  std::optional<Exam> exam_;
  std::optional<judge::LikelihoodJudge> reader_;
  std::vector<std::vector<std::size_t>> candidates_;  // by persona
  ScoreBook book_;
  // Personas whose probes are asked, and where their items begin, counted from the first probe of
  // the run, in one epoch.
  struct Probed {
    std::size_t persona;
    std::vector<const Probe*> probes;
    std::int64_t first;
  };
  std::vector<Probed> probed_;
  SideScores probe_scores_;
  SideScores beside_scores_;
  // Indices of items, in order.
  std::vector<std::size_t> canary_items_;
  std::vector<std::size_t> read_items_;
  std::vector<std::size_t> control_items_;  // some of those read
  std::vector<judge::PersonaReading> readings_;
  std::vector<judge::PersonaReading> control_;
  std::vector<judge::PersonaReading> content_free_;
  std::size_t unread_ = 0;  // answers that the reader could not read
  std::size_t graded_ = 0;  // items with verdicts
  std::size_t with_examples_ = 0;

  // The files of a persona are written when its last sheet is in.
  struct Folder {
    std::size_t sheets = 0;
    std::map<std::size_t, std::vector<std::pair<std::string, std::string>>> pairs;  // by task
    bool is_whole = true;
  };
  std::map<std::size_t, Folder> folders_;  // by persona
  std::optional<ReferenceFile> questions_to_;
  std::optional<ReferenceFile> responses_to_;
  std::optional<Error> file_fault_;
};

}  // namespace personascope::eval::personagym
