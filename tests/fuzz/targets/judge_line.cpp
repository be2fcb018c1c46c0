// A line of answers to judge, and a stored plan of judges.
#include "run/judge_line.hpp"

#include "property.hpp"
#include "run/judging.hpp"

using namespace personascope;

FUZZ_TARGET(judge_line, bytes) {
  const auto line = run::parse_judge_line(bytes, {"answer"});
  if (fuzz::succeeds(line)) {
    fuzz::require(!line->id.empty() && line->fields.contains("answer"), "a line has what it needs");
    const auto verdict = core::make_score(4, line->fields.at("answer"));
    const auto written = parse_json(run::render_verdict_line(*line, verdict, "group", {}));
    fuzz::require(written.has_value(), "a verdict's line is JSON");
    // A number stays a number.
    const Json& id = written->at("id");
    const std::string id_text = id.is_string() ? id.get<std::string>() : render_json(id);
    fuzz::require(id_text == line->id && written->at("score") == 4,
                  "a verdict's line reads back the same");
  }
  const auto json = parse_json(bytes);
  if (!json) return;
  const auto plan = run::parse_judge_plan(*json);
  if (!fuzz::succeeds(plan)) return;
  const auto again = run::parse_judge_plan(run::to_json(*plan));
  fuzz::require(again && run::to_json(*again) == run::to_json(*plan), "a plan reads back the same");
}
