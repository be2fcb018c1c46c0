#include "eval/personalens/plan.hpp"

#include <algorithm>

namespace personascope::eval::personalens {
namespace {

template <class Value>
std::vector<Value> read_list(const Json& value, const char* member) {
  std::vector<Value> list;
  if (const Json* members = find_member(value, member); members && members->is_array())
    for (const Json& one : *members) {
      if constexpr (std::is_same_v<Value, int>) {
        // Anything else is -1, which is no user.
        constexpr std::int64_t kLast = 100'000'000;
        const std::int64_t number = one.is_number_integer() ? one.get<std::int64_t>() : -1;
        list.push_back(number >= 0 && number <= kLast ? static_cast<int>(number) : -1);
      } else {
        if (one.is_string()) list.push_back(one.get<std::string>());
      }
    }
  return list;
}

constexpr const char* kUserNumbers = "user_numbers";

bool read_flag(const Json& value, const char* member) {
  const Json* flag = find_member(value, member);
  return flag && *flag == true;
}

std::unexpected<Error> fail_damaged(const std::string& reason) {
  return fail(ErrorKind::Invalid, "the stored plan is damaged: {}", reason);
}

// That there is everything without which the evaluation cannot be carried out.
Result<void> check_whole(const LensPlan& plan) {
  if (plan.contexts.empty()) return fail_damaged("it has no context");
  if (plan.users.empty() || std::ranges::find(plan.users, -1) != plan.users.end())
    return fail_damaged("its users are not a list of numbers");
  if (plan.judges.size() != plan.judge_labels.size() ||
      plan.judges.empty() != plan.dimensions.empty())
    return fail_damaged("its judges do not fit together");
  return {};
}

}  // namespace

Json to_json(const LensPlan& plan) {
  Json contexts = Json::array();
  for (const Knowledge& knowledge : plan.contexts) contexts.push_back(render_letters(knowledge));
  Json value = lens_options().to_json(plan);
  value.update({{"evaluation", "lens"},
                {"own_words", plan.ours},
                {"sha256", plan.sha256},
                {"users_sha256", plan.users_sha256},
                {kUserNumbers, plan.users},
                {"absent", plan.absent},
                {"single", plan.single},
                {"multi", plan.multi},
                {"contexts", contexts},
                {"converse", plan.converse},
                {"assistant_label", plan.assistant_label},
                {"judge_labels", plan.judge_labels}});
  return value;
}

Result<LensPlan> parse_lens_plan(const Json& stored) {
  if (find_text(stored, "evaluation") != "lens")
    return fail(ErrorKind::Invalid, "the stored plan is not one of the lens");
  Json value = stored;
  // Version 0.1 stored the numbers under the name of the option.
  if (const Json* users = find_member(value, "users"); users && users->is_array()) {
    value[kUserNumbers] = *users;
    value.erase("users");
  }
  auto options = lens_options().parse(value);
  if (!options) return fail_damaged(options.error().message);
  LensPlan plan;
  static_cast<LensOptions&>(plan) = std::move(*options);
  const auto text = [&](const char* member) { return find_text(value, member).value_or(""); };
  plan.ours = text("own_words");
  plan.sha256 = text("sha256");
  plan.users_sha256 = text("users_sha256");
  plan.users = read_list<int>(value, kUserNumbers);
  plan.absent = find_integer(value, "absent").value_or(0);
  plan.single = read_flag(value, "single");
  plan.multi = read_flag(value, "multi");
  plan.contexts.clear();
  for (const std::string& letters : read_list<std::string>(value, "contexts")) {
    ASSIGN_OR_RETURN(const Knowledge knowledge, parse_letters(letters));
    plan.contexts.push_back(knowledge);
  }
  plan.converse = read_flag(value, "converse");
  plan.assistant_label = text("assistant_label");
  plan.judge_labels = read_list<std::string>(value, "judge_labels");
  plan.keeps_files = !find_member(value, "rescores");
  RETURN_IF_ERROR(check_whole(plan));
  return plan;
}

std::string dialogue_path(const LensPlan& plan, int user, const Knowledge& knowledge,
                          const std::string& task_id) {
  return fmt::format("{}/dialogue/user{}/{}{}/{}_dialogue.json", plan.tree, user,
                     plan.assistant_label, render_tag(knowledge), task_id);
}

std::string verdict_path(const LensPlan& plan, int user, const Knowledge& knowledge,
                         std::string_view dimension, const std::string& judge_label,
                         const std::string& task_id, std::string_view suffix) {
  return fmt::format("{}/evaluation/user{}/{}{}/{}/{}/{}{}.txt", plan.tree, user,
                     plan.assistant_label, render_tag(knowledge), dimension, judge_label, task_id,
                     suffix);
}

}  // namespace personascope::eval::personalens
