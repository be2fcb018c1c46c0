// Puts items to one judge, in the very prompts and verdict forms of gym, bench and lens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/task.hpp"
#include "eval/exam/exam_data.hpp"
#include "eval/exam/exam_plan.hpp"
#include "eval/persona_bench/critic.hpp"
#include "eval/personalens/judging.hpp"
#include "eval/personalens/plan.hpp"
#include "judge/judge.hpp"
#include "llm/ask_chain.hpp"

namespace personascope::eval::exam {

// What one judge said about one item.
struct Sitting {
  std::vector<judge::Judgement> alone;   // on each answer; of who speaks?, the one choice
  std::vector<judge::Judgement> paired;  // which of two is better: as they stand, then swapped
};

class Examiner {
 public:
  // Model and data outlive the examiner. Fails as judge::Judge::create does.
  static Result<std::unique_ptr<Examiner>> create(llm::Model& model, const ExamData& data,
                                                  const ExamPlan& plan);

  // Fails only if the run stops. The case outlives the task.
  Task<Result<Sitting>> sit(llm::AskChain& chain, const ExamCase& one) const;

  std::string name() const { return llm::render_name(model_->endpoint()); }
  // The calls that an item takes, and the bytes that they send.
  struct Load {
    std::int64_t calls = 0;
    std::size_t bytes = 0;
  };
  Load measure(const ExamCase& one) const;

 private:
  Examiner(llm::Model& model, const ExamData& data, const ExamPlan& plan);

  Task<Result<judge::Judgement>> ask_who(llm::AskChain& chain, const ExamCase& one) const;
  Task<Result<judge::Judgement>> score(llm::AskChain& chain, const ExamCase& one,
                                       std::size_t answer) const;
  Task<Result<judge::Judgement>> compare(llm::AskChain& chain, const ExamCase& one,
                                         std::size_t first) const;
  bool compares(const ExamCase& one) const;
  judge::Fields make_who_fields(const ExamCase& one) const;
  judge::Fields make_pair_fields(const ExamCase& one, std::size_t first) const;

  llm::Model* model_;
  const ExamData* data_;
  bool alone_;
  std::int64_t choices_;   // readings of a prompt that asks for a choice
  std::int64_t readings_;  // of one that asks for a score
  personalens::LensPlan lens_plan_;
  std::map<const judge::Rubric*, judge::Judge> gym_;
  std::map<const personalens::Dimension*, personalens::DialogueJudges> lens_;
  std::optional<persona_bench::Critic> critic_;
  std::optional<judge::Judge> pair_;
  std::optional<judge::Judge> who_;
};

}  // namespace personascope::eval::exam
