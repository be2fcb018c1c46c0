#include "eval/persona_bench/critic.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "files/text_file.hpp"
#include "llm/structured.hpp"

namespace personascope::eval::persona_bench {
namespace {

constexpr const char* kVerdictMember = "needs_revision";
constexpr int kLongestCritique = 200;

// Each critic speaks, then replies to the other.
constexpr int kRounds = 2;
constexpr std::int64_t kTurnTokens = 300;
constexpr std::string_view kPersonalization = "[PERSONALIZATION CRITIC]:";
constexpr std::string_view kHelpfulness = "[HELPFULNESS CRITIC]:";

Result<judge::Prompt> load_critic_prompt(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, files::load_text(path, 1u << 20));
  ASSIGN_OR_RETURN(const judge::HeadedText headed, judge::parse_headed_text(text, path));
  return judge::make_prompt(headed, path);
}

// A turn as one paragraph, in which nothing looks like the beginning of another's.
std::string tidy_turn(std::string_view text) {
  std::string turn = replace_all(trim(text), "\n", " ");
  for (const std::string_view label : {kPersonalization, kHelpfulness})
    turn = replace_all(turn, label, "");
  return std::string(trim(turn));
}

}  // namespace

Result<CriticWords> load_critic_words(const std::string& folder,
                                      const std::vector<CriticKind>& critics) {
  CriticWords words;
  for (const CriticKind critic : critics) {
    if (critic == CriticKind::Single) {
      ASSIGN_OR_RETURN(words.single, load_critic_prompt(folder + "/prompts/critic.md"));
    }
    // A critic's prompt of the user's own may have rules of its own.
    if (critic == CriticKind::Direct ||
        (critic == CriticKind::Single && words.single.has("criteria"))) {
      ASSIGN_OR_RETURN(words.direct, judge::load_rubric(folder + "/rubrics/fit.yaml"));
    }
    if (critic == CriticKind::Debate) {
      ASSIGN_OR_RETURN(words.personalization,
                       load_critic_prompt(folder + "/prompts/debate-personalization.md"));
      ASSIGN_OR_RETURN(words.helpfulness,
                       load_critic_prompt(folder + "/prompts/debate-helpfulness.md"));
      ASSIGN_OR_RETURN(words.closing,
                       judge::load_rubric(folder + "/rubrics/fit-after-debate.yaml"));
    }
  }
  return words;
}

Json make_critique_schema(const llm::Model& model) {
  Json schema = make_text_schema(
      {"chain_of_thought", "personalization_critic", "helpfulness_critic", "conclusion"}, model,
      kLongestCritique);
  schema["properties"][kVerdictMember] = {{"type", "boolean"}};
  schema["required"].push_back(kVerdictMember);
  return schema;
}

core::Verdict read_critique(const Result<core::Reply>& reply) {
  if (!reply) {
    return reply.error().kind == ErrorKind::Refused ? core::make_refusal(reply.error().message)
                                                    : core::make_failure(reply.error());
  }
  if (core::is_refusal(*reply)) return core::make_refusal(reply->text);
  const Result<Json> value = llm::find_json(reply->text);
  const Json* verdict = value ? find_member(*value, kVerdictMember) : nullptr;
  if (!verdict || !verdict->is_boolean())
    return core::make_failure({ErrorKind::Unparsable, "the critic gave no verdict"}, reply->text);
  return core::make_score(verdict->get<bool>() ? 0 : 1, reply->text);
}

Result<Critic> Critic::create(CriticKind kind, llm::Model& model, const CriticWords& words,
                              std::int64_t max_tokens) {
  Critic critic(kind, model, words, max_tokens);
  if (kind == CriticKind::Single) return critic;
  judge::JudgeOptions options;
  options.max_tokens = max_tokens;
  const judge::Rubric& rubric = kind == CriticKind::Debate ? words.closing : words.direct;
  ASSIGN_OR_RETURN(critic.judge_, judge::Judge::create(model, rubric, options));
  return critic;
}

std::int64_t Critic::calls() const {
  return kind_ == CriticKind::Debate ? 2 * kRounds + 1 : 1;
}

std::size_t Critic::bytes() const {
  constexpr std::size_t kTurnBytes = 400;  // about what is said
  if (kind_ == CriticKind::Single) return words_->single.text.size();
  const std::size_t last = judge_->prompt().text.size();
  if (kind_ == CriticKind::Direct) return last;
  std::size_t sum = last + 2 * kRounds * kTurnBytes;
  for (std::size_t turn = 0; turn < 2 * kRounds; ++turn)
    sum += words_->personalization.text.size() + turn * kTurnBytes;
  return sum;
}

Task<Result<core::Verdict>> Critic::judge(llm::AskChain& chain, std::string id, std::string persona,
                                          std::string question, const Answer& answer) const {
  if (answer.refused) co_return core::make_refusal(answer.text);
  if (answer.fault) co_return core::make_failure(*answer.fault);
  judge::Fields fields;
  fields["persona"] = std::move(persona);
  fields["question"] = std::move(question);
  fields["answer"] = answer.text;
  if (kind_ == CriticKind::Single)
    co_return co_await judge_at_once(chain, std::move(id), std::move(fields));
  if (kind_ == CriticKind::Debate)
    co_return co_await debate(chain, std::move(id), std::move(fields));
  co_return co_await close(chain, std::move(id), std::move(fields));
}

Task<Result<core::Verdict>> Critic::judge_at_once(llm::AskChain& chain, std::string id,
                                                  judge::Fields fields) const {
  const judge::Prompt& prompt = words_->single;
  for (auto& [name, value] : fields) value = judge::break_markers(prompt, value);
  core::Request request;
  request.messages.push_back(
      {core::Role::User, prompt.has("criteria")
                             ? judge::render_judge_prompt(words_->direct, prompt, fields,
                                                          judge::ScaleOrder::Ascending)
                             : judge::render_prompt(prompt, fields)});
  request.sampling.temperature = 0;
  request.sampling.max_tokens = max_tokens_;
  request.output = core::OutputSchema{"critique", make_critique_schema(*model_)};
  llm::Draw draw;
  draw.item = std::move(id);
  draw.role = llm::kJudgeRole;
  const Result<core::Reply> reply = co_await llm::ask_structured(
      chain, *model_, std::move(request), std::move(draw), llm::MemberOrder::AsRequired);
  if (!reply && core::is_unfinished(reply.error())) co_return std::unexpected(reply.error());
  co_return read_critique(reply);
}

Task<Result<core::Reply>> Critic::speak(llm::AskChain& chain, std::string id, judge::Fields fields,
                                        const judge::Prompt& prompt) const {
  for (auto& [name, value] : fields) value = judge::break_markers(prompt, value);
  core::Request request;
  request.messages.push_back({core::Role::User, judge::render_prompt(prompt, fields)});
  request.sampling.temperature = 0;
  request.sampling.max_tokens = std::min(max_tokens_, kTurnTokens);
  llm::Draw draw;
  draw.item = std::move(id);
  draw.role = llm::kJudgeRole;
  co_return co_await chain.ask(*model_, std::move(request), std::move(draw));
}

Task<Result<core::Verdict>> Critic::debate(llm::AskChain& chain, std::string id,
                                           judge::Fields fields) const {
  Json said = {{"personalization_critic", Json::array()}, {"helpfulness_critic", Json::array()}};
  std::string debate;
  for (int turn = 0; turn < 2 * kRounds; ++turn) {
    const bool is_first = turn % 2 == 0;
    fields["debate"] = debate.empty() ? "none" : debate;
    const judge::Prompt& prompt = is_first ? words_->personalization : words_->helpfulness;
    const Result<core::Reply> reply = co_await speak(chain, id, fields, prompt);
    if (!reply && core::is_unfinished(reply.error())) co_return std::unexpected(reply.error());
    // A debate in which somebody does not speak is none.
    if (!reply) co_return core::make_failure(reply.error());
    if (core::is_refusal(*reply)) co_return core::make_refusal(reply->text);
    const std::string words = tidy_turn(reply->text);
    debate += fmt::format("{}{} {}", debate.empty() ? "" : "\n\n",
                          is_first ? kPersonalization : kHelpfulness, words);
    said[is_first ? "personalization_critic" : "helpfulness_critic"].push_back(words);
  }
  fields["debate"] = std::move(debate);
  Result<core::Verdict> verdict = co_await close(chain, std::move(id), std::move(fields));
  if (!verdict) co_return verdict;
  said["conclusion"] = verdict->text;
  verdict->text = render_json(said);
  co_return verdict;
}

Task<Result<core::Verdict>> Critic::close(llm::AskChain& chain, std::string id,
                                          judge::Fields fields) const {
  Result<judge::Judgement> judgement = co_await judge_->judge(chain, id, fields);
  if (!judgement) co_return std::unexpected(judgement.error());
  core::Verdict verdict = std::move(judgement->verdict);
  // Where a judge's probabilities are read, the likelier verdict is the one it gave.
  if (core::is_scored(verdict)) verdict.score = verdict.score < 0.5 ? 0 : 1;
  co_return verdict;
}

}  // namespace personascope::eval::persona_bench
