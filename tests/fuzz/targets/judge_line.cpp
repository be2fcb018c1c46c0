// A line of answers to judge, and a stored plan of judges.
#include "eval/judging/judge_line.hpp"

#include "eval/judging/judge_plan.hpp"
#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(judge_line, bytes) {
  const auto line = eval::judging::parse_judge_line(bytes, {"answer"});
  if (fuzz::succeeds(line)) {
    fuzz::require(!line->id.empty() && line->fields.contains("answer"), "a line has what it needs");
    const auto verdict = core::make_score(4, line->fields.at("answer"));
    const auto written =
        parse_json(eval::judging::render_verdict_line(*line, verdict, "group", {}));
    fuzz::require(written.has_value(), "a verdict's line is JSON");
    // A number stays a number.
    const Json& id = written->at("id");
    const std::string id_text = id.is_string() ? id.get<std::string>() : render_json(id);
    fuzz::require(id_text == line->id && written->at("score") == 4,
                  "a verdict's line reads back the same");
  }
  const auto json = parse_json(bytes);
  if (!json) return;
  const auto plan = eval::judging::parse_judge_plan(*json);
  if (!fuzz::succeeds(plan)) return;
  const auto again = eval::judging::parse_judge_plan(eval::judging::to_json(*plan));
  fuzz::require(again && eval::judging::to_json(*again) == eval::judging::to_json(*plan),
                "a plan reads back the same");
}
