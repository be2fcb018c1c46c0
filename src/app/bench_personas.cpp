#include "app/bench_personas.hpp"

#include "app/data.hpp"
#include "eval/persona_bench/diversity.hpp"
#include "eval/persona_bench/generator.hpp"
#include "files/text_file.hpp"

namespace personascope::app {

namespace bench = eval::persona_bench;

Result<Json> draw_personas(const Context& context, const PersonasCommand& command,
                           const std::function<Result<void>(std::string_view)>& write) {
  std::string folder;
  if (command.tables) {
    folder = *command.tables;
  } else {
    ASSIGN_OR_RETURN(folder, find_data(context, "bench"));
  }
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

}  // namespace personascope::app
