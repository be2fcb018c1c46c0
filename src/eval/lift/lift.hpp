// `lift`: stored answers of any model read by the likelihood judge: does the persona show in them?
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "core/option.hpp"
#include "eval/evaluation.hpp"
#include "eval/lift/lift_input.hpp"
#include "eval/planning.hpp"
#include "judge/distractors.hpp"
#include "judge/likelihood_judge.hpp"
#include "judge/likelihood_summary.hpp"

namespace personascope::eval::lift {

struct LiftPlan {
  LiftFiles files;
  std::string model;  // "provider/model", the reader
  judge::DistractorOptions distractors;
  bool content_free = false;  // read a content-free answer to every question too
};

Json to_json(const LiftPlan& plan);
// Fails as Invalid if it is not a plan of `lift`.
Result<LiftPlan> parse_lift_plan(const Json& value);

struct LiftSetup {
  LiftPlan plan;
  LiftInput input;
};

// What is read of an item.
enum class Kind { Answer, Control, ContentFree };

// An item a text: the answers in their order, then the controls.
class Lifting : public Evaluation {
 public:
  static Result<std::unique_ptr<Lifting>> create(LiftSetup setup, const FindModel& find_model);

  std::int64_t items() const override { return std::ssize(texts_); }
  std::vector<Forecast> forecast() const override { return {}; }
  Result<bool> visit_calls(const VisitCall& visit) const override;
  std::vector<std::string> notes() const override;
  std::int64_t pieces() const override { return items(); }
  Task<void> work(ItemContext& context, std::int64_t piece) override;
  std::string_view lines() const override { return "readings"; }
  ItemIds ids() const override { return ItemIds::Plain; }
  // That of judge::summarize_readings, or why there is none.
  Result<Json> finish() override;

 private:
  struct Text {
    Kind kind = Kind::Answer;
    const LiftItem* item = nullptr;
    std::string answer;
  };

  explicit Lifting(LiftSetup setup) : setup_(std::move(setup)) {}
  void list_texts();
  std::string render_line(const Text& text, const Result<judge::PersonaReading>& reading) const;
  // Null if it could not be read.
  Json describe(const Result<judge::PersonaReading>& reading) const;
  void add_word_note(Json& results) const;
  std::vector<judge::PersonaReading>& readings_of(Kind kind);

  LiftSetup setup_;
  llm::Model* model_ = nullptr;
  std::optional<judge::LikelihoodJudge> judge_;
  std::vector<std::vector<std::size_t>> candidates_;  // by persona
  std::vector<Text> texts_;                           // they refer to the items of the setup
  judge::LikelihoodReadings readings_;
};

// For the catalog.
std::vector<core::OptionSpec> list_lift_options(std::string_view stage);
Result<PreparedEvaluation> prepare_lift(const PlanContext& context, std::string_view stage,
                                        const Json& given);
Result<PreparedEvaluation> load_lift(const Json& plan);

}  // namespace personascope::eval::lift
