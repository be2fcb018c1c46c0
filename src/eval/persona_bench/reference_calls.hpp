// The calls of the published package: an answer in free text, and after every answer and every
// critique a call that puts the text into its form.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/task.hpp"
#include "core/verdict.hpp"
#include "eval/persona_bench/answering.hpp"
#include "eval/persona_bench/persona.hpp"
#include "eval/persona_bench/reference_prompts.hpp"
#include "llm/ask_chain.hpp"

namespace personascope::eval::persona_bench {

// A persona as Python prints the dict that the package puts into its prompts.
std::string render_python_dict(const Persona& persona, const std::vector<std::string>& without);

struct ReferenceCalls {
  llm::Model& model;
  llm::Model& critic;
  llm::Model& parser;
  const ReferencePrompts& prompts;
  core::Sampling sampling;         // of the answers; the package sets nothing
  std::int64_t max_tokens = 1500;  // sent to models inside the program alone, which need an end

  // System prompt and question: what the conversation begins with.
  std::vector<core::Message> begin(Mode mode, const std::string& persona,
                                   const std::string& question) const;

  // The next answer in the conversation, to which it is added. Fails only if the run stops.
  Task<Result<Answer>> answer(llm::AskChain& chain, std::vector<core::Message>& messages, Mode mode,
                              std::string id, int draft) const;

  // The critic's verdict, asked for again if it cannot be read: three times, where the package
  // tries a hundred. Fails only if the run stops.
  Task<Result<core::Verdict>> judge(llm::AskChain& chain, std::string question, std::string answer,
                                    std::string persona, std::string id, int draft) const;

 private:
  core::Request make_request(const llm::Model& asked, std::vector<core::Message> messages) const;
  Task<Result<core::Verdict>> rewrite(llm::AskChain& chain, std::string text, llm::Draw draw) const;
};

}  // namespace personascope::eval::persona_bench
