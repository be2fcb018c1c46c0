#include "eval/lift/lift.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "eval/long_text.hpp"

namespace personascope::eval::lift {
namespace {

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::Answer:
      return "answer";
    case Kind::Control:
      return "control";
    case Kind::ContentFree:
      break;
  }
  return "content_free";
}

// Of the item, where one id has several.
std::string render_item_id(Kind kind, const std::string& id) {
  return kind == Kind::Answer ? id : fmt::format("{}/{}", name_of(kind), id);
}

}  // namespace

Result<std::unique_ptr<Lifting>> Lifting::create(LiftSetup setup, const FindModel& find_model) {
  // Lifting's constructor is private, so make_unique cannot reach it.
  std::unique_ptr<Lifting> lifting(new Lifting(std::move(setup)));
  const LiftSetup& own = lifting->setup_;
  ASSIGN_OR_RETURN(lifting->model_, find_model(own.plan.model));
  ASSIGN_OR_RETURN(lifting->judge_,
                   judge::LikelihoodJudge::create(*lifting->model_, own.input.personas));
  lifting->candidates_ = judge::choose_distractors(own.input.personas, own.plan.distractors);
  lifting->list_texts();
  return lifting;
}

void Lifting::list_texts() {
  const std::vector<LiftItem>& items = setup_.input.items;
  for (const LiftItem& item : items) texts_.push_back({Kind::Answer, &item, item.answer});
  for (const LiftItem& item : items)
    if (item.control) texts_.push_back({Kind::Control, &item, *item.control});
  if (setup_.plan.content_free)
    for (const LiftItem& item : items)
      texts_.push_back({Kind::ContentFree, &item, judge_->prompts().content_free});
}

std::vector<std::string> Lifting::notes() const {
  LongestRequest longest("answer");
  const LiftInput& input = setup_.input;
  for (const LiftItem& item : input.items)
    longest.add(item.id.text, tokens_of(input.personas[item.persona].size() + item.question.size() +
                                        item.answer.size()));
  return longest.describe();
}

Result<bool> Lifting::visit_calls(const VisitCall& visit) const {
  for (const Text& text : texts_)
    for (const auto& ask :
         judge_->list_asks(render_item_id(text.kind, text.item->id.text), text.item->question,
                           text.answer, text.item->persona, candidates_[text.item->persona]))
      RETURN_IF_ERROR(visit(*model_, ask.request, ask.draw));
  return true;
}

Json Lifting::describe(const Result<judge::PersonaReading>& reading) const {
  if (!reading) return nullptr;
  Json value = {{"lift", reading->lift()},
                {"parroted", reading->parroted},
                {"tokens", reading->tokens},
                {"neutral", reading->neutral},
                {"candidates", Json::array()}};
  for (const judge::Candidate& candidate : reading->candidates)
    value["candidates"].push_back(
        {{"persona", setup_.input.names[candidate.persona]}, {"score", candidate.score}});
  return value;
}

std::string Lifting::render_line(const Text& text,
                                 const Result<judge::PersonaReading>& reading) const {
  Json rest = {{"persona", setup_.input.names[text.item->persona]}, {"error", nullptr}};
  if (reading) {
    rest.update(describe(reading));
  } else {
    rest["error"] = {{"kind", personascope::name_of(reading.error().kind)},
                     {"message", reading.error().message}};
  }
  // The id as the line had it, which a JSON value would write anew.
  return fmt::format(R"({{"id":{},"kind":"{}",{})", text.item->id.json, name_of(text.kind),
                     render_json(rest).substr(1));
}

Task<void> Lifting::work(ItemContext& context, std::int64_t piece) {
  const Text& text = texts_[static_cast<std::size_t>(piece)];
  const std::size_t persona = text.item->persona;
  const std::string id = render_item_id(text.kind, text.item->id.text);
  Result<judge::PersonaReading> reading = co_await judge_->read(
      context.chain, id, text.item->question, text.answer, persona, candidates_[persona]);
  if (!reading && core::is_unfinished(reading.error())) co_return;
  context.write_line(piece, render_line(text, reading));
  ItemRecord item;
  item.position = piece;
  item.id = id;
  item.cluster = setup_.input.names[persona];
  item.label = name_of(text.kind);
  if (!reading) {
    item.outcome = core::Outcome::Failed;
    item.error = reading.error();
  }
  item.document = {
      {"question", text.item->question}, {"answer", text.answer}, {"reading", describe(reading)}};
  if (reading) {
    reading->id = text.item->id.text;  // by which an answer and its controls are compared
    readings_of(text.kind).push_back(std::move(*reading));
  }
  context.record(std::move(item));
}

std::vector<judge::PersonaReading>& Lifting::readings_of(Kind kind) {
  if (kind == Kind::Answer) return readings_.answers;
  return kind == Kind::Control ? readings_.control : readings_.content_free;
}

Result<Json> Lifting::finish() {
  readings_.reader = judge_->name();
  readings_.personas = setup_.input.names;
  auto summary = judge::summarize_readings(std::move(readings_));
  if (!summary)
    return Json{{"reader", judge_->name()}, {"why_no_summary", summary.error().message}};
  Json results = judge::to_json(*summary);
  add_word_note(results);
  return results;
}

// A persona of one word may be an id whose text nobody gave.
void Lifting::add_word_note(Json& results) const {
  const std::vector<std::string>& personas = setup_.input.personas;
  const auto word = std::ranges::find_if(personas, [](const std::string& persona) {
    return persona.find_first_of(" \t\n") == std::string::npos;
  });
  if (word != personas.end())
    results["notes"].push_back(
        fmt::format("The persona \"{}\" was read as a text of one word: if it is an id, give the "
                    "file of personas (`personas`).",
                    shorten(*word, 60)));
}

}  // namespace personascope::eval::lift
