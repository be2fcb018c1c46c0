#include "eval/judging/judge_plan.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "eval/evaluation.hpp"
#include "eval/judging/judge_line.hpp"
#include "eval/long_text.hpp"

namespace personascope::eval::judging {
namespace {

constexpr const char* kUsualCluster = "persona";

std::string_view provider_of(std::string_view name) {
  return name.substr(0, name.find('/'));
}

std::int64_t count_tokens(const JudgeLine& line) {
  std::size_t bytes = 0;
  for (const auto& [name, text] : line.fields) bytes += text.size();
  return tokens_of(bytes);
}

}  // namespace

Json to_json(const JudgePlan& plan) {
  Json value = to_json(plan.input);
  value.update({{"rubric", plan.rubric},
                {"rubric_sha256", plan.rubric_sha256},
                {"judges", plan.judges},
                {"verdicts", judge::name_of(plan.options.form)},
                {"both_orders", plan.options.orders == judge::Orders::Both},
                {"repeats", plan.options.repeats},
                {"max_output_tokens", plan.options.max_tokens},
                {"panel", judge::name_of(plan.rule)},
                {"canaries", plan.canaries}});
  if (plan.options.temperature) value["temperature"] = *plan.options.temperature;
  if (plan.escalate) value["escalate"] = *plan.escalate;
  if (plan.cluster) value["cluster"] = *plan.cluster;
  return value;
}

Result<JudgePlan> parse_judge_plan(const Json& value) {
  auto input = find_input_file(value);
  const auto rubric = find_text(value, "rubric");
  const auto rubric_hash = find_text(value, "rubric_sha256");
  const Json* judges = find_member(value, "judges");
  const auto options = judge_file_options().parse(value);
  bool is_whole = input && input->lines >= 0 && rubric && rubric_hash && judges;
  for (const char* member : {"verdicts", "panel", "repeats", "canaries"})
    is_whole = is_whole && find_member(value, member);
  if (!is_whole) return fail(ErrorKind::Invalid, "the stored plan is not a judge's");
  if (!options)
    return fail(ErrorKind::Invalid, "the stored plan is damaged: {}", options.error().message);
  JudgePlan plan;
  plan.input = std::move(*input);
  plan.rubric = *rubric;
  plan.rubric_sha256 = *rubric_hash;
  plan.judges = options->judges;
  plan.escalate = options->escalate;
  plan.options = options->judging;
  plan.rule = options->rule;
  plan.canaries = options->canaries;
  plan.cluster = options->cluster;
  return plan;
}

std::vector<std::string> list_judges(const JudgePlan& plan) {
  std::vector<std::string> names = plan.judges;
  if (plan.escalate) names.push_back(*plan.escalate);
  return names;
}

std::vector<std::string> list_judged_fields(const judge::Rubric& rubric) {
  std::vector<std::string> fields = judge::list_needed_fields(rubric.prompt);
  for (const std::string& field : judge::list_needed_fields(rubric.score_prompt))
    if (std::ranges::find(fields, field) == fields.end()) fields.push_back(field);
  return fields;
}

Result<void> check_judges(const JudgePlan& plan, bool has_address) {
  if (plan.judges.empty()) return fail(ErrorKind::Invalid, "name a judge (`judges`)");
  if (plan.escalate && plan.judges.size() < 2)
    return fail(ErrorKind::Invalid, "`escalate` needs two judges");
  const std::vector<std::string> names = list_judges(plan);
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(names.begin(), name, *name) != name)
      return fail(ErrorKind::Invalid,
                  "{} is named twice; to ask it several times use `judge_repeats`",
                  printable(*name));
    if (has_address && provider_of(*name) != provider_of(names[0]))
      return fail(ErrorKind::Invalid,
                  "`base_url` is one address, but the judges are of several providers; give the "
                  "address in the provider's variable instead (see `personascope models`)");
  }
  return {};
}

Result<JudgeSetup> fill_judge_plan(JudgePlan plan, const std::string& input) {
  ASSIGN_OR_RETURN(judge::Rubric rubric, judge::load_rubric(plan.rubric));
  plan.rubric_sha256 = rubric.sha256;
  if (const auto [low, high] = rubric.scale.bounds();
      plan.escalate && high - low < judge::kWideDifference)
    return fail(
        ErrorKind::Invalid,
        "`escalate` asks a third judge where two differ by {} or more, which cannot happen on "
        "the rubric's scale of {} to {}; leave it out",
        judge::kWideDifference, low, high);
  const std::vector<std::string> needed = list_judged_fields(rubric);
  bool all_have_cluster = true;
  LongestRequest longest("answer");
  ASSIGN_OR_RETURN(
      plan.input,
      check_input_file(input, "answers", [&](std::string_view text) -> Result<std::string> {
        ASSIGN_OR_RETURN(JudgeLine line, parse_judge_line(text, needed));
        if (plan.cluster && !line.fields.contains(*plan.cluster))
          return fail(ErrorKind::Invalid, "it has no text \"{}\", by which `cluster` groups lines",
                      printable(*plan.cluster));
        all_have_cluster = all_have_cluster && line.fields.contains(kUsualCluster);
        longest.add(line.id, count_tokens(line));
        return std::move(line.id);
      }));
  if (!plan.cluster && all_have_cluster) plan.cluster = kUsualCluster;
  return JudgeSetup{std::move(plan), std::move(rubric), longest.describe()};
}

}  // namespace personascope::eval::judging
