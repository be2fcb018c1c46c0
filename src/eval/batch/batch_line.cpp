#include "eval/batch/batch_line.hpp"

#include "llm/call.hpp"

namespace personascope::eval::batch {
namespace {

Result<std::string> parse_role(const Json& value) {
  if (!find_member(value, "role")) return std::string(llm::kModelRole);
  const std::string role = find_text(value, "role").value_or("");
  if (role == llm::kModelRole || role == llm::kUserRole || role == llm::kJudgeRole) return role;
  return fail(ErrorKind::Invalid, "\"role\" must be model, user or judge");
}

// Lines have called an answer "ok" since version 0.1.
std::string_view name_in_line(core::Outcome outcome) {
  return outcome == core::Outcome::Answered ? "ok" : core::name_of(outcome);
}

}  // namespace

Result<BatchLine> parse_batch_line(std::string_view line) {
  ASSIGN_OR_RETURN(const Json value, parse_json(line));
  if (!value.is_object()) return fail(ErrorKind::Invalid, "a line must be a JSON object");
  BatchLine parsed;
  ASSIGN_OR_RETURN(parsed.role, parse_role(value));
  const Json* body = find_member(value, "body");
  if (body && find_member(value, "custom_id")) {
    ASSIGN_OR_RETURN(LineId id, parse_id(value, "custom_id"));
    parsed.id = std::move(id.text);
    parsed.id_json = std::move(id.json);
    ASSIGN_OR_RETURN(parsed.request, core::parse_request(*body, {"model"}));
  } else {
    ASSIGN_OR_RETURN(LineId id, parse_id(value, "id"));
    parsed.id = std::move(id.text);
    parsed.id_json = std::move(id.json);
    ASSIGN_OR_RETURN(parsed.request, core::parse_request(value, {"id", "model", "role"}));
  }
  return parsed;
}

std::string render_answer_line(const std::string& id_json, const Result<core::Reply>& answer) {
  // Written by hand in the documented order; a JSON object would sort its members.
  Json text, model, error, finish, usage = Json::object();
  std::string rest;
  if (answer) {
    text = answer->text;
    model = answer->model;
    usage = core::to_json(answer->usage);
    finish = core::name_of(answer->finish);
    const Json whole = core::to_json(*answer);
    for (const char* name : {"logprobs", "choices"})
      if (const Json* numbers = find_member(whole, name))
        rest += fmt::format(R"(,"{}":{})", name, render_json(*numbers));
  } else {
    error = {{"kind", name_of(answer.error().kind)}, {"message", answer.error().message}};
  }
  return fmt::format(
      R"({{"id":{},"outcome":"{}","text":{},"model":{},"usage":{},"error":{},"finish":{}{}}})",
      id_json, name_in_line(core::outcome_of(answer)), render_json(text), render_json(model),
      render_json(usage), render_json(error), render_json(finish), rest);
}

Result<InputFile> check_batch_file(const std::string& path,
                                   const std::function<Result<void>(const BatchLine&)>& visit) {
  return check_input_file(path, "requests", [&](std::string_view text) -> Result<std::string> {
    ASSIGN_OR_RETURN(BatchLine line, parse_batch_line(text));
    if (visit) RETURN_IF_ERROR(visit(line));
    return std::move(line.id);
  });
}

}  // namespace personascope::eval::batch
