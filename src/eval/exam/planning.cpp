// From options to a run of the exam.
#include <set>

#include "base/text.hpp"
#include "eval/exam/exam.hpp"
#include "judge/options.hpp"
#include "llm/providers/catalog.hpp"

namespace personascope::eval::exam {
namespace {

core::OptionTable<ExamPlan> make_exam_options() {
  core::OptionTable<ExamPlan> table{
      {&ExamPlan::judges,
       {.name = "judges",
        .flag = "judge",
        .short_flag = "j",
        .value = "MODEL",
        .otherwise = "embedded/smollm2-135m if no key is set",
        .sentence = "judge that sits the exam: provider/model; may be repeated"}},
      {&ExamPlan::dimensions,
       {.name = "dimensions",
        .flag = "dimension",
        .value = "NAME",
        .otherwise = "all",
        .sentence = "only items of this dimension, such as gym/persona-consistency; may be "
                    "repeated"}},
      {&ExamPlan::kinds,
       {.name = "kinds",
        .flag = "kind",
        .value = "NAME",
        .otherwise = "all",
        .sentence = "only items of this kind: who-speaks, pairs, ladders or traps; may be "
                    "repeated"}},
      {&ExamPlan::limit,
       {.name = "limit",
        .value = "N",
        .least = 1,
        .otherwise = "all",
        .sentence = "at most N items of each kind, drawn by the seed"}},
      {&ExamPlan::seed,
       {.name = "seed", .value = "N", .least = 0, .sentence = "for the items that are drawn"}},
      {&ExamPlan::alone,
       {.name = "alone",
        .sentence = "only score answers one at a time; do not also ask which of two is better"}}};
  table.include(&ExamPlan::judging, judge::judging_options());
  table.include(&ExamPlan::judging, judge::judge_sampling_options());
  for (const auto& [name, member] :
       {std::pair{"exam_folder", &ExamPlan::exam_folder},
        std::pair{"gym_folder", &ExamPlan::gym_folder},
        std::pair{"bench_folder", &ExamPlan::bench_folder},
        std::pair{"lens_folder", &ExamPlan::lens_folder}, std::pair{"sha256", &ExamPlan::sha256}})
    table.add({member, {.name = name, .stored_only = true}});
  return table;
}

PreparedEvaluation prepare_from(const ExamPlan& plan) {
  PreparedEvaluation prepared;
  prepared.command = "exam";
  prepared.plan = exam_options().to_json(plan);
  prepared.addressed = plan.judges;
  prepared.has_judge = true;
  prepared.make = make_with<Examination>(plan);
  return prepared;
}

Result<void> check_judges(const ExamPlan& plan) {
  std::set<std::string> seen;
  for (const std::string& judge : plan.judges)
    if (!seen.insert(judge).second)
      return fail(ErrorKind::Invalid, "`judges` names {} twice", printable(judge));
  return {};
}

}  // namespace

const core::OptionTable<ExamPlan>& exam_options() {
  static const core::OptionTable<ExamPlan> table = make_exam_options();
  return table;
}

std::vector<core::OptionSpec> list_exam_options(std::string_view) {
  std::vector<core::OptionSpec> specs = exam_options().specs();
  for (core::OptionSpec& spec : run_options().specs()) {
    if (spec.name == "base_url")
      spec.sentence = "address of the judges, if not their provider's usual one";
    specs.push_back(std::move(spec));
  }
  return specs;
}

Result<PreparedEvaluation> prepare_exam(const PlanContext& context, std::string_view,
                                        const Json& given) {
  ASSIGN_OR_RETURN(ExamPlan plan, exam_options().parse(given));
  for (std::string& judge : plan.judges) judge = llm::make_absolute_name(judge);
  if (plan.judges.empty()) {
    ASSIGN_OR_RETURN(std::string judge, choose_model(context, ""));
    plan.judges.push_back(std::move(judge));
  }
  RETURN_IF_ERROR(check_judges(plan));
  ASSIGN_OR_RETURN(plan.exam_folder, find_data(context, "exam"));
  ASSIGN_OR_RETURN(plan.gym_folder, find_data(context, "gym"));
  ASSIGN_OR_RETURN(plan.bench_folder, find_data(context, "bench"));
  ASSIGN_OR_RETURN(plan.lens_folder, find_data(context, "lens"));
  ASSIGN_OR_RETURN(const ExamData data, load_exam_data({.exam = plan.exam_folder,
                                                        .gym = plan.gym_folder,
                                                        .bench = plan.bench_folder,
                                                        .lens = plan.lens_folder}));
  plan.sha256 = data.sha256;
  PreparedEvaluation prepared = prepare_from(plan);
  ASSIGN_OR_RETURN(prepared.options, run_options().parse(given));
  return prepared;
}

Result<PreparedEvaluation> load_exam(const Json& stored) {
  ASSIGN_OR_RETURN(const ExamPlan plan, exam_options().parse(stored));
  RETURN_IF_ERROR(check_judges(plan));
  if (plan.judges.empty() || plan.exam_folder.empty() || plan.sha256.empty())
    return fail(ErrorKind::Invalid, "the stored plan names no judge or no data");
  return prepare_from(plan);
}

}  // namespace personascope::eval::exam
