#include "eval/personagym/plan.hpp"

#include <array>
#include <optional>
#include <utility>

namespace personascope::eval::personagym {
namespace {

// The texts that were derived from the options, by their names in a stored plan.
constexpr std::array<std::pair<const char*, std::string GymPlan::*>, 9> kDerivedTexts{
    {{"pack", &GymPlan::pack},
     {"own_pack", &GymPlan::ours},
     {"pack_sha256", &GymPlan::pack_sha256},
     {"inputs_sha256", &GymPlan::inputs_sha256},
     {"questions_from", &GymPlan::questions_from},
     {"questions_to", &GymPlan::questions_to},
     {"responses_from", &GymPlan::responses_from},
     {"responses_to", &GymPlan::responses_to},
     {"scores_to", &GymPlan::scores_to}}};

Json to_json(const std::vector<Persona>& personas) {
  Json list = Json::array();
  for (const Persona& persona : personas)
    list.push_back({{"id", persona.id}, {"persona", persona.text}});
  return list;
}

std::vector<Persona> read_personas(const Json& value) {
  std::vector<Persona> personas;
  if (const Json* list = find_member(value, "personas"); list && list->is_array())
    for (const Json& persona : *list)
      personas.push_back(
          {find_text(persona, "id").value_or(""), find_text(persona, "persona").value_or("")});
  return personas;
}

std::optional<Stage> find_stage(const std::string& name) {
  for (const Stage stage : {Stage::Questions, Stage::Answers, Stage::Grades})
    if (name == name_of(stage)) return stage;
  return std::nullopt;
}

}  // namespace

std::string_view name_of(Stage stage) {
  switch (stage) {
    case Stage::Questions:
      return "questions";
    case Stage::Answers:
      return "answers";
    case Stage::Grades:
      break;
  }
  return "grades";
}

Json to_json(const GymPlan& plan) {
  Json value = gym_options().to_json(plan);
  value.update({{"evaluation", "gym"},
                {"until", name_of(plan.until)},
                {"ready_made", plan.ready_made == ReadyMade::Use},
                {"judges_beside", plan.judges_beside},
                {"personas", to_json(plan.personas)},
                {"distractors", plan.distractors}});
  for (const auto& [name, member] : kDerivedTexts) value[name] = plan.*member;
  return value;
}

Result<GymPlan> parse_gym_plan(const Json& value) {
  const auto until = find_stage(find_text(value, "until").value_or(""));
  if (find_text(value, "evaluation") != "gym" || !until)
    return fail(ErrorKind::Invalid, "the stored plan is not one of the gym");
  GymPlan plan;
  auto options = gym_options().parse(value);
  if (!options)
    return fail(ErrorKind::Invalid, "the stored plan is damaged: {}", options.error().message);
  static_cast<GymOptions&>(plan) = std::move(*options);
  plan.until = *until;
  if (const Json* ready_made = find_member(value, "ready_made"); !ready_made || *ready_made != true)
    plan.ready_made = ReadyMade::Ignore;
  // Plans from before there were probes have neither.
  if (plan.probes == Probes::Auto) plan.probes = Probes::None;
  if (const Json* beside = find_member(value, "judges_beside"); beside)
    plan.judges_beside = *beside == true;
  for (const auto& [name, member] : kDerivedTexts)
    plan.*member = find_text(value, name).value_or("");
  plan.personas = read_personas(value);
  if (const Json* list = find_member(value, "distractors"); list && list->is_array())
    for (const Json& text : *list)
      if (text.is_string()) plan.distractors.push_back(text);
  if (plan.until == Stage::Grades && plan.judges.empty())
    return fail(ErrorKind::Invalid, "the stored plan is damaged: it has no judge");
  return plan;
}

}  // namespace personascope::eval::personagym
