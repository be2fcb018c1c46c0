// From options to a run of `lift`.
#include "base/text.hpp"
#include "core/option_table.hpp"
#include "eval/lift/lift.hpp"
#include "files/paths.hpp"
#include "llm/embedded/weights.hpp"
#include "llm/providers/catalog.hpp"

namespace personascope::eval::lift {
namespace {

struct LiftOptions {
  std::string input;
  std::optional<std::string> control;
  std::optional<std::string> personas;
  std::optional<std::string> output;  // nothing: only the summary
  std::string model;
  std::optional<std::string> base_url;
  std::size_t distractors = 7;  // half of them near, half far
  std::uint64_t seed = 0;
  bool content_free = false;
};

const core::OptionTable<LiftOptions>& lift_options() {
  static const core::OptionTable<LiftOptions> table{
      {&LiftOptions::input,
       {.name = "answers",
        .value = "ANSWERS",
        .required = true,
        .positional = true,
        .sentence = "a file of JSON lines, one answer per line"}},
      {&LiftOptions::personas,
       {.name = "personas",
        .value = "FILE",
        .sentence = "file with all personas by id; answers are compared with more of them"}},
      {&LiftOptions::control,
       {.name = "control",
        .value = "FILE",
        .sentence = "the same questions answered without a persona"}},
      {&LiftOptions::content_free,
       {.name = "content_free",
        .sentence = "as a further control, read the same content-free phrase as every answer"}},
      {&LiftOptions::model,
       {.name = "model",
        .short_flag = "m",
        .value = "MODEL",
        .otherwise = "embedded/smollm2-135m",
        .sentence = "model that reads the likelihoods: embedded/… or vllm/…"}},
      {&LiftOptions::base_url,
       {.name = "base_url",
        .value = "URL",
        .sentence = "address of the model, if not its provider's usual one"}},
      {&LiftOptions::output,
       {.name = "output",
        .short_flag = "o",
        .value = "FILE",
        .otherwise = "only the summary",
        .sentence = "file for the readings; - is standard output"}},
      {&LiftOptions::distractors,
       {.name = "distractors",
        .value = "N",
        .least = 0,
        .most = 1000,
        .sentence = "other personas under which an answer is read, half of them similar"}},
      {&LiftOptions::seed,
       {.name = "seed",
        .value = "N",
        .most = 4611686018427387903.0,
        .sentence = "seed of the choice of distractors"}}};
  return table;
}

std::optional<InputFile> name_file(const std::optional<std::string>& path) {
  if (!path) return std::nullopt;
  return InputFile{.path = *path, .sha256 = {}, .lines = 0};
}

// Makes the files' paths absolute.
Result<void> place_files(LiftFiles& files, const std::string& output) {
  const auto place = [&](InputFile& file) {
    file.path = files::make_absolute(file.path);
    return files::check_not_same_file(output, file.path);
  };
  RETURN_IF_ERROR(place(files.answers));
  for (auto* file : {&files.control, &files.personas})
    if (*file) RETURN_IF_ERROR(place(**file));
  return {};
}

// The file that is not what it was when the plan was made; null if all are.
const InputFile* find_changed(const LiftFiles& stored, const LiftFiles& now) {
  if (stored.answers.sha256 != now.answers.sha256) return &now.answers;
  if (stored.control && stored.control->sha256 != now.control->sha256) return &*now.control;
  if (stored.personas && stored.personas->sha256 != now.personas->sha256) return &*now.personas;
  return nullptr;
}

PreparedEvaluation prepare_from(const LiftSetup& setup) {
  PreparedEvaluation prepared;
  prepared.command = "lift";
  prepared.plan = to_json(setup.plan);
  prepared.addressed = {setup.plan.model};
  prepared.why_no_judge = "it only read likelihoods, which do not change";
  prepared.make = make_with<Lifting>(setup);
  return prepared;
}

}  // namespace

std::vector<core::OptionSpec> list_lift_options(std::string_view) {
  return lift_options().specs();
}

Result<PreparedEvaluation> prepare_lift(const PlanContext&, std::string_view, const Json& given) {
  ASSIGN_OR_RETURN(const LiftOptions options, lift_options().parse(given));
  LiftSetup setup;
  LiftPlan& plan = setup.plan;
  plan.files = {*name_file(options.input), name_file(options.control), name_file(options.personas)};
  // No provider that needs a key reads likelihoods, so a key in the environment changes nothing.
  plan.model = options.model.empty() ? fmt::format("embedded/{}", llm::embedded::kDefaultModel)
                                     : llm::make_absolute_name(options.model);
  const std::size_t near = options.distractors / 2;
  plan.distractors = {.near = near, .far = options.distractors - near, .seed = options.seed};
  plan.content_free = options.content_free;
  ASSIGN_OR_RETURN(setup.input, load_lift_input(plan.files));
  RETURN_IF_ERROR(place_files(plan.files, files::make_absolute(options.output.value_or("-"))));
  PreparedEvaluation prepared = prepare_from(setup);
  prepared.options = {.output = options.output, .base_url = options.base_url};
  return prepared;
}

Result<PreparedEvaluation> load_lift(const Json& stored) {
  LiftSetup setup;
  ASSIGN_OR_RETURN(setup.plan, parse_lift_plan(stored));
  LiftFiles now = setup.plan.files;
  ASSIGN_OR_RETURN(setup.input, load_lift_input(now));
  if (const InputFile* changed = find_changed(setup.plan.files, now))
    return fail(ErrorKind::Invalid,
                "{} has changed since the run was started; start a new run (readings of unchanged "
                "answers are found again)",
                printable(changed->path));
  return prepare_from(setup);
}

}  // namespace personascope::eval::lift
