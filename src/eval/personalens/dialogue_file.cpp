#include "base/json.hpp"
#include "base/text.hpp"
#include "eval/personalens/dialogue.hpp"
#include "eval/personalens/folder_users.hpp"

namespace personascope::eval::personalens {
namespace {

constexpr std::size_t kMostTurns = 10'000;

std::string quote_value(const std::string& text) {
  return Json(make_utf8(text)).dump(-1, ' ', true);
}

}  // namespace

std::string render_dialogue_file(const DialogueFile& file) {
  std::string text = fmt::format(
      "{{\n    \"user_id\": {},\n    \"task_id\": {},\n    \"task_description\": {},\n"
      "    \"user_model\": {},\n    \"assistant_model\": {},\n    \"dialogue\": [",
      file.user, quote_value(file.task_id), quote_value(file.intent), quote_value(file.user_model),
      quote_value(file.assistant_model));
  const auto& turns = file.dialogue.turns;
  for (std::size_t i = 0; i < turns.size(); ++i)
    text += fmt::format(
        "{}\n        {{\n            \"role\": \"{}\",\n            \"content\": {}\n        }}",
        i == 0 ? "" : ",", core::name_of(turns[i].role), quote_value(turns[i].content));
  text += turns.empty() ? "]\n}" : "\n    ]\n}";
  return text;
}

Result<DialogueFile> parse_dialogue_file(std::string_view text, const std::string& path) {
  const auto value = parse_json(text);
  if (!value) return fail(ErrorKind::Invalid, "{}: {}", printable(path), value.error().message);
  DialogueFile file;
  const Json* user = find_member(*value, "user_id");
  if (user && user->is_number_integer())
    file.user = user->get<int>();
  else if (user && user->is_string())
    file.user = find_user_number(user->get_ref<const std::string&>()).value_or(-1);
  file.task_id = find_text(*value, "task_id").value_or("");
  file.intent = find_text(*value, "task_description").value_or("");
  file.user_model = find_text(*value, "user_model").value_or("");
  file.assistant_model = find_text(*value, "assistant_model").value_or("");
  const Json* turns = find_member(*value, "dialogue");
  if (!turns || !turns->is_array() || turns->size() > kMostTurns)
    return fail(ErrorKind::Invalid, "{}: \"dialogue\" must be a list of turns", printable(path));
  for (const Json& turn : *turns) {
    const auto name = find_text(turn, "role");
    const auto role = core::find_role(name.value_or(""));
    const auto content = find_text(turn, "content");
    if (!role || *role == core::Role::System || !content)
      return fail(ErrorKind::Invalid,
                  "{}: a turn must have a role, user or assistant, and a text as content",
                  printable(path));
    file.dialogue.turns.push_back({*role, *content});
  }
  if (file.dialogue.turns.empty())
    return fail(ErrorKind::Invalid, "{}: the dialogue has no turns", printable(path));
  return file;
}

}  // namespace personascope::eval::personalens
