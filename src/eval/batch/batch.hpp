// `batch`: a file of requests answered by one model, in the order of the file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "core/findings.hpp"
#include "core/option.hpp"
#include "eval/batch/batch_line.hpp"
#include "eval/evaluation.hpp"
#include "eval/input_lines.hpp"
#include "eval/planning.hpp"

namespace personascope::eval::batch {

struct BatchPlan {
  InputFile input;
  std::string model;  // "provider/model"
};

Json to_json(const BatchPlan& plan);
// Fails as Invalid if it is not a batch's plan.
Result<BatchPlan> parse_batch_plan(const Json& value);

struct BatchSetup {
  BatchPlan plan;
  std::vector<std::string> notes{};  // what to know before anything is sent
};

// An item a line. The file is read line by line while it is worked through; one that has changed
// since it was checked stops the run.
class Batch : public Evaluation {
 public:
  static Result<std::unique_ptr<Batch>> create(BatchSetup setup, const FindModel& find_model);

  std::int64_t items() const override { return plan_.input.lines; }
  std::vector<Forecast> forecast() const override { return {}; }
  Result<bool> visit_calls(const VisitCall& visit) const override;
  std::vector<std::string> notes() const override { return notes_; }
  std::int64_t pieces() const override { return items(); }
  Task<void> work(ItemContext& context, std::int64_t piece) override;
  std::string_view lines() const override { return "answers"; }
  ItemIds ids() const override { return ItemIds::Plain; }
  Result<Json> finish() override { return Json(); }

 private:
  Batch(BatchSetup setup, llm::Model& model)
      : plan_(std::move(setup.plan)),
        notes_(std::move(setup.notes)),
        model_(model),
        input_(plan_.input) {}
  Result<BatchLine> read(std::int64_t place);

  BatchPlan plan_;
  std::vector<std::string> notes_;
  llm::Model& model_;
  InputLines input_;
};

// For the catalog.
std::vector<core::OptionSpec> list_batch_options(std::string_view stage);
Result<PreparedEvaluation> prepare_batch(const PlanContext& context, std::string_view stage,
                                         const Json& given);
Result<PreparedEvaluation> load_batch(const Json& plan);
core::Findings describe_batch(const Json& results);

}  // namespace personascope::eval::batch
