// The smallest evaluation there is: does an agent that plays a persona give the persona's name when
// it is asked for it? A folder and a row of the catalog; a pattern for evaluations of your own, see
// docs/design/evaluations.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/findings.hpp"
#include "core/option_table.hpp"
#include "eval/evaluation.hpp"
#include "eval/planning.hpp"
#include "judge/judge.hpp"
#include "judge/rubric.hpp"

namespace personascope::eval::persona_name {

// What was given, and the plan of a run: they are the same here.
struct NamingPlan {
  std::vector<std::string> personas;
  std::string question = "What is your name?";
  std::string model;
  std::string judge;
  std::int64_t max_tokens = 60;
};

class Naming final : public Evaluation {
 public:
  static Result<std::unique_ptr<Naming>> create(NamingPlan plan, const FindModel& find_model);

  std::int64_t items() const override { return std::ssize(plan_.personas); }
  std::vector<Forecast> forecast() const override;
  std::int64_t pieces() const override { return items(); }
  Task<void> work(ItemContext& context, std::int64_t piece) override;
  Result<Json> finish() override;

 private:
  explicit Naming(NamingPlan plan) : plan_(std::move(plan)) {}
  core::Request make_request(const std::string& persona) const;

  NamingPlan plan_;
  judge::Rubric rubric_;
  llm::Model* model_ = nullptr;
  std::optional<judge::Judge> judge_;
  std::vector<double> scores_;
  core::OutcomeCounts outcomes_;
};

// The functions of the catalog's row.
std::vector<core::OptionSpec> list_naming_options(std::string_view stage);
Result<PreparedEvaluation> prepare_naming(const PlanContext& context, std::string_view stage,
                                          const Json& given);
Result<PreparedEvaluation> load_naming(const Json& plan);
core::Findings describe_naming(const Json& results);

}  // namespace personascope::eval::persona_name
