#include "eval/personalens/judging.hpp"

#include "base/all.hpp"
#include "base/text.hpp"

namespace personascope::eval::personalens {
namespace {

constexpr std::int64_t kReferenceTokens = 4000;

// The mean of the turns that were scored; else why none was.
core::Verdict sum_up_turns(const std::vector<core::Verdict>& turns) {
  if (turns.empty()) return core::make_abstention("the assistant said nothing");
  return judge::combine_panel(turns, judge::PanelRule::Mean);
}

// The file of a verdict without a score: the judge's words, or why there are none. It must not read
// as a score.
std::string render_unread_file(const VerdictFileReader& reader, const core::Verdict& verdict) {
  std::string text = verdict.text;
  if (trim(text).empty())
    text = fmt::format("No verdict: {}", verdict.kind == core::VerdictKind::Failed
                                             ? std::string_view(verdict.fault.message)
                                             : core::name_of(verdict.kind));
  return reader.read(text) ? "No verdict.\n" : text + "\n";
}

}  // namespace

std::string render_background(const Words& words, const Dimension& dimension,
                              const ScenarioTexts& texts) {
  switch (dimension.material) {
    case Material::Goal:
      return render_sections(words, texts, {"goal"});
    case Material::Profile:
      return render_sections(words, texts,
                             {"demographics", "affinities", "summary", "situation", "task"});
    case Material::Likes:
      return render_sections(words, texts, {"affinities", "task"});
    case Material::Task:
      break;
  }
  return render_sections(words, texts, {"task"});
}

Result<DialogueJudges> DialogueJudges::create(const LensPlan& plan, const Words& words,
                                              std::vector<llm::Model*> models,
                                              std::vector<const Dimension*> dimensions) {
  DialogueJudges judges(plan, words);
  judges.models_ = std::move(models);
  judges.dimensions_ = std::move(dimensions);
  for (const Dimension* dimension : judges.dimensions_) {
    judges.readers_.emplace_back(*dimension);
    auto& row = judges.judges_.emplace_back();
    if (plan.protocol == Protocol::Reference && dimension->is_published()) continue;
    for (llm::Model* model : judges.models_) {
      const judge::Rubric& rubric = words.rubrics.find(dimension->rubric)->second;
      ASSIGN_OR_RETURN(judge::Judge judge, judge::Judge::create(*model, rubric, plan.judging));
      row.push_back(std::move(judge));
    }
  }
  return judges;
}

Task<Result<std::vector<DimensionScore>>> DialogueJudges::judge(llm::AskChain& chain,
                                                                const ScenarioTexts& texts,
                                                                const Dialogue& dialogue,
                                                                const std::string& item) const {
  std::vector<Task<Result<DimensionScore>>> tasks;
  for (std::size_t i = 0; i < dimensions_.size(); ++i)
    tasks.push_back(judge_one(chain, i, texts, dialogue, item));
  std::vector<Result<DimensionScore>> results = co_await all(std::move(tasks));
  std::vector<DimensionScore> scores;
  for (Result<DimensionScore>& result : results) {
    if (!result) co_return std::unexpected(std::move(result).error());
    scores.push_back(std::move(*result));
  }
  co_return scores;
}

Task<Result<DimensionScore>> DialogueJudges::judge_one(llm::AskChain& chain, std::size_t dimension,
                                                       const ScenarioTexts& texts,
                                                       const Dialogue& dialogue,
                                                       const std::string& item) const {
  DimensionScore score;
  score.dimension = dimensions_[dimension];
  std::vector<Task<Result<DimensionVerdict>>> tasks;
  for (std::size_t judge = 0; judge < models_.size(); ++judge) {
    if (score.dimension->scope == Scope::EachTurn)
      tasks.push_back(ask_turns(chain, dimension, judge, texts, dialogue, item));
    else if (plan_->protocol == Protocol::Reference && score.dimension->is_published())
      tasks.push_back(ask_as_reference(chain, dimension, judge, texts, dialogue, item));
    else
      tasks.push_back(ask_rubric(chain, dimension, judge, texts, dialogue, item));
  }
  std::vector<Result<DimensionVerdict>> results = co_await all(std::move(tasks));
  std::vector<core::Verdict> verdicts;
  for (Result<DimensionVerdict>& result : results) {
    if (!result) co_return std::unexpected(std::move(result).error());
    verdicts.push_back(result->verdict);
    score.by_judge.push_back(std::move(*result));
  }
  score.verdict = judge::combine_panel(verdicts, plan_->rule);
  co_return score;
}

Task<Result<std::vector<CanaryScore>>> DialogueJudges::judge_canaries(
    llm::AskChain& chain, const ScenarioTexts& texts, const Dialogue& dialogue,
    const std::string& item) const {
  std::vector<Task<Result<CanaryScore>>> tasks;
  for (std::size_t i = 0; i < dimensions_.size(); ++i) {
    if (!takes_canaries(*dimensions_[i])) continue;
    const judge::Rubric& rubric = words_->rubrics.find(dimensions_[i]->rubric)->second;
    for (const judge::Canary& canary : judge::make_canaries(rubric))
      for (std::size_t judge = 0; judge < models_.size(); ++judge)
        tasks.push_back(ask_canary(chain, i, judge, canary, texts, dialogue, item));
  }
  std::vector<Result<CanaryScore>> results = co_await all(std::move(tasks));
  std::vector<CanaryScore> scores;
  for (Result<CanaryScore>& result : results) {
    if (!result) co_return std::unexpected(std::move(result).error());
    scores.push_back(std::move(*result));
  }
  co_return scores;
}

Task<Result<CanaryScore>> DialogueJudges::ask_canary(llm::AskChain& chain, std::size_t dimension,
                                                     std::size_t judge, judge::Canary canary,
                                                     const ScenarioTexts& texts,
                                                     const Dialogue& dialogue,
                                                     const std::string& item) const {
  Dialogue said = dialogue;
  for (core::Message& turn : said.turns)
    if (turn.role == core::Role::Assistant) turn.content = canary.answer;
  const std::string id = item + "/canary/" + canary.name;
  Result<DimensionVerdict> verdict = co_await ask_rubric(chain, dimension, judge, texts, said, id);
  if (!verdict) co_return std::unexpected(std::move(verdict).error());
  CanaryScore score;
  score.canary = canary.name;
  score.dimension = dimensions_[dimension];
  score.judge = judge;
  score.verdict = std::move(verdict->verdict);
  co_return score;
}

Task<Result<DimensionVerdict>> DialogueJudges::ask_rubric(llm::AskChain& chain,
                                                          std::size_t dimension, std::size_t judge,
                                                          const ScenarioTexts& texts,
                                                          const Dialogue& dialogue,
                                                          const std::string& item) const {
  const Dimension& asked = *dimensions_[dimension];
  const std::size_t turns = asked.scope == Scope::FirstTurn ? 1 : dialogue.turns.size();
  judge::Fields fields;
  fields["background"] = render_background(*words_, asked, texts);
  fields["conversation"] = render_conversation(dialogue, turns);
  const std::string id = item + "/" + asked.key();
  Result<judge::Judgement> judgement = co_await judges_[dimension][judge].judge(chain, id, fields);
  if (!judgement) co_return std::unexpected(std::move(judgement).error());
  DimensionVerdict result;
  result.verdict = std::move(judgement->verdict);
  result.file = core::is_scored(result.verdict)
                    ? render_verdict_file(asked, result.verdict)
                    : render_unread_file(readers_[dimension], result.verdict);
  co_return result;
}

Task<Result<DimensionVerdict>> DialogueJudges::ask_turns(llm::AskChain& chain,
                                                         std::size_t dimension, std::size_t judge,
                                                         const ScenarioTexts& texts,
                                                         const Dialogue& dialogue,
                                                         const std::string& item) const {
  const Dimension& asked = *dimensions_[dimension];
  DimensionVerdict result;
  for (std::size_t i = 0; i < dialogue.turns.size(); ++i) {
    if (dialogue.turns[i].role != core::Role::Assistant) continue;
    judge::Fields fields;
    fields["background"] = render_background(*words_, asked, texts);
    fields["conversation"] = render_conversation(dialogue, i + 1);
    const std::string id = fmt::format("{}/{}/{}", item, asked.key(), i);
    Result<judge::Judgement> judgement =
        co_await judges_[dimension][judge].judge(chain, id, fields);
    if (!judgement) co_return std::unexpected(std::move(judgement).error());
    result.turns.push_back(std::move(judgement->verdict));
  }
  result.verdict = sum_up_turns(result.turns);
  co_return result;
}

Task<Result<DimensionVerdict>> DialogueJudges::ask_as_reference(
    llm::AskChain& chain, std::size_t dimension, std::size_t judge, const ScenarioTexts& texts,
    const Dialogue& dialogue, const std::string& item) const {
  const Dimension& asked = *dimensions_[dimension];
  const std::string conversation = render_conversation(dialogue, dialogue.turns.size());
  core::Request request;
  request.messages.push_back(
      {core::Role::User, render_reference_judge(*words_, texts, asked.rubric, conversation)});
  request.sampling.temperature = 0;
  request.sampling.max_tokens = kReferenceTokens;
  llm::Draw draw{.item = item + "/" + asked.key(),
                 .role = std::string(llm::kJudgeRole),
                 .epoch = 0,
                 .trial = 0};
  const Result<core::Reply> reply =
      co_await chain.ask(*models_[judge], std::move(request), std::move(draw));
  DimensionVerdict result;
  if (!reply) {
    if (core::is_unfinished(reply.error())) co_return std::unexpected(reply.error());
    result.verdict = core::make_failure(reply.error());
    result.file = render_unread_file(readers_[dimension], result.verdict);
    co_return result;
  }
  result.file = reply->text;
  if (const auto score = readers_[dimension].read(reply->text))
    result.verdict = core::make_score(*score, reply->text);
  else if (core::is_refusal(*reply))
    result.verdict = core::make_refusal(reply->text);
  else
    result.verdict = core::make_failure(
        Error{ErrorKind::Unparsable,
              fmt::format("the judge's reply has no line \"{}: …\" on the scale", asked.marker)},
        reply->text);
  co_return result;
}

}  // namespace personascope::eval::personalens
