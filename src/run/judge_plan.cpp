#include "base/secret.hpp"
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
  const auto form = judge::find_reply_form(find_text(value, "verdicts").value_or(""));
  const auto rule = judge::find_panel_rule(find_text(value, "panel").value_or(""));
  const auto repeats = find_integer(value, "repeats");
  const auto canaries = find_integer(value, "canaries");
  if (!input || input->lines < 0 || !output || !rubric || !rubric_hash || !judges ||
      !judges->is_array() || !form || !rule || !repeats || *repeats < 1 || *repeats > 1000 ||
      !canaries || *canaries < 0)
    return fail(ErrorKind::Invalid, "the stored plan is not a judge's");
  JudgePlan plan;
  plan.input = std::move(*input);
  plan.output = *output;
  plan.rubric = *rubric;
  plan.rubric_sha256 = *rubric_hash;
  for (const Json& name : *judges)
    if (name.is_string()) plan.judges.push_back(name);
  plan.escalate = find_text(value, "escalate");
  plan.base_url = find_text(value, "base_url");
  plan.options.form = *form;
  plan.options.repeats = static_cast<int>(*repeats);
  plan.options.temperature = find_number(value, "temperature");
  plan.options.max_tokens = find_integer(value, "max_output_tokens").value_or(1024);
  if (const Json* both = find_member(value, "both_orders"); both && *both == true)
    plan.options.orders = judge::Orders::Both;
  plan.rule = *rule;
  plan.canaries = *canaries;
  plan.cluster = find_text(value, "cluster");
  if (const Json* engine = find_member(value, "engine")) plan.engine = read_engine_options(*engine);
  return plan;
}

}  // namespace personascope::run
