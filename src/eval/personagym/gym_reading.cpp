// What the gym reads from likelihoods: how well the answers tell their persona.
#include <algorithm>

#include "base/all.hpp"
#include "base/text.hpp"
#include "eval/personagym/asking.hpp"
#include "eval/personagym/gym.hpp"
#include "eval/personagym/line_up.hpp"

namespace personascope::eval::personagym {
namespace {

std::vector<std::string> texts_of(const GymPlan& plan) {
  std::vector<std::string> texts;
  for (const Persona& persona : plan.personas) texts.push_back(persona.text);
  texts.insert(texts.end(), plan.distractors.begin(), plan.distractors.end());
  return texts;
}

}  // namespace

Result<void> Gym::make_reader(const FindModel& find_model) {
  if (plan_.reader.empty()) return {};
  ASSIGN_OR_RETURN(llm::Model * model, find_model(plan_.reader));
  std::vector<std::string> texts = texts_of(plan_);
  candidates_ = make_line_ups(texts, plan_.personas.size(), plan_.seed);
  judge::LikelihoodPrompts prompts = judge::make_likelihood_prompts();
  prompts.persona = pack_.prompts.persona_system;
  prompts.neutral = pack_.prompts.neutral_system;
  ASSIGN_OR_RETURN(reader_, judge::LikelihoodJudge::create(*model, std::move(texts), prompts));
  return {};
}

Task<Result<void>> Gym::read_likelihoods(ItemContext& context, const Sheet& sheet) {
  std::vector<Task<Result<void>>> tasks;
  for (std::size_t i = 0; i < sheet.items.size(); ++i) {
    const Item& item = sheet.items[i];
    if (item.fault || item.refused || trim(item.answer).empty()) continue;
    const auto index = static_cast<std::size_t>(index_of(sheet, i));
    if (!std::ranges::binary_search(read_items_, index)) continue;
    tasks.push_back(read_one(context, sheet, i, std::ranges::binary_search(control_items_, index)));
  }
  co_return first_failure(co_await all(std::move(tasks)));
}

Task<Result<void>> Gym::read_one(ItemContext& context, const Sheet& sheet, std::size_t place,
                                 bool with_control) {
  const Item& item = sheet.items[place];
  const std::vector<std::size_t>& candidates = candidates_[sheet.persona];
  Result<judge::PersonaReading> reading = co_await reader_->read(
      context.chain, item.id, item.question, item.answer, sheet.persona, candidates);
  if (!reading && core::is_unfinished(reading.error())) co_return std::unexpected(reading.error());
  if (!reading) {
    ++unread_;
    co_return Result<void>{};
  }
  readings_.push_back(std::move(*reading));
  if (!with_control) co_return Result<void>{};
  Result<judge::PersonaReading> nothing =
      co_await reader_->read(context.chain, item.id, item.question, reader_->prompts().content_free,
                             sheet.persona, candidates);
  if (!nothing && core::is_unfinished(nothing.error())) co_return std::unexpected(nothing.error());
  if (nothing) content_free_.push_back(std::move(*nothing));
  if (!model_) co_return Result<void>{};  // the answers are from files: nobody to ask
  core::Request request =
      make_question(pack_.prompts.neutral_system, item.question, make_sampling(plan_));
  llm::Draw draw = make_draw(item.id + "/control", sheet.epoch);
  const Result<core::Reply> reply =
      co_await context.chain.ask(*model_, std::move(request), std::move(draw));
  if (!reply && core::is_unfinished(reply.error())) co_return std::unexpected(reply.error());
  if (!reply || trim(reply->text).empty()) co_return Result<void>{};
  Result<judge::PersonaReading> control = co_await reader_->read(
      context.chain, item.id, item.question, reply->text, sheet.persona, candidates);
  if (!control && core::is_unfinished(control.error())) co_return std::unexpected(control.error());
  if (control) control_.push_back(std::move(*control));
  co_return Result<void>{};
}

}  // namespace personascope::eval::personagym
