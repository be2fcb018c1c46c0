#include "eval/personagym/plan.hpp"

namespace personascope::eval::personagym {
namespace {

std::vector<std::string> read_texts(const Json& value, const char* member) {
  std::vector<std::string> texts;
  if (const Json* list = find_member(value, member); list && list->is_array())
    for (const Json& text : *list)
      if (text.is_string()) texts.push_back(text);
  return texts;
}

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

bool read_flag(const Json& value, const char* member) {
  const Json* flag = find_member(value, member);
  return flag && *flag == true;
}

std::uint64_t read_seed(const Json& value) {
  const Json* seed = find_member(value, "seed");
  return seed && seed->is_number_unsigned() ? seed->get<std::uint64_t>() : 0;
}

}  // namespace

std::string_view name_of(Protocol protocol) {
  return protocol == Protocol::Strict ? "strict" : "reference";
}

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
  Json value = {{"evaluation", "gym"},
                {"pack", plan.pack},
                {"own_pack", plan.ours},
                {"pack_sha256", plan.pack_sha256},
                {"inputs_sha256", plan.inputs_sha256},
                {"task_files", plan.task_files},
                {"tasks", plan.tasks},
                {"personas", to_json(plan.personas)},
                {"model", plan.model},
                {"judges", plan.judges},
                {"question_model", plan.question_model},
                {"example_model", plan.example_model},
                {"reader", plan.reader},
                {"distractors", plan.distractors},
                {"protocol", name_of(plan.protocol)},
                {"as_published", plan.as_published},
                {"until", name_of(plan.until)},
                {"ready_made", plan.ready_made == ReadyMade::Use},
                {"questions_per_task", plan.questions_per_task},
                {"epochs", plan.epochs},
                {"seed", plan.seed},
                {"temperature", plan.temperature},
                {"top_p", plan.top_p},
                {"max_output_tokens", plan.max_tokens},
                {"verdicts", judge::name_of(plan.judging.form)},
                {"both_orders", plan.judging.orders == judge::Orders::Both},
                {"judge_repeats", plan.judging.repeats},
                {"judge_max_output_tokens", plan.judging.max_tokens},
                {"panel", judge::name_of(plan.rule)},
                {"canaries", plan.canaries},
                {"readings", plan.readings},
                {"controls", plan.controls},
                {"questions_from", plan.questions_from},
                {"questions_to", plan.questions_to},
                {"responses_from", plan.responses_from},
                {"responses_to", plan.responses_to},
                {"scores_to", plan.scores_to}};
  if (plan.judging.temperature) value["judge_temperature"] = *plan.judging.temperature;
  return value;
}

Result<GymPlan> parse_gym_plan(const Json& value) {
  const auto form = judge::find_reply_form(find_text(value, "verdicts").value_or(""));
  const auto rule = judge::find_panel_rule(find_text(value, "panel").value_or(""));
  const auto protocol = find_text(value, "protocol");
  const auto until = find_text(value, "until");
  if (find_text(value, "evaluation") != "gym" || !form || !rule || !protocol || !until)
    return fail(ErrorKind::Invalid, "the stored plan is not one of the gym");
  const auto text = [&](const char* member) { return find_text(value, member).value_or(""); };
  GymPlan plan;
  plan.pack = text("pack");
  plan.ours = text("own_pack");
  plan.pack_sha256 = text("pack_sha256");
  plan.inputs_sha256 = text("inputs_sha256");
  plan.task_files = read_texts(value, "task_files");
  plan.tasks = read_texts(value, "tasks");
  plan.personas = read_personas(value);
  plan.model = text("model");
  plan.judges = read_texts(value, "judges");
  plan.question_model = text("question_model");
  plan.example_model = text("example_model");
  plan.reader = text("reader");
  plan.distractors = read_texts(value, "distractors");
  plan.protocol = *protocol == "reference" ? Protocol::Reference : Protocol::Strict;
  plan.as_published = read_flag(value, "as_published");
  plan.until = *until == "questions" ? Stage::Questions
               : *until == "answers" ? Stage::Answers
                                     : Stage::Grades;
  plan.ready_made = read_flag(value, "ready_made") ? ReadyMade::Use : ReadyMade::Ignore;
  plan.questions_per_task = find_integer(value, "questions_per_task").value_or(10);
  plan.epochs = find_integer(value, "epochs").value_or(1);
  plan.seed = read_seed(value);
  plan.temperature = find_number(value, "temperature").value_or(0.9);
  plan.top_p = find_number(value, "top_p").value_or(0.9);
  plan.max_tokens = find_integer(value, "max_output_tokens").value_or(3000);
  plan.judging.form = *form;
  plan.judging.orders =
      read_flag(value, "both_orders") ? judge::Orders::Both : judge::Orders::Ascending;
  plan.judging.repeats = static_cast<int>(find_integer(value, "judge_repeats").value_or(1));
  plan.judging.temperature = find_number(value, "judge_temperature");
  plan.judging.max_tokens = find_integer(value, "judge_max_output_tokens").value_or(1024);
  plan.rule = *rule;
  plan.canaries = find_integer(value, "canaries").value_or(0);
  plan.readings = find_integer(value, "readings").value_or(0);
  plan.controls = find_integer(value, "controls").value_or(0);
  plan.questions_from = text("questions_from");
  plan.questions_to = text("questions_to");
  plan.responses_from = text("responses_from");
  plan.responses_to = text("responses_to");
  plan.scores_to = text("scores_to");
  return plan;
}

}  // namespace personascope::eval::personagym
