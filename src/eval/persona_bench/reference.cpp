#include "eval/persona_bench/reference.hpp"

#include <algorithm>

#include "base/all.hpp"
#include "base/text.hpp"
#include "eval/persona_bench/trial_line.hpp"
#include "llm/structured.hpp"

namespace personascope::eval::persona_bench {

Result<std::vector<Trial>> list_reference_trials(const BenchPlan& plan, const BenchData& data) {
  const std::size_t pairs = std::min(data.personas.size(), data.questions.size());
  if (static_cast<std::size_t>(plan.n) > pairs)
    return fail(ErrorKind::Invalid,
                "the reference protocol uses each persona and each question once: there are {} "
                "pairs, not {}; ask for fewer with `limit`",
                pairs, plan.n);
  BenchPlan once = plan;
  once.pairing = Pairing::Index;
  once.epochs = 1;
  once.controls = 0;
  if (once.kind == Kind::PassAtK) once.kind = Kind::Main;
  ASSIGN_OR_RETURN(std::vector<Trial> trials, list_trials(once, data));
  if (plan.kind == Kind::Loo) std::erase_if(trials, [](const Trial& one) { return one.arm == 0; });
  if (plan.kind == Kind::Intersectionality) {
    const auto members = match(plan.populations, data.personas);
    std::erase_if(trials, [&](const Trial& trial) {
      return std::ranges::none_of(
          members, [&](const std::vector<bool>& population) { return population[trial.persona]; });
    });
    if (trials.empty())
      return fail(ErrorKind::Invalid, "none of the first {} personas is in a population", plan.n);
  }
  return trials;
}

ReferenceBench::ReferenceBench(BenchPlan plan, BenchData data, ReferencePrompts prompts,
                               std::vector<Trial> trials)
    : plan_(std::move(plan)),
      data_(std::move(data)),
      prompts_(std::move(prompts)),
      trials_(std::move(trials)),
      graded_(trials_.size()) {}

Result<std::unique_ptr<ReferenceBench>> ReferenceBench::create(BenchPlan plan,
                                                               const FindModel& find_model) {
  ASSIGN_OR_RETURN(BenchData data, load_bench_data(plan));
  ASSIGN_OR_RETURN(ReferencePrompts prompts, load_reference_prompts(plan.folder, plan.prompts));
  if (!plan.prompts_sha256.empty() && plan.prompts_sha256 != prompts.sha256)
    return fail(ErrorKind::Invalid,
                "the reference prompts have changed since the run was started; start a new run");
  ASSIGN_OR_RETURN(auto trials, list_reference_trials(plan, data));
  // The constructor is private, so make_unique cannot reach it.
  std::unique_ptr<ReferenceBench> bench(
      new ReferenceBench(std::move(plan), std::move(data), std::move(prompts), std::move(trials)));
  ASSIGN_OR_RETURN(llm::Model * model, find_model(bench->plan_.model));
  ASSIGN_OR_RETURN(llm::Model * critic, find_model(bench->plan_.judge));
  const Result<llm::Model*> parser = find_model(bench->plan_.parser);
  if (!parser)
    return fail(parser.error().kind, "{} (the parser; name another with `parser`)",
                parser.error().message);
  core::Sampling sampling;
  sampling.temperature = bench->plan_.temperature;
  if (bench->plan_.limits_answers) sampling.max_tokens = bench->plan_.max_tokens;
  bench->calls_.emplace(ReferenceCalls{*model, *critic, **parser, bench->prompts_, sampling,
                                       bench->plan_.max_tokens});
  return bench;
}

Task<void> ReferenceBench::work(ItemContext& context, std::int64_t piece) {
  const auto place = static_cast<std::size_t>(piece);
  const Trial& trial = trials_[place];
  Task<Result<ReferenceGraded>> grading =
      plan_.kind == Kind::PassAtK ? draft_and_judge(context, trial) : answer_once(context, trial);
  Result<ReferenceGraded> graded = co_await std::move(grading);
  if (!graded) co_return;
  ItemRecord record = make_item(piece, trial.id, graded->verdict);
  record.cluster = data_.personas[trial.persona].id;
  record.label = name_of(trial.mode);
  record.document = make_document(trial, *graded);
  context.record(std::move(record));
  graded_[place] = std::move(*graded);
}

Task<Result<ReferenceGraded>> ReferenceBench::answer_once(ItemContext& context,
                                                          const Trial& trial) const {
  // The critic sees what the model was shown: in loo, the reduced persona.
  const std::string persona = render_python_dict(data_.personas[trial.persona], trial.without);
  const std::string question = data_.questions[trial.question].text;
  std::vector<core::Message> messages = calls_->begin(trial.mode, persona, question);
  std::string id = trial.id;
  Result<Answer> answer =
      co_await calls_->answer(context.chain, messages, trial.mode, std::move(id), 0);
  if (!answer) co_return std::unexpected(answer.error());
  ReferenceGraded graded;
  graded.drafts.push_back(*answer);
  if (answer->fault) {
    graded.verdict =
        answer->refused ? core::make_refusal(answer->text) : core::make_failure(*answer->fault);
    co_return graded;
  }
  Result<core::Verdict> verdict =
      co_await calls_->judge(context.chain, question, answer->text, persona, trial.id, 0);
  if (!verdict) co_return std::unexpected(verdict.error());
  graded.critiques.push_back(*verdict);
  graded.verdict = std::move(*verdict);
  co_return graded;
}

Task<Result<ReferenceGraded>> ReferenceBench::draft_and_judge(ItemContext& context,
                                                              const Trial& trial) const {
  const std::string persona = render_python_dict(data_.personas[trial.persona], trial.without);
  const std::string& question = data_.questions[trial.question].text;
  std::vector<core::Message> messages = calls_->begin(trial.mode, persona, question);
  ReferenceGraded graded;
  for (int draft = 0; draft < plan_.k; ++draft) {
    std::string id = trial.id;
    Result<Answer> answer =
        co_await calls_->answer(context.chain, messages, trial.mode, std::move(id), draft);
    if (!answer) co_return std::unexpected(answer.error());
    graded.drafts.push_back(std::move(*answer));
  }
  // The last draft is judged, as often as there are drafts, each in the place of the question.
  const std::string last = graded.drafts.back().text;
  std::vector<Task<Result<core::Verdict>>> tasks;
  std::vector<std::size_t> judged;
  for (std::size_t i = 0; i < graded.drafts.size(); ++i) {
    const std::optional<Error>& fault = graded.drafts[i].fault;
    graded.critiques.push_back(core::make_failure(fault.value_or(Error{})));
    if (fault) continue;
    judged.push_back(i);
    tasks.push_back(calls_->judge(context.chain, graded.drafts[i].text, last, persona, trial.id,
                                  static_cast<int>(i)));
  }
  std::vector<Result<core::Verdict>> verdicts = co_await all(std::move(tasks));
  Error fault{ErrorKind::Unparsable, "no draft could be judged"};
  graded.verdict = core::make_failure(std::move(fault));
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    Result<core::Verdict>& verdict = verdicts[i];
    if (!verdict) co_return std::unexpected(verdict.error());
    // Passed when any of them passes.
    if (core::is_scored(*verdict) &&
        (!core::is_scored(graded.verdict) || verdict->score > graded.verdict.score))
      graded.verdict = *verdict;
    graded.critiques[judged[i]] = std::move(*verdict);
  }
  co_return graded;
}

Json ReferenceBench::make_document(const Trial& trial, const ReferenceGraded& graded) const {
  Json drafts = Json::array();
  for (const Answer& answer : graded.drafts) drafts.push_back(answer.text);
  Json critiques = Json::array();
  for (const core::Verdict& verdict : graded.critiques) {
    const auto critique = llm::find_json(verdict.text);
    critiques.push_back(critique ? *critique : Json(verdict.text));
  }
  return {{"persona", data_.personas[trial.persona].id},
          {"question_id", data_.questions[trial.question].id},
          {"question", data_.questions[trial.question].text},
          {"mode", name_of(trial.mode)},
          {"answer", drafts.empty() ? Json("") : drafts.back()},
          {"drafts", drafts},
          {"without", trial.without},
          {"critiques", critiques}};
}

Result<Json> ReferenceBench::finish() {
  std::vector<ReferenceGraded> graded;
  for (std::optional<ReferenceGraded>& one : graded_) {
    if (!one) return fail(ErrorKind::Internal, "an item of the bench has no outcome");
    graded.push_back(std::move(*one));
  }
  return summarize_reference(plan_, data_, trials_, graded);
}

std::vector<Forecast> ReferenceBench::forecast() const {
  constexpr std::int64_t kText = 200;  // about what an answer or a critique has
  const std::int64_t drafts = plan_.kind == Kind::PassAtK ? plan_.k : 1;
  const std::int64_t calls = items() * drafts;
  std::int64_t asked = 0;
  std::int64_t judged = 0;
  for (const Trial& trial : trials_) {
    const std::size_t persona =
        render_python_dict(data_.personas[trial.persona], trial.without).size();
    const std::size_t question = data_.questions[trial.question].text.size();
    const std::int64_t opening =
        tokens_of(prompts_.system.at(trial.mode).size() + persona + question);
    // Every draft reads those before it.
    asked += drafts * opening + kText * drafts * (drafts - 1) / 2;
    judged +=
        drafts *
        (tokens_of(prompts_.critique.size() + prompts_.critique_form.size() + persona + question) +
         kText);
  }
  return {{plan_.model, "answers", calls, asked, calls * plan_.max_tokens},
          {plan_.parser, "puts answers into form", calls, calls * (kText + 50),
           calls * plan_.max_tokens},
          {plan_.judge, "critic", calls, judged, calls * plan_.judge_max_tokens},
          {plan_.parser, "puts critiques into form", calls, calls * 2 * kText,
           calls * plan_.judge_max_tokens}};
}

}  // namespace personascope::eval::persona_bench
