#include "eval/personagym/asking.hpp"

namespace personascope::eval::personagym {

core::Sampling make_sampling(const GymPlan& plan) {
  core::Sampling sampling;
  sampling.temperature = plan.temperature;
  sampling.top_p = plan.top_p;
  sampling.max_tokens = plan.max_tokens;
  return sampling;
}

core::Request make_question(std::string system, const std::string& question,
                            const core::Sampling& sampling) {
  core::Request request;
  if (!system.empty()) request.messages.push_back({core::Role::System, std::move(system)});
  request.messages.push_back({core::Role::User, question});
  request.sampling = sampling;
  return request;
}

llm::Draw make_draw(std::string item, int epoch) {
  return {
      .item = std::move(item), .role = std::string(llm::kModelRole), .epoch = epoch, .trial = 0};
}

}  // namespace personascope::eval::personagym
