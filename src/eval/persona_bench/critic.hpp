// The critics: each says whether an answer fits a user. 1: it needs no revision; else 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "base/task.hpp"
#include "core/verdict.hpp"
#include "eval/persona_bench/answering.hpp"
#include "eval/persona_bench/plan.hpp"
#include "judge/judge.hpp"
#include "judge/prompt.hpp"
#include "llm/ask_chain.hpp"

namespace personascope::eval::persona_bench {

// The words of the critics; those that a run has no use for are empty.
struct CriticWords {
  judge::Prompt single;           // {persona} {question} {answer}, and the rules of `direct`
  judge::Prompt personalization;  // a turn in a debate: {debate} too
  judge::Prompt helpfulness;      // a turn of the other critic
  judge::Rubric closing;          // the verdict after a debate
  judge::Rubric direct;           // the verdict without a debate, and the single critic's criteria
};

// Reads what these critics need from the folders prompts/ and rubrics/ below `folder`. Fails as
// NotFound or Invalid, with file, line and remedy.
Result<CriticWords> load_critic_words(const std::string& folder,
                                      const std::vector<CriticKind>& critics);

class Critic {
 public:
  // Model and words outlive the critic. Fails as judge::Judge::create does.
  static Result<Critic> create(CriticKind kind, llm::Model& model, const CriticWords& words,
                               std::int64_t max_tokens);

  // The verdict on the answer for this user; one that was refused or failed is not asked about, and
  // ends alike. The verdict's text is what the critic said, of single and debate as JSON. Fails
  // only if the run stops.
  Task<Result<core::Verdict>> judge(llm::AskChain& chain, std::string id, std::string persona,
                                    std::string question, const Answer& answer) const;

  CriticKind kind() const { return kind_; }
  // Calls that one answer takes, and the bytes that they send besides persona, question and answer.
  std::int64_t calls() const;
  std::size_t bytes() const;

 private:
  Critic(CriticKind kind, llm::Model& model, const CriticWords& words, std::int64_t max_tokens)
      : kind_(kind), model_(&model), words_(&words), max_tokens_(max_tokens) {}

  Task<Result<core::Verdict>> judge_at_once(llm::AskChain& chain, std::string id,
                                            judge::Fields fields) const;
  Task<Result<core::Verdict>> debate(llm::AskChain& chain, std::string id,
                                     judge::Fields fields) const;
  Task<Result<core::Reply>> speak(llm::AskChain& chain, std::string id, judge::Fields fields,
                                  const judge::Prompt& prompt) const;
  Task<Result<core::Verdict>> close(llm::AskChain& chain, std::string id,
                                    judge::Fields fields) const;

  CriticKind kind_;
  llm::Model* model_;
  const CriticWords* words_;
  std::int64_t max_tokens_;
  std::optional<judge::Judge> judge_;  // of debate and direct
};

// The form of the single critic's reply.
Json make_critique_schema(const llm::Model& model);
// What the reply says.
core::Verdict read_critique(const Result<core::Reply>& reply);

}  // namespace personascope::eval::persona_bench
