#include "judge/likelihood_judge.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "files/yaml.hpp"
#include "judge/likelihood.hpp"
#include "stats/sum.hpp"

namespace personascope::embedded {
extern const std::string_view likelihood_yaml;
}

namespace personascope::judge {
namespace {

constexpr std::string_view kPersonaField = "{persona}";

std::vector<double> logprobs_of(const core::Reply& reply) {
  std::vector<double> values;
  for (const core::TokenLogprobs& token : reply.logprobs) values.push_back(token.chosen.logprob);
  return values;
}

}  // namespace

LikelihoodPrompts make_likelihood_prompts() {
  // Part of the program and read by its tests: it cannot be wrong in the field.
  const Json file = files::parse_yaml(embedded::likelihood_yaml, "likelihood.yaml").value();
  return {file.at("persona"), file.at("neutral"), file.at("content_free")};
}

Json to_json(const PersonaReading& reading) {
  Json candidates = Json::array();
  for (const Candidate& candidate : reading.candidates)
    candidates.push_back({{"persona", candidate.persona}, {"score", candidate.score}});
  return {{"id", reading.id},        {"persona", reading.persona}, {"tokens", reading.tokens},
          {"lift", reading.lift()},  {"neutral", reading.neutral}, {"parroted", reading.parroted},
          {"candidates", candidates}};
}

Result<LikelihoodJudge> LikelihoodJudge::create(llm::Model& model,
                                                std::vector<std::string> personas,
                                                LikelihoodPrompts prompts) {
  if (!model.features().likelihood)
    return fail(
        ErrorKind::Unsupported,
        "{} cannot compute the likelihood of a given text, which the likelihood judge needs; use "
        "an embedded model, such as embedded/smollm2-135m, or one that vLLM serves",
        printable(llm::render_name(model.endpoint())));
  if (personas.empty())
    return fail(ErrorKind::Invalid, "there is no persona to read answers under");
  if (prompts.persona.find(kPersonaField) == std::string::npos)
    return fail(ErrorKind::Invalid,
                "the persona's prompt has no {{persona}}, where the persona's text goes");
  return LikelihoodJudge(model, std::move(personas), std::move(prompts));
}

std::vector<LikelihoodJudge::Ask> LikelihoodJudge::list_asks(
    const std::string& id, const std::string& question, const std::string& answer,
    std::size_t persona, const std::vector<std::size_t>& candidates) const {
  std::vector<Ask> asks;
  const auto add = [&](std::optional<std::size_t> under) {
    Ask ask;
    ask.persona = under;
    std::string system =
        under ? replace_all(prompts_.persona, kPersonaField, personas_[*under]) : prompts_.neutral;
    ask.request.messages = {{core::Role::System, std::move(system)}, {core::Role::User, question}};
    ask.request.continuation = answer;
    ask.draw.item = id;
    ask.draw.role = llm::kJudgeRole;
    asks.push_back(std::move(ask));
  };
  add(std::nullopt);
  add(persona);
  for (const std::size_t candidate : candidates)
    if (candidate != persona) add(candidate);
  return asks;
}

Task<Result<PersonaReading>> LikelihoodJudge::read(llm::AskChain& chain, std::string id,
                                                   std::string question, std::string answer,
                                                   std::size_t persona,
                                                   std::vector<std::size_t> candidates) const {
  if (trim(answer).empty()) co_return fail(ErrorKind::Invalid, "the answer has no text to read");
  if (persona >= personas_.size() ||
      std::ranges::any_of(candidates, [&](std::size_t one) { return one >= personas_.size(); }))
    co_return fail(ErrorKind::Invalid, "a candidate is not one of the {} personas",
                   personas_.size());
  PersonaReading reading;
  LiftReading lift;
  for (Ask& ask : list_asks(id, question, answer, persona, candidates)) {
    const Result<core::Reply> reply =
        co_await chain.ask(*model_, std::move(ask.request), std::move(ask.draw));
    if (!reply) co_return std::unexpected(reply.error());
    std::vector<double> values = logprobs_of(*reply);
    if (values.empty() || (ask.persona && values.size() != reading.tokens))
      co_return fail(ErrorKind::Unparsable, "{} read the answer as {} tokens, then as {}",
                     printable(name()), reading.tokens, values.size());
    reading.tokens = values.size();
    const double mean = stats::mean_of(values);
    if (!ask.persona) {
      reading.neutral = mean;
      lift.under_neutral = std::move(values);
      continue;
    }
    reading.candidates.push_back({*ask.persona, mean});
    if (*ask.persona != persona) continue;
    lift.under_persona = std::move(values);
    for (const core::TokenLogprobs& token : reply->logprobs)
      lift.tokens.push_back(token.chosen.token);
  }
  const auto parroted = parroted_lift(lift, personas_[persona]);
  if (!parroted) co_return std::unexpected(parroted.error());
  reading.parroted = *parroted / stats::real(reading.tokens);
  reading.id = std::move(id);
  reading.persona = persona;
  co_return reading;
}

}  // namespace personascope::judge
