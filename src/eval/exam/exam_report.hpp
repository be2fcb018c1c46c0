// What the exam finds about a judge: how often it is right, what it misses and what moves it, and
// for which dimensions it reaches the pass marks.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "eval/exam/exam_data.hpp"
#include "eval/exam/exam_grade.hpp"
#include "stats/estimate.hpp"

namespace personascope::eval::exam {

// Numbers with whom they belong to, for intervals clustered by persona or user.
struct Sample {
  std::vector<double> values;
  std::vector<std::string> people;

  void add(const std::optional<double>& value, const std::string& person);
  // Nothing if there are no values.
  std::optional<stats::Estimate> estimate(const stats::Scale& scale) const;
};

struct DimensionReport {
  std::size_t items = 0;
  Sample who_speaks, pairs, paired, tau;
};

struct TrapReport {
  Sample shift;     // of traps with two answers
  Sample accuracy;  // of refusals and empty answers
  Sample first;     // of comparisons: the share that prefers the first place
};

struct DefectReport {
  Sample alone, paired;
};

struct JudgeReport {
  std::map<std::string, DimensionReport> dimensions;  // by "gym/probe"
  std::map<std::string, DefectReport> defects;
  std::map<std::string, TrapReport> traps;
  Sample credit;  // of all items
  Sample pairs;   // alone, of all dimensions
  std::size_t verdicts = 0, missing = 0, repeats = 0, repeats_alike = 0;
  // Items with several answers, and those of them that all got the same score.
  std::size_t compared = 0, compared_alike = 0;
  // Two answers of an item with different lengths and scores: how often the longer one has the
  // higher score, and the lower one.
  std::size_t longer_higher = 0, longer_lower = 0;

  void add(const ExamItem& item, const ExamGrade& grade);
};

enum class LicenceState { Licensed, Provisional, Withheld };
// "licensed", "provisional", "not licensed".
std::string_view name_of(LicenceState state);

struct Licence {
  LicenceState state = LicenceState::Withheld;
  std::vector<std::string> reasons;  // what it did not reach, in words
};

// By the pass marks of licence.yaml. Traps are counted over all dimensions, since one dimension has
// few of each. Fewer than ten items make it provisional.
Licence find_licence(const JudgeReport& report, const std::string& dimension, const Json& marks);

// What is wrong with the judge, in sentences; where one fault explains others, only that one.
std::vector<std::string> list_flaws(const JudgeReport& report, const Json& marks);

// {"dimensions", "defects", "traps", "accuracy", "abstentions", "consistency", "flaws"}.
Json to_json(const JudgeReport& report, const Json& marks);

}  // namespace personascope::eval::exam
