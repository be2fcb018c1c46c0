// The comparison: does the answer change with the user where it must? Each pair's question is asked
// for both of its users, and once with nobody named, which is the control.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/verdict.hpp"
#include "eval/evaluation.hpp"
#include "eval/persona_bench/gold.hpp"
#include "eval/persona_bench/plan.hpp"
#include "judge/judge.hpp"
#include "judge/prompt.hpp"

namespace personascope::eval::persona_bench {

// One asking of a pair's question.
struct Asking {
  std::string id;  // "c001/a", "c001/b", "c001/control"
  std::size_t pair = 0;
  std::optional<std::size_t> user;  // nothing: the control
  int epoch = 0;
};

struct Asked {
  Json answer;                    // null: none was given
  core::Verdict verdict;          // of the control: on average over both users
  std::array<double, 2> right{};  // for each user, where that was checked
};

// {"score", "kinds", "consistency", "control", "lift", …}; `asked` is by asking.
Json summarize_comparison(const BenchPlan& plan, const std::vector<ComparisonPair>& pairs,
                          const std::vector<Asking>& askings, const std::vector<Asked>& asked);

class Comparison final : public Evaluation {
 public:
  // Without a judge in the plan, pairs whose right answer is open are left out.
  static Result<std::unique_ptr<Comparison>> create(BenchPlan plan, const FindModel& find_model);

  std::int64_t items() const override { return std::ssize(askings_); }
  std::vector<Forecast> forecast() const override;
  std::vector<std::string> notes() const override;
  std::int64_t pieces() const override { return items(); }
  Task<void> work(ItemContext& context, std::int64_t piece) override;
  Result<Json> finish() override;

  // The words of its prompts.
  struct Words {
    judge::Prompt with_user;
    judge::Prompt control;
    Json forms;            // of answers, by kind
    judge::Rubric rubric;  // of open answers
    std::string sha256;    // of these and of the pairs
  };
  static Result<Words> load_words(const BenchPlan& plan);

 private:
  Comparison(BenchPlan plan, Words words, std::vector<ComparisonPair> pairs);

  Task<Result<Asked>> ask(ItemContext& context, const Asking& asking) const;
  // Whether the answer is right for the user: 1 or 0, or a judge's score.
  Task<Result<core::Verdict>> check(ItemContext& context, const Asking& asking, std::size_t user,
                                    Json answer) const;
  std::string render_question(const Asking& asking) const;
  Json make_document(const Asking& asking, const Asked& asked) const;

  BenchPlan plan_;
  Words words_;
  std::vector<ComparisonPair> pairs_;
  std::vector<Asking> askings_;
  std::vector<std::optional<Asked>> asked_;
  std::optional<judge::Judge> judge_;
  llm::Model* model_ = nullptr;
};

}  // namespace personascope::eval::persona_bench
