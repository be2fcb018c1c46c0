#include "judge/judge.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/hash.hpp"
#include "judge/calibration.hpp"
#include "judge/expected.hpp"
#include "llm/structured.hpp"

namespace personascope::judge {
namespace {

constexpr std::int64_t kMostAlternatives = 20;  // what the providers that have any allow
constexpr std::int64_t kLabelTokens = 8;        // a label, perhaps behind a blank or "Score:"

// Reconciles a prompt that asks for a last line with an answer by schema.
constexpr const char* kSchemaNote =
    "\n\nWrite this as one JSON object: first \"rationale\" with the sentences, then \"verdict\" "
    "with the verdict alone.";

constexpr const char* kSchemaNoteWithRefusal =
    "\n\nWrite this as one JSON object: first \"rationale\" with the sentences, then \"refusal\" "
    "with true or false, then \"verdict\" with the verdict alone.";

constexpr std::array<std::pair<ReplyForm, std::string_view>, 4> kForms{
    {{ReplyForm::Auto, "auto"},
     {ReplyForm::Text, "text"},
     {ReplyForm::Schema, "schema"},
     {ReplyForm::Expected, "expected"}}};

// The readings of that order and kind.
std::vector<const Reading*> choose(const std::vector<Reading>& readings, ScaleOrder order,
                                   core::VerdictKind kind) {
  std::vector<const Reading*> chosen;
  for (const Reading& reading : readings)
    if (reading.order == order && reading.verdict.kind == kind) chosen.push_back(&reading);
  return chosen;
}

// The mean score of the readings in that order; nothing if none scored.
std::optional<double> mean_score(const std::vector<Reading>& readings, ScaleOrder order) {
  const auto scored = choose(readings, order, core::VerdictKind::Score);
  if (scored.empty()) return std::nullopt;
  double sum = 0;
  for (const Reading* reading : scored) sum += reading->verdict.score;
  return sum / static_cast<double>(scored.size());
}

// What the readings of that kind held likely on average, each order counting alike; nothing where
// one of them does not tell.
std::optional<core::ScoreDistribution> mean_distribution(const std::vector<Reading>& readings,
                                                         core::VerdictKind kind) {
  const std::array orders{choose(readings, ScaleOrder::Ascending, kind),
                          choose(readings, ScaleOrder::Descending, kind)};
  const auto asked =
      std::ranges::count_if(orders, [](const auto& order) { return !order.empty(); });
  std::optional<core::ScoreDistribution> mean;
  for (const auto& order : orders)
    for (const Reading* reading : order) {
      const auto& one = reading->verdict.distribution;
      if (!one || (mean && mean->shares.size() != one->shares.size())) return std::nullopt;
      if (!mean) {
        mean.emplace();
        for (const core::ScoreShare& share : one->shares) mean->shares.push_back({share.score, 0});
      }
      const double weight = 1 / static_cast<double>(std::ssize(order) * asked);
      for (std::size_t i = 0; i < one->shares.size(); ++i)
        mean->shares[i].probability += weight * one->shares[i].probability;
      mean->captured_mass += weight * one->captured_mass;
      mean->low_mass = mean->low_mass || one->low_mass;
    }
  if (mean) mean->standard_deviation = spread_of(*mean);
  return mean;
}

}  // namespace

std::string_view name_of(ReplyForm form) {
  return std::ranges::find(kForms, form, &decltype(kForms)::value_type::first)->second;
}

std::optional<ReplyForm> find_reply_form(std::string_view name) {
  const auto found = std::ranges::find(kForms, name, &decltype(kForms)::value_type::second);
  if (found == kForms.end()) return std::nullopt;
  return found->first;
}

Json to_json(const Judgement& judgement) {
  Json value = core::to_json(judgement.verdict);
  value["judge"] = judgement.judge;
  if (judgement.order_gap) value["order_gap"] = *judgement.order_gap;
  if (judgement.readings.size() == 1) {
    value["prompt_sha256"] = judgement.readings.front().prompt_sha256;
    return value;
  }
  value["readings"] = Json::array();
  for (const Reading& reading : judgement.readings) {
    Json entry = core::to_json(reading.verdict);
    entry["order"] = reading.order == ScaleOrder::Ascending ? "ascending" : "descending";
    entry["repeat"] = reading.repeat;
    entry["prompt_sha256"] = reading.prompt_sha256;
    value["readings"].push_back(std::move(entry));
  }
  return value;
}

Json list_scores(const std::vector<Judgement>& judgements) {
  Json scores = Json::object();
  for (const Judgement& judgement : judgements)
    if (core::is_scored(judgement.verdict)) scores[judgement.judge] = judgement.verdict.score;
  return scores;
}

Judgement combine_readings(std::string judge, std::vector<Reading> readings) {
  Judgement judgement;
  judgement.judge = std::move(judge);
  const auto declined = std::ranges::count_if(
      readings, [](const Reading& reading) { return reading.verdict.answer_declines; });
  const auto up = mean_score(readings, ScaleOrder::Ascending);
  const auto down = mean_score(readings, ScaleOrder::Descending);
  if (readings.size() == 1) {
    judgement.verdict = readings.front().verdict;
  } else if (2 * declined > std::ssize(readings)) {
    judgement.verdict = core::make_declined("");
  } else if (up && down) {
    judgement.verdict = core::make_score((*up + *down) / 2, "");
    judgement.order_gap = *down - *up;
  } else if (up || down) {
    judgement.verdict = core::make_score(up ? *up : *down, "");
  } else {
    judgement.verdict = core::make_failure({ErrorKind::Internal, "there is no reading"});
    for (const auto kind :
         {core::VerdictKind::Failed, core::VerdictKind::CannotAssess, core::VerdictKind::Refused})
      for (auto reading = readings.rbegin(); reading != readings.rend(); ++reading)
        if (reading->verdict.kind == kind) judgement.verdict = reading->verdict;
    judgement.verdict.text.clear();
  }
  if (readings.size() > 1)
    judgement.verdict.distribution = mean_distribution(readings, judgement.verdict.kind);
  judgement.readings = std::move(readings);
  return judgement;
}

Judge::Judge(llm::Model& model, const Rubric& rubric, const JudgeOptions& options,
             const Prompt& prompt)
    : model_(&model),
      rubric_(&rubric),
      prompt_(&prompt),
      options_(options),
      reader_(make_verdict_form(rubric, prompt)) {
  if (!asks_for_refusal(rubric, prompt)) return;
  VerdictForm form = make_verdict_form(rubric, prompt);
  form.scale = make_yes_no_scale();
  form.markers = {"Refusal"};
  refusal_reader_.emplace(std::move(form));
}

Result<Judge> Judge::create(llm::Model& model, const Rubric& rubric, const JudgeOptions& wanted) {
  JudgeOptions options = wanted;
  const std::string name = llm::render_name(model.endpoint());
  const llm::Features features = model.features();
  if (options.form == ReplyForm::Auto)
    options.form = features.choices         ? ReplyForm::Expected
                   : features.output_schema ? ReplyForm::Schema
                                            : ReplyForm::Text;
  if (options.form == ReplyForm::Expected && !features.logprobs && !features.choices)
    return fail(ErrorKind::Unsupported,
                "{} gives no log-probabilities, so expected scores are not possible; set "
                "`verdicts` to another form or choose another judge",
                name);
  if (!options.temperature) options.temperature = options.repeats > 1 ? 1.0 : 0.0;
  const bool is_read = options.form == ReplyForm::Expected && features.choices;
  if (options.repeats > 1 && (is_read || *options.temperature == 0))
    return fail(ErrorKind::Invalid,
                "repeated verdicts of {} would all be the same, since {}; do not repeat them", name,
                is_read ? "its probabilities are computed, not sampled" : "the temperature is 0");
  const Prompt& prompt = options.form == ReplyForm::Expected ? rubric.score_prompt : rubric.prompt;
  if (options.orders == Orders::Both && !prompt.has("criteria"))
    return fail(ErrorKind::Invalid,
                "the rubric's prompt has no {{criteria}}, so its scale cannot be shown in both "
                "orders");
  return Judge(model, rubric, options, prompt);
}

std::vector<Judge::Ask> Judge::list_asks(const std::string& id, const Fields& item) const {
  std::vector<Ask> asks;
  for (const ScaleOrder order : {ScaleOrder::Ascending, ScaleOrder::Descending}) {
    if (order == ScaleOrder::Descending && options_.orders != Orders::Both) continue;
    core::Request request;
    std::string text = render_judge_prompt(*rubric_, *prompt_, item, order);
    if (options_.form == ReplyForm::Schema) {
      text += asks_refusal() ? kSchemaNoteWithRefusal : kSchemaNote;
      request.output = core::OutputSchema{
          "verdict",
          make_verdict_schema(rubric_->scale, asks_refusal() ? AskRefusal::Yes : AskRefusal::No)};
    }
    const std::string hash = render_hex(sha256(text));
    request.messages = {{core::Role::User, std::move(text)}};
    request.sampling.temperature = options_.temperature;
    request.sampling.max_tokens = options_.max_tokens;
    if (options_.form == ReplyForm::Expected) {
      if (reads_choices()) {
        for (const Level& level : rubric_->scale.levels) request.choices.push_back(level.label);
        if (asks_refusal()) request.choices.emplace_back(kRefusalLabel);
      } else {
        request.top_logprobs = kMostAlternatives;
      }
      request.sampling.max_tokens = kLabelTokens;
    }
    for (int repeat = 0; repeat < options_.repeats; ++repeat) {
      Ask ask;
      ask.request = request;
      ask.draw = {.item = id, .role = std::string(llm::kJudgeRole), .epoch = repeat, .trial = 0};
      ask.reading.order = order;
      ask.reading.repeat = repeat;
      ask.reading.prompt_sha256 = hash;
      asks.push_back(std::move(ask));
    }
  }
  return asks;
}

core::Verdict Judge::read(const Result<core::Reply>& reply, const Fields& item) const {
  if (!reply) {
    if (reply.error().kind == ErrorKind::Refused) return core::make_refusal(reply.error().message);
    return core::make_failure(reply.error());
  }
  if (core::is_refusal(*reply)) return core::make_refusal(reply->text);
  if (options_.form == ReplyForm::Expected) {
    const Scale& scale = rubric_->scale;
    const RefusalLabel refusal = asks_refusal() ? RefusalLabel::Yes : RefusalLabel::No;
    if (reads_choices())
      return make_expected_verdict(scale, reply->choices, VerdictWas::Forced, reply->text, refusal);
    return make_expected_verdict(scale, find_label_choices(scale, *reply, refusal),
                                 VerdictWas::Free, reply->text, refusal);
  }
  if (options_.form == ReplyForm::Schema) {
    const auto json = parse_json(reply->text);
    return json ? reader_.read_json(*json, reply->text)
                : core::make_failure(json.error(), reply->text);
  }
  if (reply->finish == core::FinishReason::Length)
    return core::make_failure(
        {ErrorKind::Unparsable, "the reply was cut off at its longest length"}, reply->text);
  const auto judged = item.find(prompt_->judged);
  const std::string_view answer = judged == item.end() ? std::string_view() : judged->second;
  if (refusal_reader_ && refusal_reader_->find_stated(reply->text, answer) == 1.0)
    return core::make_declined(reply->text);
  return reader_.read(reply->text, answer);
}

Task<Result<Judgement>> Judge::judge(llm::AskChain& chain, const std::string& id,
                                     const Fields& item) const {
  std::vector<Reading> readings;
  std::vector<Ask> asks = list_asks(id, item);
  for (Ask& ask : asks) {
    const Result<core::Reply> reply =
        co_await llm::ask_structured(chain, *model_, std::move(ask.request), std::move(ask.draw));
    if (!reply && core::is_unfinished(reply.error())) co_return std::unexpected(reply.error());
    ask.reading.verdict = read(reply, item);
    readings.push_back(std::move(ask.reading));
  }
  co_return combine_readings(name(), std::move(readings));
}

}  // namespace personascope::judge
