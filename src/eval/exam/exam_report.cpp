#include "eval/exam/exam_report.hpp"

#include <algorithm>
#include <array>

#include "judge/summary.hpp"
#include "stats/score_mean.hpp"

namespace personascope::eval::exam {
namespace {

constexpr stats::Scale kShiftScale{-1, 1};

Json describe_sample(const Sample& sample, const stats::Scale& scale) {
  const auto estimate = sample.estimate(scale);
  return estimate ? judge::to_json(*estimate) : Json(nullptr);
}

Json describe_share(std::size_t part, std::size_t whole) {
  if (whole == 0) return nullptr;
  return {{"value", static_cast<double>(part) / static_cast<double>(whole)}, {"n", whole}};
}

}  // namespace

void Sample::add(const std::optional<double>& value, const std::string& person) {
  if (!value) return;
  values.push_back(*value);
  people.push_back(person);
}

std::optional<stats::Estimate> Sample::estimate(const stats::Scale& scale) const {
  std::map<std::string, std::size_t> numbers;
  std::vector<std::size_t> clusters;
  for (const std::string& person : people)
    clusters.push_back(numbers.emplace(person, numbers.size()).first->second);
  const auto mean = stats::score_mean(values, clusters, {.scale = scale});
  if (!mean) return std::nullopt;
  return *mean;
}

void JudgeReport::add(const ExamItem& item, const ExamGrade& grade) {
  verdicts += grade.verdicts;
  missing += grade.missing;
  repeats += grade.repeats;
  repeats_alike += grade.repeats_alike;
  credit.add(grade.credit, item.person);
  DimensionReport& dimension = dimensions[item.place()];
  ++dimension.items;
  if (item.kind == ExamKind::WhoSpeaks) dimension.who_speaks.add(grade.credit, item.person);
  if (item.kind == ExamKind::Ladder) dimension.tau.add(grade.tau, item.person);
  if (item.kind == ExamKind::Pair) {
    dimension.pairs.add(grade.credit, item.person);
    dimension.paired.add(grade.paired, item.person);
    defects[item.flaw].alone.add(grade.credit, item.person);
    defects[item.flaw].paired.add(grade.paired, item.person);
    pairs.add(grade.credit, item.person);
  }
  if (item.kind == ExamKind::Trap) {
    TrapReport& trap = traps[item.flaw];
    trap.shift.add(grade.shift, item.person);
    if (!compares_answers(item)) trap.accuracy.add(grade.credit, item.person);
  }
  if (grade.first) traps["order"].first.add(grade.first, item.person);
  if (grade.scored.size() < 2) return;
  ++compared;
  bool alike = true;
  for (std::size_t a = 0; a < grade.scored.size(); ++a)
    for (std::size_t b = a + 1; b < grade.scored.size(); ++b) {
      const double longer = grade.scored[a].words - grade.scored[b].words;
      const double higher = grade.scored[a].value - grade.scored[b].value;
      if (higher != 0) alike = false;
      if (longer * higher > 0) ++longer_higher;
      if (longer * higher < 0) ++longer_lower;
    }
  if (alike) ++compared_alike;
}

Json to_json(const JudgeReport& report, const Json& marks) {
  Json value = {{"accuracy", describe_sample(report.credit, stats::kUnitScale)},
                {"abstentions", describe_share(report.missing, report.verdicts)},
                {"consistency", describe_share(report.repeats_alike, report.repeats)},
                {"dimensions", Json::array()},
                {"defects", Json::array()},
                {"traps", Json::array()},
                {"flaws", list_flaws(report, marks)}};
  for (const auto& [name, dimension] : report.dimensions) {
    const Licence licence = find_licence(report, name, marks);
    value["dimensions"].push_back(
        {{"dimension", name},
         {"items", dimension.items},
         {"who_speaks", describe_sample(dimension.who_speaks, stats::kUnitScale)},
         {"pairs", describe_sample(dimension.pairs, stats::kUnitScale)},
         {"paired", describe_sample(dimension.paired, stats::kUnitScale)},
         {"tau", describe_sample(dimension.tau, kShiftScale)},
         {"licence", name_of(licence.state)},
         {"reasons", licence.reasons}});
  }
  for (const auto& [name, defect] : report.defects)
    value["defects"].push_back({{"defect", name},
                                {"alone", describe_sample(defect.alone, stats::kUnitScale)},
                                {"paired", describe_sample(defect.paired, stats::kUnitScale)}});
  for (const auto& [name, trap] : report.traps)
    value["traps"].push_back({{"trap", name},
                              {"shift", describe_sample(trap.shift, kShiftScale)},
                              {"accuracy", describe_sample(trap.accuracy, stats::kUnitScale)},
                              {"first", describe_sample(trap.first, stats::kUnitScale)}});
  return value;
}

}  // namespace personascope::eval::exam
