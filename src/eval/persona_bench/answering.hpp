// One structured answer of the model under test.
#pragma once

#include <optional>
#include <string>

#include "base/json.hpp"
#include "base/result.hpp"
#include "base/task.hpp"
#include "eval/persona_bench/plan.hpp"
#include "llm/ask_chain.hpp"

namespace personascope::eval::persona_bench {

struct Answer {
  std::string text;
  std::string thoughts;        // or summary, where the mode asks for one
  bool refused = false;        // the model or its provider declined
  std::optional<Error> fault;  // why there is no answer
};

// What became of an answer that did not come.
Answer make_unanswered(const Error& error);

// The answer's member in the model's JSON, and what the mode has beside it; empty: nothing.
inline constexpr const char* kAnswerMember = "answer_to_question";
std::string thoughts_member(Mode mode);

// No critic is shown more; a longer answer has failed as TooLarge.
inline constexpr std::size_t kLongestAnswerBytes = 64u << 10;
Error too_long(std::size_t bytes);

// A schema of texts, which the answer gives in this order. A local model may not find the end of a
// text, so there each has at most `longest` characters.
Json make_text_schema(const std::vector<std::string>& members, const llm::Model& model,
                      int longest);

// Asks with the prompt, and reads the answer. Fails only if the run stops (core::is_unfinished).
Task<Result<Answer>> ask_for_answer(llm::AskChain& chain, llm::Model& model, std::string prompt,
                                    Mode mode, core::Sampling sampling, llm::Draw draw);

}  // namespace personascope::eval::persona_bench
