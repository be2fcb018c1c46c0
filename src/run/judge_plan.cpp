#include "base/secret.hpp"
#include "run/file_options.hpp"
#include "run/judging.hpp"

namespace personascope::run {

Json to_json(const JudgePlan& plan) {
  Json value = to_json(plan.input);
  value.update({{"output", plan.output},
                {"rubric", plan.rubric},
                {"rubric_sha256", plan.rubric_sha256},
                {"judges", plan.judges},
                {"verdicts", judge::name_of(plan.options.form)},
                {"both_orders", plan.options.orders == judge::Orders::Both},
                {"repeats", plan.options.repeats},
                {"max_output_tokens", plan.options.max_tokens},
                {"panel", judge::name_of(plan.rule)},
                {"canaries", plan.canaries},
                {"engine", to_json(plan.engine)}});
  if (plan.options.temperature) value["temperature"] = *plan.options.temperature;
  if (plan.escalate) value["escalate"] = *plan.escalate;
  if (plan.cluster) value["cluster"] = *plan.cluster;
  if (plan.base_url) value["base_url"] = without_credentials(*plan.base_url);
  return value;
}

Result<JudgePlan> parse_judge_plan(const Json& value) {
  auto input = find_input_file(value);
  const auto output = find_text(value, "output");
  const auto rubric = find_text(value, "rubric");
  const auto rubric_hash = find_text(value, "rubric_sha256");
  const Json* judges = find_member(value, "judges");
  const auto options = judge_file_options().parse(value);
  bool is_whole = input && input->lines >= 0 && output && rubric && rubric_hash && judges;
  for (const char* member : {"verdicts", "panel", "repeats", "canaries"})
    is_whole = is_whole && find_member(value, member);
  if (!is_whole) return fail(ErrorKind::Invalid, "the stored plan is not a judge's");
  if (!options)
    return fail(ErrorKind::Invalid, "the stored plan is damaged: {}", options.error().message);
  JudgePlan plan;
  plan.input = std::move(*input);
  plan.output = *output;
  plan.rubric = *rubric;
  plan.rubric_sha256 = *rubric_hash;
  plan.judges = options->judges;
  plan.escalate = options->escalate;
  plan.base_url = options->base_url;
  plan.options = options->judging;
  plan.rule = options->rule;
  plan.canaries = options->canaries;
  plan.cluster = options->cluster;
  ASSIGN_OR_RETURN(plan.engine, parse_stored_engine(value));
  return plan;
}

}  // namespace personascope::run
