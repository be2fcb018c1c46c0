// The bench: does an answer fit this user? PERSONA Bench's evaluations (docs/bench.md), all but the
// comparison, which is in comparison.hpp.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "eval/evaluation.hpp"
#include "eval/persona_bench/critic.hpp"
#include "eval/persona_bench/lift.hpp"
#include "eval/persona_bench/quotes.hpp"
#include "eval/persona_bench/trial.hpp"

namespace personascope::eval::persona_bench {

class Bench final : public Evaluation {
 public:
  // Loads and checks every file that the plan names. Fails as Invalid or NotFound.
  static Result<std::unique_ptr<Bench>> create(BenchPlan plan, const FindModel& find_model);

  std::int64_t items() const override { return std::ssize(trials_); }
  std::vector<Forecast> forecast() const override;
  std::vector<std::string> notes() const override { return name_long_data(data_); }
  std::int64_t pieces() const override { return items(); }
  Task<void> work(ItemContext& context, std::int64_t piece) override;
  Result<Json> finish() override;

 private:
  // Fails only if the run stops.
  Task<Result<void>> judge_canaries(ItemContext& context, const Trial& trial, Graded& graded) const;
  // How a trial's answer is to be read: not at all, or with these attributes left out.
  std::optional<std::vector<std::string>> find_reading(const Trial& trial) const;
  // Fails only if the run stops.
  Task<Result<void>> read(ItemContext& context, const Trial& trial, Graded& graded) const;
  Forecast forecast_reader() const;

  Bench(BenchPlan plan, BenchData data, std::vector<Trial> trials);

  // By every critic; fails only if the run stops.
  Task<Result<void>> grade(ItemContext& context, const Trial& trial, Graded& graded) const;
  std::string render_question(const Trial& trial) const;
  Forecast forecast_critic(const Critic& critic) const;

  BenchPlan plan_;
  BenchData data_;
  std::vector<Trial> trials_;
  std::vector<std::optional<Graded>> graded_;
  llm::Model* model_ = nullptr;
  std::vector<Critic> critics_;
  QuoteFinder quotes_;
  std::optional<AnswerReader> reader_;
};

// The plan's evaluation, be it this one or the comparison.
Result<std::unique_ptr<Evaluation>> make_bench(const BenchPlan& plan, const FindModel& find_model);

}  // namespace personascope::eval::persona_bench
