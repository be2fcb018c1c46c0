// The plan of `lift` as it is stored.
#include "eval/lift/lift.hpp"

namespace personascope::eval::lift {
namespace {

std::optional<InputFile> find_file(const Json& plan, const char* name) {
  const Json* file = find_member(plan, name);
  return file ? find_input_file(*file) : std::nullopt;
}

}  // namespace

Json to_json(const LiftPlan& plan) {
  Json value = to_json(plan.files.answers);
  value.update({{"model", plan.model},
                {"near", plan.distractors.near},
                {"far", plan.distractors.far},
                {"seed", plan.distractors.seed},
                {"content_free", plan.content_free}});
  if (plan.files.control) value["control"] = to_json(*plan.files.control);
  if (plan.files.personas) value["personas"] = to_json(*plan.files.personas);
  return value;
}

Result<LiftPlan> parse_lift_plan(const Json& value) {
  auto answers = find_input_file(value);
  auto model = find_text(value, "model");
  const auto near = find_integer(value, "near");
  const auto far = find_integer(value, "far");
  const auto seed = find_integer(value, "seed");
  constexpr std::int64_t kMost = 1000;  // distractors
  const auto is_count = [](const std::optional<std::int64_t>& number) {
    return number && *number >= 0 && *number <= kMost;
  };
  if (!answers || !model || !is_count(near) || !is_count(far) || !seed || *seed < 0)
    return fail(ErrorKind::Invalid, "the stored plan is not one of lift");
  LiftPlan plan;
  plan.files = {std::move(*answers), find_file(value, "control"), find_file(value, "personas")};
  plan.model = std::move(*model);
  plan.distractors = {.near = static_cast<std::size_t>(*near),
                      .far = static_cast<std::size_t>(*far),
                      .seed = static_cast<std::uint64_t>(*seed)};
  if (const Json* wanted = find_member(value, "content_free")) plan.content_free = *wanted == true;
  return plan;
}

}  // namespace personascope::eval::lift
