#include "eval/personalens/plan.hpp"

namespace personascope::eval::personalens {
namespace {

template <class Value>
std::vector<Value> read_list(const Json& value, const char* member) {
  std::vector<Value> list;
  if (const Json* members = find_member(value, member); members && members->is_array())
    for (const Json& one : *members) {
      if constexpr (std::is_same_v<Value, int>) {
        if (one.is_number_integer()) list.push_back(one.get<int>());
      } else {
        if (one.is_string()) list.push_back(one.get<std::string>());
      }
    }
  return list;
}

bool read_flag(const Json& value, const char* member) {
  const Json* flag = find_member(value, member);
  return flag && *flag == true;
}

}  // namespace

Json to_json(const LensPlan& plan) {
  Json contexts = Json::array();
  for (const Knowledge& knowledge : plan.contexts) contexts.push_back(render_letters(knowledge));
  Json value = {{"evaluation", "lens"},
                {"data", plan.data},
                {"words", plan.words},
                {"own_words", plan.ours},
                {"sha256", plan.sha256},
                {"users_sha256", plan.users_sha256},
                {"users", plan.users},
                {"absent", plan.absent},
                {"single", plan.single},
                {"multi", plan.multi},
                {"domains", plan.domains},
                {"tasks", plan.tasks},
                {"tasks_per_user", plan.tasks_per_user},
                {"limit", plan.limit},
                {"contexts", contexts},
                {"seed", plan.seed},
                {"converse", plan.converse},
                {"model", plan.assistant},
                {"assistant_label", plan.assistant_label},
                {"user_model", plan.user_model},
                {"judges", plan.judges},
                {"judge_labels", plan.judge_labels},
                {"dimensions", plan.dimensions},
                {"reader", plan.reader},
                {"readings", plan.readings},
                {"canaries", plan.canaries},
                {"protocol", name_of(plan.protocol)},
                {"single_turns", plan.single_turns},
                {"multi_turns", plan.multi_turns},
                {"max_output_tokens", plan.max_tokens},
                {"user_temperature", plan.user_temperature},
                {"assistant_temperature", plan.assistant_temperature},
                {"verdicts", judge::name_of(plan.judging.form)},
                {"both_orders", plan.judging.orders == judge::Orders::Both},
                {"judge_repeats", plan.judging.repeats},
                {"judge_max_output_tokens", plan.judging.max_tokens},
                {"panel", judge::name_of(plan.rule)},
                {"tree", plan.tree}};
  return value;
}

Result<LensPlan> parse_lens_plan(const Json& value) {
  const auto form = judge::find_reply_form(find_text(value, "verdicts").value_or(""));
  const auto rule = judge::find_panel_rule(find_text(value, "panel").value_or(""));
  if (find_text(value, "evaluation") != "lens" || !form || !rule)
    return fail(ErrorKind::Invalid, "the stored plan is not one of the lens");
  const auto text = [&](const char* member) { return find_text(value, member).value_or(""); };
  const auto number = [&](const char* member, std::int64_t otherwise) {
    return find_integer(value, member).value_or(otherwise);
  };
  LensPlan plan;
  plan.data = text("data");
  plan.words = text("words");
  plan.ours = text("own_words");
  plan.sha256 = text("sha256");
  plan.users_sha256 = text("users_sha256");
  plan.users = read_list<int>(value, "users");
  plan.absent = number("absent", 0);
  plan.single = read_flag(value, "single");
  plan.multi = read_flag(value, "multi");
  plan.domains = read_list<std::string>(value, "domains");
  plan.tasks = read_list<std::string>(value, "tasks");
  plan.tasks_per_user = number("tasks_per_user", 0);
  plan.limit = number("limit", 0);
  plan.contexts.clear();
  for (const std::string& letters : read_list<std::string>(value, "contexts")) {
    ASSIGN_OR_RETURN(const Knowledge knowledge, parse_letters(letters));
    plan.contexts.push_back(knowledge);
  }
  if (const Json* seed = find_member(value, "seed"); seed && seed->is_number_unsigned())
    plan.seed = *seed;
  plan.converse = read_flag(value, "converse");
  plan.assistant = text("model");
  plan.assistant_label = text("assistant_label");
  plan.user_model = text("user_model");
  plan.judges = read_list<std::string>(value, "judges");
  plan.judge_labels = read_list<std::string>(value, "judge_labels");
  plan.dimensions = read_list<std::string>(value, "dimensions");
  plan.reader = text("reader");
  plan.readings = number("readings", 0);
  plan.canaries = number("canaries", 0);
  plan.protocol = text("protocol") == "reference" ? Protocol::Reference : Protocol::Chat;
  plan.single_turns = number("single_turns", 20);
  plan.multi_turns = number("multi_turns", 30);
  plan.max_tokens = number("max_output_tokens", 800);
  plan.user_temperature = find_number(value, "user_temperature").value_or(0.5);
  plan.assistant_temperature = find_number(value, "assistant_temperature").value_or(0);
  plan.judging.form = *form;
  plan.judging.orders =
      read_flag(value, "both_orders") ? judge::Orders::Both : judge::Orders::Ascending;
  plan.judging.repeats = static_cast<int>(number("judge_repeats", 1));
  plan.judging.max_tokens = number("judge_max_output_tokens", 1024);
  plan.rule = *rule;
  plan.tree = text("tree");
  plan.keeps_files = !find_member(value, "rescores");
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
