#include "app/bench_personas.hpp"

#include "app/data.hpp"
#include "app/models.hpp"
#include "app/paths.hpp"
#include "eval/persona_bench/diversity.hpp"
#include "eval/persona_bench/generator.hpp"
#include "eval/persona_bench/persona_writing.hpp"
#include "eval/persona_bench/planning.hpp"
#include "files/text_file.hpp"

namespace personascope::app {

namespace bench = eval::persona_bench;

namespace {

Result<std::string> find_tables(const Context& context, const PersonasCommand& command) {
  if (command.tables) return make_absolute(*command.tables);
  return find_data(context, "bench");
}

Result<std::string> make_model_name(const Context& context, const std::string& given) {
  ASSIGN_OR_RETURN(const std::string name, choose_model(context, given));
  return bench::name_bench_model(name);
}

Result<bench::WritingPlan> make_writing_plan(const Context& context,
                                             const PersonasCommand& command) {
  if (command.output.value_or("-") == "-")
    return fail(ErrorKind::Invalid,
                "personas that a model writes go into a file: name it with `output`");
  bench::WritingPlan plan;
  ASSIGN_OR_RETURN(plan.folder, find_tables(context, command));
  plan.personas_to = make_absolute(*command.output);
  RETURN_IF_ERROR(files::NewFile::create(plan.personas_to));  // can it be written?
  ASSIGN_OR_RETURN(plan.model, make_model_name(context, command.model));
  ASSIGN_OR_RETURN(plan.judge,
                   make_model_name(context, command.judge.empty() ? command.model : command.judge));
  plan.count = command.count;
  plan.seed = command.seed;
  plan.temperature = command.temperature.value_or(plan.temperature);
  return plan;
}

EvaluationSetup make_writing_setup(const bench::WritingPlan& plan) {
  return {.command = "personas",
          .plan = bench::to_json(plan),
          .addressed = {plan.model},
          .has_judge = true,
          .make = make_with<bench::PersonaWriting>(plan)};
}

EvaluationFlags writing_flags(const PersonasCommand& command) {
  return {.output = std::nullopt, .base_url = command.base_url, .engine = command.engine};
}

}  // namespace

Result<Json> draw_personas(const Context& context, const PersonasCommand& command,
                           const std::function<Result<void>(std::string_view)>& write) {
  ASSIGN_OR_RETURN(const std::string folder, find_tables(context, command));
  ASSIGN_OR_RETURN(const bench::Generator generator, bench::Generator::load(folder));
  const bool to_file = command.output && *command.output != "-";
  std::optional<files::NewFile> file;
  if (to_file) {
    ASSIGN_OR_RETURN(auto created, files::NewFile::create(*command.output));
    file.emplace(std::move(created));
  }
  ASSIGN_OR_RETURN(const auto population,
                   generator.draw(static_cast<std::size_t>(command.count), command.seed));
  for (const bench::Persona& persona : population.personas) {
    const std::string line = bench::render_line(persona);
    if (file)
      RETURN_IF_ERROR(file->write(line));
    else
      RETURN_IF_ERROR(write(line));
  }
  if (file) RETURN_IF_ERROR(file->commit());
  Json report =
      bench::to_json(bench::measure_diversity(population.personas, generator.possible_values()));
  report["seed"] = command.seed;
  report["drawn_anew"] = Json(population.drawn_anew);
  if (to_file) report["output"] = *command.output;
  return report;
}

Result<run::Run> start_writing_personas(Context& context, const PersonasCommand& command,
                                        const Listener& listener) {
  ASSIGN_OR_RETURN(bench::WritingPlan plan, make_writing_plan(context, command));
  ASSIGN_OR_RETURN(const bench::WritingData data, bench::load_writing_data(plan));
  plan.data_sha256 = data.sha256;
  return start_evaluation(context, make_writing_setup(plan), writing_flags(command), listener);
}

Result<std::vector<run::Estimate>> estimate_writing_personas(Context& context,
                                                             const PersonasCommand& command) {
  ASSIGN_OR_RETURN(const bench::WritingPlan plan, make_writing_plan(context, command));
  return estimate_evaluation(context, make_writing_setup(plan), writing_flags(command));
}

Result<EvaluationSetup> load_writing_personas(const Json& stored) {
  ASSIGN_OR_RETURN(const bench::WritingPlan plan, bench::parse_writing_plan(stored));
  return make_writing_setup(plan);
}

}  // namespace personascope::app
