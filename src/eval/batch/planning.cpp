// From options to a batch.
#include "base/text.hpp"
#include "core/option_table.hpp"
#include "eval/batch/batch.hpp"
#include "eval/long_text.hpp"
#include "files/paths.hpp"
#include "llm/estimate.hpp"
#include "llm/providers/catalog.hpp"

namespace personascope::eval::batch {
namespace {

struct BatchOptions {
  std::string input;
  std::string output{files::kStandardOutput};
  std::string model;
  std::optional<std::string> base_url;
};

const core::OptionTable<BatchOptions>& batch_options() {
  static const core::OptionTable<BatchOptions> table{
      {&BatchOptions::input,
       {.name = "requests",
        .value = "REQUESTS",
        .required = true,
        .positional = true,
        .sentence = "a file of JSON lines, one chat request per line"}},
      {&BatchOptions::model,
       {.name = "model",
        .short_flag = "m",
        .value = "MODEL",
        .otherwise = "embedded/smollm2-135m if no key is set",
        .sentence = "model that answers: provider/model (see `personascope models`)"}},
      {&BatchOptions::base_url,
       {.name = "base_url",
        .value = "URL",
        .sentence = "address of the model, if not its provider's usual one"}},
      {&BatchOptions::output,
       {.name = "output",
        .short_flag = "o",
        .value = "FILE",
        .otherwise = "standard output",
        .sentence = "file for the answers; - is standard output"}}};
  return table;
}

// The file checked, and what its lines tell of the run.
struct CheckedInput {
  InputFile file;
  bool has_judge = false;
  std::vector<std::string> notes;
};

Result<CheckedInput> check_input(const std::string& path) {
  CheckedInput checked;
  LongestRequest longest("request");
  ASSIGN_OR_RETURN(checked.file, check_batch_file(path, [&](const BatchLine& line) {
                     longest.add(line.id, llm::estimate_size(line.request).input_tokens);
                     checked.has_judge = checked.has_judge || line.role == llm::kJudgeRole;
                     return Result<void>{};
                   }));
  checked.notes = longest.describe();
  return checked;
}

PreparedEvaluation prepare_from(const BatchPlan& plan, const CheckedInput& checked) {
  PreparedEvaluation prepared;
  prepared.command = "batch";
  prepared.plan = to_json(plan);
  prepared.addressed = {plan.model};
  prepared.has_judge = checked.has_judge;
  prepared.why_no_judge = R"(a line of a batch is a judge's if it has "role": "judge")";
  prepared.make = make_with<Batch>(BatchSetup{plan, checked.notes});
  return prepared;
}

}  // namespace

Json to_json(const BatchPlan& plan) {
  Json value = to_json(plan.input);
  value["model"] = plan.model;
  return value;
}

Result<BatchPlan> parse_batch_plan(const Json& value) {
  auto input = find_input_file(value);
  auto model = find_text(value, "model");
  if (!input || input->lines < 0 || !model)
    return fail(ErrorKind::Invalid, "the stored plan is not a batch's");
  return BatchPlan{std::move(*input), std::move(*model)};
}

std::vector<core::OptionSpec> list_batch_options(std::string_view) {
  return batch_options().specs();
}

Result<PreparedEvaluation> prepare_batch(const PlanContext& context, std::string_view,
                                         const Json& given) {
  ASSIGN_OR_RETURN(const BatchOptions options, batch_options().parse(given));
  ASSIGN_OR_RETURN(const CheckedInput input, check_input(options.input));
  BatchPlan plan;
  plan.input = input.file;
  plan.input.path = files::make_absolute(options.input);
  RETURN_IF_ERROR(
      files::check_not_same_file(files::make_absolute(options.output), plan.input.path));
  ASSIGN_OR_RETURN(const std::string model, choose_model(context, options.model));
  plan.model = llm::make_absolute_name(model);
  PreparedEvaluation prepared = prepare_from(plan, input);
  prepared.options = {.output = options.output, .base_url = options.base_url};
  return prepared;
}

Result<PreparedEvaluation> load_batch(const Json& stored) {
  ASSIGN_OR_RETURN(const BatchPlan plan, parse_batch_plan(stored));
  ASSIGN_OR_RETURN(const CheckedInput now, check_input(plan.input.path));
  if (now.file.sha256 != plan.input.sha256)
    return fail(ErrorKind::Invalid,
                "{} has changed since the run was started; start a new batch (answers to unchanged "
                "lines are found again)",
                printable(plan.input.path));
  return prepare_from(plan, now);
}

core::Findings describe_batch(const Json&) {
  return {};
}

}  // namespace personascope::eval::batch
