#include "eval/judging/judge_line.hpp"

#include "base/text.hpp"
#include "eval/input_file.hpp"

namespace personascope::eval::judging {

Result<JudgeLine> parse_judge_line(std::string_view text, const std::vector<std::string>& needed) {
  ASSIGN_OR_RETURN(const Json value, parse_json(text));
  if (!value.is_object()) return fail(ErrorKind::Invalid, "a line must be a JSON object");
  JudgeLine line;
  ASSIGN_OR_RETURN(LineId id, parse_id(value, "id"));
  line.id = std::move(id.text);
  line.id_json = std::move(id.json);
  for (const auto& [name, member] : value.items()) {
    if (name == "id") continue;
    if (member.is_string()) line.fields[name] = member;
    if (member.is_number()) line.fields[name] = render_json(member);
  }
  if (!line.fields.contains("answer") && line.fields.contains("text"))
    line.fields["answer"] = line.fields["text"];
  for (const std::string& field : needed) {
    if (line.fields.contains(field)) continue;
    return fail(ErrorKind::Invalid, "it has no text \"{}\", which the rubric's prompt needs",
                printable(field));
  }
  return line;
}

std::string render_verdict_line(const JudgeLine& line, const core::Verdict& verdict,
                                const std::optional<std::string>& cluster,
                                const std::vector<judge::Judgement>& judgements) {
  Json score, error, group, judges = Json::array();
  if (core::is_scored(verdict)) score = verdict.score;
  if (verdict.kind == core::VerdictKind::Failed)
    error = {{"kind", name_of(verdict.fault.kind)}, {"message", verdict.fault.message}};
  if (cluster) group = *cluster;
  for (const judge::Judgement& judgement : judgements) judges.push_back(to_json(judgement));
  // Written by hand in the documented order; a JSON object would sort its members.
  return fmt::format(R"({{"id":{},"verdict":"{}","score":{},"error":{},"cluster":{},"judges":{}}})",
                     line.id_json, core::name_of(verdict.kind), render_json(score),
                     render_json(error), render_json(group), render_json(judges));
}

}  // namespace personascope::eval::judging
