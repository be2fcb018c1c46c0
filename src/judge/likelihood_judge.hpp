// The likelihood judge: computes how likely an answer is under its persona, under no persona and
// under other personas. There is no judge that the answer could influence.
//
// An evaluation creates one judge for all its personas, reads every answer, and sums up:
//
//   ASSIGN_OR_RETURN(auto judge, LikelihoodJudge::create(model, persona_texts));
//   const auto candidates = choose_distractors(persona_texts, {.near = 3, .far = 4, .seed = 0});
//   auto reading = co_await judge.read(chain, id, question, answer, persona, candidates[persona]);
//   ...
//   summarize_readings({.reader = judge.name(), .personas = names, .answers = readings, ...});
//
// The same questions answered without a persona, read in the same way, are the control: give them
// as `control`, under the ids of the answers they belong to.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "base/task.hpp"
#include "judge/identification.hpp"
#include "llm/ask_chain.hpp"

namespace personascope::judge {

// The system texts that answers are read under. They should differ in the persona alone.
struct LikelihoodPrompts {
  std::string persona;       // with {persona} where the persona's text goes
  std::string neutral;       // the same without a persona
  std::string content_free;  // an answer that fits every question, for a control
};

// The program's own, of data/rubrics/prompts/likelihood.yaml.
LikelihoodPrompts make_likelihood_prompts();

// One answer as the judge read it.
struct PersonaReading {
  std::string id;
  std::size_t persona = 0;            // the true one
  std::size_t tokens = 0;             // of the answer
  double neutral = 0;                 // mean log-likelihood a token under no persona, in nats
  std::vector<Candidate> candidates;  // the same under each candidate, the true one first
  double parroted = 0;  // nats a token of the lift that fall on words of the persona's text

  // How much more likely the persona makes the answer than no persona, in nats per token.
  double lift() const { return candidates.front().score - neutral; }
};

// {"id", "persona", "tokens", "lift", "parroted", "neutral", "candidates": [{"persona", "score"}]}
Json to_json(const PersonaReading& reading);

class LikelihoodJudge {
 public:
  // The model outlives the judge. Fails as Unsupported if it cannot read how likely a text is, and
  // as Invalid for prompts without {persona} and for no personas.
  static Result<LikelihoodJudge> create(llm::Model& model, std::vector<std::string> personas,
                                        LikelihoodPrompts prompts = make_likelihood_prompts());

  // One call to the model.
  struct Ask {
    core::Request request;
    llm::Draw draw;
    std::optional<std::size_t> persona;  // nothing: no persona
  };
  // What `read` will ask: under no persona, under the true one, then under the other candidates.
  // They are places in `personas`; the true one may be among them. `id` is for the records only:
  // the reading of an answer is the same in every run.
  std::vector<Ask> list_asks(const std::string& id, const std::string& question,
                             const std::string& answer, std::size_t persona,
                             const std::vector<std::size_t>& candidates) const;

  // Reads one answer. Fails as Invalid for an answer without text and a persona out of range, else
  // as the chain does: with core::is_unfinished the run stops, and all else concerns this answer
  // alone (it is too long for the model, say). The judge and the chain live until the task ends.
  Task<Result<PersonaReading>> read(llm::AskChain& chain, std::string id, std::string question,
                                    std::string answer, std::size_t persona,
                                    std::vector<std::size_t> candidates) const;

  std::string name() const { return llm::render_name(model_->endpoint()); }
  const std::vector<std::string>& personas() const { return personas_; }
  const LikelihoodPrompts& prompts() const { return prompts_; }

 private:
  LikelihoodJudge(llm::Model& model, std::vector<std::string> personas, LikelihoodPrompts prompts)
      : model_(&model), personas_(std::move(personas)), prompts_(std::move(prompts)) {}

  llm::Model* model_;
  std::vector<std::string> personas_;
  LikelihoodPrompts prompts_;
};

}  // namespace personascope::judge
