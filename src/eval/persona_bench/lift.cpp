#include "eval/persona_bench/lift.hpp"

#include <numeric>

namespace personascope::eval::persona_bench {

Result<AnswerReader> AnswerReader::create(llm::Model& model) {
  AnswerReader reader(model);
  ASSIGN_OR_RETURN(const auto judge,
                   judge::LikelihoodJudge::create(model, {"anybody"}, reader.prompts_));
  return reader;
}

Task<Result<Lift>> AnswerReader::read(llm::AskChain& chain, std::string id, const Persona& persona,
                                      std::vector<std::string> attributes, std::string question,
                                      std::string answer) const {
  std::vector<std::string> texts{render_persona(persona)};
  std::erase_if(attributes, [&](const std::string& name) { return !persona.find(name); });
  for (const std::string& attribute : attributes) {
    const std::vector<std::string> without{attribute};
    texts.push_back(render_persona(persona, without));
  }
  std::vector<std::size_t> places(texts.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  const auto judge = judge::LikelihoodJudge::create(*model_, std::move(texts), prompts_);
  if (!judge) co_return std::unexpected(judge.error());
  const Result<judge::PersonaReading> reading = co_await judge->read(
      chain, std::move(id), std::move(question), std::move(answer), 0, std::move(places));
  if (!reading) co_return std::unexpected(reading.error());
  Lift lift;
  lift.over_nobody = reading->lift();
  const double whole = reading->candidates.front().score;
  for (std::size_t i = 0; i < attributes.size(); ++i)
    lift.by_attribute[attributes[i]] = whole - reading->candidates[i + 1].score;
  co_return lift;
}

}  // namespace personascope::eval::persona_bench
