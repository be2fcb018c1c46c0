// The debate critic: one call stages a debate between a personalization and a helpfulness critic,
// and ends with whether the answer needs a revision. None needed scores 1, else 0.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "base/task.hpp"
#include "core/verdict.hpp"
#include "eval/persona_bench/answering.hpp"
#include "judge/prompt.hpp"
#include "llm/ask_chain.hpp"

namespace personascope::eval::persona_bench {

class Critic {
 public:
  // Both outlive the critic.
  Critic(llm::Model& model, const judge::Prompt& prompt, std::int64_t max_tokens)
      : model_(model), prompt_(prompt), max_tokens_(max_tokens) {}

  // The verdict on the answer for this user; one that was refused or failed is not asked about, and
  // ends alike. The verdict's text is the critic's JSON. Fails only if the run stops.
  Task<Result<core::Verdict>> judge(llm::AskChain& chain, std::string id, std::string persona,
                                    std::string question, const Answer& answer) const;

 private:
  llm::Model& model_;
  const judge::Prompt& prompt_;
  std::int64_t max_tokens_;
};

// What the critic's reply says. Exposed for tests.
core::Verdict read_critique(const Result<core::Reply>& reply);

}  // namespace personascope::eval::persona_bench
