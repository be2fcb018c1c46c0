// The stored results of the exam as findings.
#include "base/text.hpp"
#include "core/stored_results.hpp"
#include "eval/exam/exam.hpp"

namespace personascope::eval::exam {
namespace {

using core::get_member;
using core::get_text;

core::Value make_text(std::string text) {
  core::Value value;
  value.text = std::move(text);
  return value;
}

core::Value make_number(const Json& estimate) {
  core::Value value;
  value.number = find_number(estimate, "value");
  value.interval = core::find_interval(estimate, "interval");
  return value;
}

// The row of `list` whose member `key` is `name`, or null.
const Json& find_row(const Json& list, const char* key, const std::string& name) {
  static const Json nothing;
  for (const Json& row : list)
    if (get_text(row, key) == name) return row;
  return nothing;
}

core::Table describe_licences(const Json& judges) {
  core::Table table;
  table.title = "licences";
  table.columns.push_back({"dimension", "", false});
  for (const Json& judge : judges) table.columns.push_back({get_text(judge, "judge"), "", false});
  table.meaning =
      "licensed: the judge reaches every pass mark of the dimension; provisional: the same with "
      "fewer than ten items";
  if (judges.empty()) return table;
  for (const Json& row : get_member(judges.front(), "dimensions")) {
    const std::string dimension = get_text(row, "dimension");
    std::vector<core::Value> cells{make_text(dimension)};
    for (const Json& judge : judges)
      cells.push_back(make_text(
          get_text(find_row(get_member(judge, "dimensions"), "dimension", dimension), "licence")));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

core::Table describe_accuracy(const Json& judges) {
  core::Table table;
  table.title = "right answers";
  table.columns = {{"judge", "", false},
                   {"dimension", "", false},
                   {"who speaks", core::kShareUnit, false},
                   {"pairs, alone", core::kShareUnit, false},
                   {"pairs, compared", core::kShareUnit, false},
                   {"ladders, tau", core::kNumberUnit, false}};
  table.meaning =
      "chance is 25 % for who speaks, 50 % for pairs and 0 for tau; alone: the answer without the "
      "defect has the higher score, equal scores count half; compared: both are in one prompt";
  for (const Json& judge : judges)
    for (const Json& row : get_member(judge, "dimensions"))
      table.rows.push_back(
          {make_text(get_text(judge, "judge")), make_text(get_text(row, "dimension")),
           make_number(get_member(row, "who_speaks")), make_number(get_member(row, "pairs")),
           make_number(get_member(row, "paired")), make_number(get_member(row, "tau"))});
  return table;
}

core::Table describe_defects(const Json& judges) {
  core::Table table;
  table.title = "defects found";
  table.columns = {{"judge", "", false},
                   {"defect", "", false},
                   {"alone", core::kShareUnit, false},
                   {"compared", core::kShareUnit, false}};
  table.meaning = "how often the answer without the defect is preferred; chance is 50 %";
  for (const Json& judge : judges)
    for (const Json& row : get_member(judge, "defects"))
      table.rows.push_back({make_text(get_text(judge, "judge")), make_text(get_text(row, "defect")),
                            make_number(get_member(row, "alone")),
                            make_number(get_member(row, "paired"))});
  return table;
}

core::Table describe_traps(const Json& judges) {
  core::Table table;
  table.title = "traps";
  table.columns = {{"judge", "", false},
                   {"trap", "", false},
                   {"shift", core::kShareUnit, true},
                   {"first place", core::kShareUnit, false},
                   {"right", core::kShareUnit, false}};
  table.meaning =
      "shift: by how much of the scale the second answer is scored higher than the first, which it "
      "should not be; first place: how often the first of two answers is preferred, in all "
      "comparisons, each made in both orders";
  for (const Json& judge : judges)
    for (const Json& row : get_member(judge, "traps"))
      table.rows.push_back({make_text(get_text(judge, "judge")), make_text(get_text(row, "trap")),
                            make_number(get_member(row, "shift")),
                            make_number(get_member(row, "first")),
                            make_number(get_member(row, "accuracy"))});
  return table;
}

core::Table describe_verdicts(const Json& judges) {
  core::Table table;
  table.title = "verdicts";
  table.columns = {{"judge", "", false},
                   {"right overall", core::kShareUnit, false},
                   {"missing", core::kShareUnit, false},
                   {"same when repeated", core::kShareUnit, false}};
  for (const Json& judge : judges)
    table.rows.push_back({make_text(get_text(judge, "judge")),
                          make_number(get_member(judge, "accuracy")),
                          make_number(get_member(judge, "abstentions")),
                          make_number(get_member(judge, "consistency"))});
  return table;
}

core::Table describe_panels(const Json& panels) {
  core::Table table;
  table.title = "smallest panels that pass";
  table.columns = {{"dimension", "", false}, {"judges", "", false}};
  table.meaning = "the scores of the judges of a panel are averaged";
  for (const Json& row : panels) {
    std::vector<std::string> names;
    for (const Json& panel : get_member(row, "panels")) {
      std::vector<std::string> members;
      for (const Json& judge : panel)
        if (judge.is_string()) members.push_back(judge.get<std::string>());
      names.push_back(join(members, " + "));
    }
    table.rows.push_back({make_text(get_text(row, "dimension")),
                          make_text(names.empty() ? "none" : join(names, "; "))});
  }
  return table;
}

}  // namespace

core::Findings describe_exam(const Json& results) {
  core::Findings findings;
  findings.evaluation = "exam";
  const Json& judges = get_member(results, "judges");
  std::vector<std::string> names;
  for (const Json& judge : judges) names.push_back(get_text(judge, "judge"));
  findings.add_fact("judges", join(names, ", "));
  findings.headline =
      core::read_estimate(get_member(results, "score"), "right", "", core::kShareUnit);
  findings.add(describe_licences(judges));
  findings.add(describe_accuracy(judges));
  findings.add(describe_defects(judges));
  findings.add(describe_traps(judges));
  findings.add(describe_verdicts(judges));
  findings.add(describe_panels(get_member(results, "panels")));
  for (const Json& judge : judges)
    for (const std::string& flaw : core::list_texts(judge, "flaws"))
      findings.add_note(core::Severity::Warning, flaw, get_text(judge, "judge"));
  return findings;
}

}  // namespace personascope::eval::exam
