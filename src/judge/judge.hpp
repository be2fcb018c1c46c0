// One judge: a model, a rubric, and the way it is asked. It scores one answer at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/task.hpp"
#include "core/verdict.hpp"
#include "judge/rubric.hpp"
#include "judge/verdict_text.hpp"
#include "llm/ask_chain.hpp"

namespace personascope::judge {

// How the judge gives its verdict.
enum class ReplyForm {
  Auto,      // Expected if labels' probabilities are available (embedded models), Schema if the
             // interface can hold to one, else Text
  Text,      // reasons, then a line with the verdict
  Schema,    // the same as JSON by a schema
  Expected,  // only the verdict, as the mean weighted by the judge's probabilities
};

// "auto", "text", "schema", "expected".
std::string_view name_of(ReplyForm form);
std::optional<ReplyForm> find_reply_form(std::string_view name);

enum class Orders {
  Ascending,  // the scale is shown from its lowest level up
  Both,       // asked twice, the scale shown either way; the scores are averaged
};

struct JudgeOptions {
  ReplyForm form = ReplyForm::Auto;
  Orders orders = Orders::Ascending;
  int repeats = 1;
  std::optional<double> temperature{};  // 0 for a single verdict, 1 for repeated ones
  std::int64_t max_tokens = 1024;
};

// One reply of a judge about an answer.
struct Reading {
  ScaleOrder order = ScaleOrder::Ascending;
  int repeat = 0;
  std::string prompt_sha256;  // of the prompt as it was sent
  core::Verdict verdict;
};

struct Judgement {
  std::string judge;      // "openai/gpt-4o"
  core::Verdict verdict;  // of all readings together
  std::vector<Reading> readings;
  // The mean score with the scale shown from the top minus that from the bottom, if it was shown
  // both ways and scored both times.
  std::optional<double> order_gap;
};

// {"judge", the verdict's members, "order_gap", "readings"}; a single reading is not repeated.
Json to_json(const Judgement& judgement);
// {judge: its score}, of those that scored.
Json list_scores(const std::vector<Judgement>& judgements);

// If more than half of the readings say that the answer declines, so does the judgement. Otherwise
// it is the mean of the readings with a score (of each order first); if none has one, the first of
// refused, cannot assess and failed that occurs. The distribution is the mean of theirs, with low
// mass if one of them has.
Judgement combine_readings(std::string judge, std::vector<Reading> readings);

class Judge {
 public:
  // Both outlive the judge. Fails as Unsupported if the form needs probabilities that the model's
  // interface does not give; as Invalid for repeats that would all be the same, and for both orders
  // of a prompt without criteria.
  static Result<Judge> create(llm::Model& model, const Rubric& rubric, const JudgeOptions& options);

  // What will be asked about the item.
  struct Ask {
    core::Request request;
    llm::Draw draw;
    Reading reading;  // still without its verdict
  };
  std::vector<Ask> list_asks(const std::string& id, const Fields& item) const;

  // Asks and reads. Fails only if the run stops before there is a verdict (core::is_unfinished).
  // Chain and item must outlive the task.
  Task<Result<Judgement>> judge(llm::AskChain& chain, const std::string& id,
                                const Fields& item) const;

  std::string name() const { return llm::render_name(model_->endpoint()); }
  llm::Model& model() const { return *model_; }
  // The prompt that is used.
  const Prompt& prompt() const { return *prompt_; }

 private:
  Judge(llm::Model& model, const Rubric& rubric, const JudgeOptions& options, const Prompt& prompt);
  core::Verdict read(const Result<core::Reply>& reply, const Fields& item) const;
  bool reads_choices() const { return model_->features().choices; }
  bool asks_refusal() const { return refusal_reader_.has_value(); }

  llm::Model* model_;
  const Rubric* rubric_;
  const Prompt* prompt_;
  JudgeOptions options_;  // the form is never Auto
  VerdictReader reader_;
  std::optional<VerdictReader> refusal_reader_;  // if it is asked whether the answer declines
};

}  // namespace personascope::judge
