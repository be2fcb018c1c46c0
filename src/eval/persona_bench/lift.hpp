// Persona lift of an answer: how much more likely it is for this user than without a user, and what
// each attribute adds to that.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/task.hpp"
#include "eval/persona_bench/persona.hpp"
#include "judge/likelihood_judge.hpp"
#include "llm/ask_chain.hpp"

namespace personascope::eval::persona_bench {

// In nats a token of the answer.
struct Lift {
  double over_nobody = 0;  // under the whole persona minus under none
  // Under the whole persona minus under the persona without the attribute.
  std::map<std::string, double> by_attribute;
};

class AnswerReader {
 public:
  // The model outlives the reader. Fails as Unsupported if it cannot read how likely a text is.
  static Result<AnswerReader> create(llm::Model& model);

  // One call for nobody, one for the persona, and one for each of the attributes that it has. Fails
  // as judge::LikelihoodJudge::read does. Everything outlives the task.
  Task<Result<Lift>> read(llm::AskChain& chain, std::string id, const Persona& persona,
                          std::vector<std::string> attributes, std::string question,
                          std::string answer) const;

  std::string name() const { return llm::render_name(model_->endpoint()); }

 private:
  explicit AnswerReader(llm::Model& model)
      : model_(&model), prompts_(judge::make_likelihood_prompts()) {}

  llm::Model* model_;
  judge::LikelihoodPrompts prompts_;
};

}  // namespace personascope::eval::persona_bench
