#include "eval/persona_bench/comparison.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "eval/long_text.hpp"
#include "eval/persona_bench/answering.hpp"
#include "eval/persona_bench/bench_data.hpp"
#include "eval/persona_bench/trial_line.hpp"
#include "files/text_file.hpp"
#include "files/yaml.hpp"
#include "llm/structured.hpp"

namespace personascope::eval::persona_bench {
namespace {

constexpr std::string_view kUserNames[] = {"a", "b"};

std::vector<Asking> list_askings(const BenchPlan& plan, const std::vector<ComparisonPair>& pairs) {
  std::vector<Asking> askings;
  for (std::size_t pair = 0; pair < pairs.size(); ++pair)
    for (int epoch = 0; epoch < plan.epochs; ++epoch) {
      const std::string ending = epoch == 0 ? "" : fmt::format("#{}", epoch + 1);
      const std::string id = escape_id(pairs[pair].id);
      for (std::size_t user = 0; user < 2; ++user)
        askings.push_back(
            {fmt::format("{}/{}{}", id, kUserNames[user], ending), pair, user, epoch});
      askings.push_back({id + "/control" + ending, pair, std::nullopt, epoch});
    }
  return askings;
}

}  // namespace

Result<Comparison::Words> Comparison::load_words(const BenchPlan& plan) {
  Words words;
  ASSIGN_OR_RETURN(words.with_user,
                   load_answer_prompt(plan.folder + "/prompts/answer-comparison.md"));
  ASSIGN_OR_RETURN(words.control,
                   load_answer_prompt(plan.folder + "/prompts/answer-comparison-baseline.md"));
  ASSIGN_OR_RETURN(words.forms, files::load_yaml(plan.folder + "/answer-forms.yaml"));
  ASSIGN_OR_RETURN(const std::string pairs, files::load_text(plan.questions));
  Sha256 hash;
  hash.update(words.with_user.text);
  hash.update(words.control.text);
  hash.update(render_json(words.forms));
  hash.update(pairs);
  ASSIGN_OR_RETURN(words.rubric, judge::load_rubric(plan.folder + "/rubrics/gold.yaml"));
  hash.update(words.rubric.sha256);
  words.sha256 = render_hex(hash.digest());
  return words;
}

Comparison::Comparison(BenchPlan plan, Words words, std::vector<ComparisonPair> pairs)
    : plan_(std::move(plan)),
      words_(std::move(words)),
      pairs_(std::move(pairs)),
      askings_(list_askings(plan_, pairs_)),
      asked_(askings_.size()) {}

Result<std::unique_ptr<Comparison>> Comparison::create(BenchPlan plan,
                                                       const FindModel& find_model) {
  ASSIGN_OR_RETURN(Words words, load_words(plan));
  RETURN_IF_ERROR(check_same_data(plan, words.sha256));
  ASSIGN_OR_RETURN(auto pairs, load_comparisons(plan.questions));
  if (plan.judge.empty())
    std::erase_if(pairs, [](const ComparisonPair& pair) { return pair.kind == GoldKind::Open; });
  if (pairs.empty())
    return fail(ErrorKind::Invalid, "every pair has an open answer: name a judge with `judge`");
  if (plan.epochs > 1 && plan.temperature == 0)
    return fail(
        ErrorKind::Invalid,
        "at temperature 0 every answer to a question is the same: set another `temperature`");
  if (std::ssize(pairs) > plan.n) pairs.resize(static_cast<std::size_t>(plan.n));
  // The constructor is private, so make_unique cannot reach it.
  std::unique_ptr<Comparison> comparison(
      new Comparison(std::move(plan), std::move(words), std::move(pairs)));
  ASSIGN_OR_RETURN(comparison->model_, find_model(comparison->plan_.model));
  if (!comparison->plan_.judge.empty()) {
    ASSIGN_OR_RETURN(llm::Model * model, find_model(comparison->plan_.judge));
    ASSIGN_OR_RETURN(comparison->judge_, judge::Judge::create(*model, comparison->words_.rubric,
                                                              judge::JudgeOptions{}));
  }
  return comparison;
}

std::string Comparison::render_question(const Asking& asking) const {
  const ComparisonPair& pair = pairs_[asking.pair];
  judge::Prompt form;
  form.text = find_text(words_.forms, name_of(pair.kind)).value_or("a short text");
  judge::Fields parts;
  parts["options"] = render_json(pair.options);
  parts["unit"] = pair.unit.empty() ? "whatever the question counts in" : pair.unit;
  judge::Fields fields;
  fields["form"] = judge::render_prompt(form, parts);
  fields["question"] = pair.question;
  if (asking.user) fields["persona"] = render_persona(pair.users[*asking.user]);
  return judge::render_prompt(asking.user ? words_.with_user : words_.control, fields);
}

Task<void> Comparison::work(ItemContext& context, std::int64_t piece) {
  const auto place = static_cast<std::size_t>(piece);
  const Asking& asking = askings_[place];
  Result<Asked> asked = co_await ask(context, asking);
  if (!asked) co_return;
  ItemRecord record = make_item(piece, asking.id, asked->verdict);
  record.label = name_of(pairs_[asking.pair].kind);
  record.document = make_document(asking, *asked);
  context.record(std::move(record));
  asked_[place] = std::move(*asked);
}

Task<Result<Asked>> Comparison::ask(ItemContext& context, const Asking& asking) const {
  const ComparisonPair& pair = pairs_[asking.pair];
  core::Request request;
  request.messages.push_back({core::Role::User, render_question(asking)});
  request.sampling.temperature = plan_.temperature;
  request.sampling.max_tokens = plan_.max_tokens;
  request.output = core::OutputSchema{"answer", make_gold_schema(pair, llm::is_local(*model_))};
  llm::Draw draw;
  draw.item = asking.id;
  draw.role = llm::kModelRole;
  draw.epoch = asking.epoch;
  const Result<core::Reply> reply = co_await llm::ask_structured(
      context.chain, *model_, std::move(request), std::move(draw), llm::MemberOrder::AsRequired);
  Asked asked;
  if (!reply) {
    if (core::is_unfinished(reply.error())) co_return std::unexpected(reply.error());
    asked.verdict = reply.error().kind == ErrorKind::Refused
                        ? core::make_refusal(reply.error().message)
                        : core::make_failure(reply.error());
    co_return asked;
  }
  if (core::is_refusal(*reply)) {
    asked.verdict = core::make_refusal(reply->text);
    co_return asked;
  }
  const Result<Json> value = parse_json(reply->text);
  const Json* answer = value ? find_member(*value, "answer") : nullptr;
  if (!answer) {
    Error fault{ErrorKind::Unparsable, "the model gave no answer"};
    asked.verdict = core::make_failure(std::move(fault));
    co_return asked;
  }
  if (reply->text.size() > kLongestAnswerBytes) {
    asked.verdict = core::make_failure(too_long(reply->text.size()));
    co_return asked;
  }
  asked.answer = *answer;
  double sum = 0;
  std::size_t checks = 0;
  for (std::size_t user = 0; user < 2; ++user) {
    if (asking.user && *asking.user != user) continue;
    Result<core::Verdict> verdict = co_await check(context, asking, user, *answer);
    if (!verdict) co_return std::unexpected(verdict.error());
    asked.verdict = std::move(*verdict);
    if (!core::is_scored(asked.verdict)) co_return asked;
    asked.right[user] = asked.verdict.score;
    sum += asked.verdict.score;
    ++checks;
  }
  asked.verdict.score = sum / static_cast<double>(checks);
  co_return asked;
}

Task<Result<core::Verdict>> Comparison::check(ItemContext& context, const Asking& asking,
                                              std::size_t user, Json answer) const {
  const ComparisonPair& pair = pairs_[asking.pair];
  if (const auto right = is_right(pair, user, answer))
    co_return core::make_score(*right ? 1 : 0, "");
  judge::Fields fields;
  fields["question"] = pair.question;
  fields["gold"] = render_gold(pair.gold[user]);
  fields["answer"] = render_gold(answer);
  const std::string id = fmt::format("{}/gold {}", asking.id, kUserNames[user]);
  Result<judge::Judgement> judgement = co_await judge_->judge(context.chain, id, fields);
  if (!judgement) co_return std::unexpected(judgement.error());
  co_return std::move(judgement->verdict);
}

Json Comparison::make_document(const Asking& asking, const Asked& asked) const {
  const ComparisonPair& pair = pairs_[asking.pair];
  return {{"pair", pair.id},
          {"user", asking.user ? Json(kUserNames[*asking.user]) : Json(nullptr)},
          {"persona", asking.user ? Json(render_persona(pair.users[*asking.user])) : Json(nullptr)},
          {"kind", name_of(pair.kind)},
          {"question", pair.question},
          {"epoch", asking.epoch},
          {"answer", asked.answer},
          {"gold", {{"a", pair.gold[0]}, {"b", pair.gold[1]}}}};
}

Result<Json> Comparison::finish() {
  std::vector<Asked> asked;
  for (std::optional<Asked>& one : asked_) {
    if (!one) return fail(ErrorKind::Internal, "an item of the comparison has no outcome");
    asked.push_back(std::move(*one));
  }
  return summarize_comparison(plan_, pairs_, askings_, asked);
}

std::vector<std::string> Comparison::notes() const {
  LongestRequest longest("question");
  for (const Asking& asking : askings_)
    longest.add(asking.id, tokens_of(render_question(asking).size()));
  return longest.describe();
}

std::vector<Forecast> Comparison::forecast() const {
  std::int64_t input = 0;
  std::int64_t open = 0;
  for (const Asking& asking : askings_) {
    input += tokens_of(render_question(asking).size());
    if (pairs_[asking.pair].kind == GoldKind::Open) open += asking.user ? 1 : 2;
  }
  std::vector<Forecast> forecasts{
      {plan_.model, "answers", items(), input, items() * plan_.max_tokens}};
  constexpr std::int64_t kJudgeTokens = 400;
  if (open > 0)
    forecasts.push_back(
        {plan_.judge, "gold", open, open * kJudgeTokens, open * judge::JudgeOptions{}.max_tokens});
  return forecasts;
}

}  // namespace personascope::eval::persona_bench
