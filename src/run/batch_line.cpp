#include "run/batch_line.hpp"

#include <algorithm>
#include <compare>
#include <vector>

#include "base/hash.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "files/line_reader.hpp"
#include "llm/call.hpp"

namespace personascope::run {
namespace {

// Numbers are common, and mean themselves.
Result<void> parse_id(const Json& value, const char* name, BatchLine& line) {
  const Json* id = find_member(value, name);
  const bool is_text = id && id->is_string() && !id->get<std::string>().empty();
  if (is_text || (id && id->is_number_integer())) {
    line.id_json = render_json(*id);
    line.id = is_text ? id->get<std::string>() : line.id_json;
    return {};
  }
  return fail(ErrorKind::Invalid, "every line needs an \"id\" (text or a whole number)");
}

Result<std::string> parse_role(const Json& value) {
  if (!find_member(value, "role")) return std::string(llm::kModelRole);
  const std::string role = find_text(value, "role").value_or("");
  if (role == llm::kModelRole || role == llm::kUserRole || role == llm::kJudgeRole) return role;
  return fail(ErrorKind::Invalid, "\"role\" must be model, user or judge");
}

// A hash instead of the id itself keeps a file of a million lines small.
struct IdPlace {
  std::uint64_t hash;
  std::int64_t line;
  auto operator<=>(const IdPlace&) const = default;
};

Result<void> check_ids_differ(const std::string& path, std::vector<IdPlace> ids) {
  std::ranges::sort(ids);
  const auto twin = std::ranges::adjacent_find(ids, {}, &IdPlace::hash);
  if (twin == ids.end()) return {};
  return fail(ErrorKind::Invalid, "{}, line {}: the same id as line {}; ids must differ",
              printable(path), std::next(twin)->line, twin->line);
}

}  // namespace

Result<BatchLine> parse_batch_line(std::string_view line) {
  ASSIGN_OR_RETURN(const Json value, parse_json(line));
  if (!value.is_object()) return fail(ErrorKind::Invalid, "a line must be a JSON object");
  BatchLine parsed;
  ASSIGN_OR_RETURN(parsed.role, parse_role(value));
  const Json* body = find_member(value, "body");
  if (body && find_member(value, "custom_id")) {
    RETURN_IF_ERROR(parse_id(value, "custom_id", parsed));
    ASSIGN_OR_RETURN(parsed.request, core::parse_request(*body, {"model"}));
  } else {
    RETURN_IF_ERROR(parse_id(value, "id", parsed));
    ASSIGN_OR_RETURN(parsed.request, core::parse_request(value, {"id", "model", "role"}));
  }
  return parsed;
}

std::string render_answer_line(const std::string& id_json, const Result<core::Reply>& answer) {
  // Written by hand in the documented order; a JSON object would sort its members.
  Json text, model, error, usage = Json::object();
  std::string rest;
  if (answer) {
    text = answer->text;
    model = answer->model;
    usage = core::to_json(answer->usage);
    rest = fmt::format(R"(,"finish":"{}")", core::name_of(answer->finish));
    const Json whole = core::to_json(*answer);
    for (const char* name : {"logprobs", "choices"})
      if (const Json* numbers = find_member(whole, name))
        rest += fmt::format(R"(,"{}":{})", name, render_json(*numbers));
  } else {
    error = {{"kind", name_of(answer.error().kind)}, {"message", answer.error().message}};
  }
  return fmt::format(R"({{"id":{},"outcome":"{}","text":{},"model":{},"usage":{},"error":{}{}}})",
                     id_json, core::name_of(core::outcome_of(answer)), render_json(text),
                     render_json(model), render_json(usage), render_json(error), rest);
}

Result<BatchFile> check_batch_file(const std::string& path,
                                   const std::function<Result<void>(const BatchLine&)>& visit) {
  if (path == "-")
    return fail(ErrorKind::Invalid,
                "the requests are read more than once, so they must be in a file, not in a pipe");
  ASSIGN_OR_RETURN(auto reader, files::LineReader::open(path));
  BatchFile file{.path = path, .sha256 = {}, .lines = 0};
  Sha256 hash;
  std::vector<IdPlace> ids;
  for (;;) {
    ASSIGN_OR_RETURN(const auto line, reader.next());
    if (!line) break;
    const std::int64_t number = reader.line_number();
    auto parsed = parse_batch_line(*line);
    if (!parsed)
      return fail(ErrorKind::Invalid, "{}, line {}: {}", printable(path), number,
                  parsed.error().message);
    ids.push_back({Random(0, "id", parsed->id).next(), number});
    if (visit) RETURN_IF_ERROR(visit(*parsed));
    hash.update(*line);
    hash.update("\n");
    ++file.lines;
  }
  if (file.lines == 0)
    return fail(ErrorKind::Invalid, "{} holds no requests; write one JSON object a line",
                printable(path));
  RETURN_IF_ERROR(check_ids_differ(path, std::move(ids)));
  file.sha256 = render_hex(hash.digest());
  return file;
}

}  // namespace personascope::run
