// The score book: takes dialogues in any order and gives the scores with intervals and counts.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "eval/personalens/audit.hpp"
#include "eval/personalens/judging.hpp"
#include "eval/personalens/score_summary.hpp"

namespace personascope::eval::personalens {

// One dialogue as the book needs it.
struct BookEntry {
  int user = 0;
  std::size_t task = 0;  // the same number in every run of the plan
  std::string task_id;
  std::size_t context = 0;  // a place in the plan's contexts
  Ending ending = Ending::Given;
  std::size_t turns = 0;  // messages
  bool failed = false;    // there is no dialogue to judge
  std::vector<UserFault> faults;
  std::vector<DimensionScore> scores;
};

class ScoreBook {
 public:
  // Both outlive the book.
  ScoreBook(const LensPlan& plan, const std::vector<const Dimension*>& dimensions)
      : plan_(plan), dimensions_(dimensions), rows_(dimensions.size()) {}

  void take(const BookEntry& entry);

  // {"dialogues", "audit", "dimension_order", "dimensions": {key: {"outcomes", the summary,
  // "by_domain", "without_flagged", "reference", "by_context", "by_turn"}}}
  Json summarize() const;
  // A sentence for each judge that failed, which the scores of the others may hide.
  std::vector<std::string> list_failures() const;

 private:
  struct Row {
    std::size_t user = 0;
    std::size_t task = 0;
    std::size_t context = 0;
    bool flagged = false;
    std::optional<core::VerdictKind> kind;  // nothing: no dialogue
    double score = 0;
    std::optional<double> published;           // of the first judge
    std::vector<std::optional<double>> turns;  // of all judges together
  };
  struct JudgeRecord {
    std::size_t asked = 0;
    std::size_t failed = 0;
    std::string reason;  // the least of them, so that the order of dialogues does not show
  };
  enum class Which { All, Unflagged };
  // The scored rows of a dimension in a context, or in all.
  std::vector<ScoreRow> list_scored(std::size_t dimension, Which which,
                                    std::optional<std::size_t> context) const;
  void count_failures(const DimensionScore& score);
  Json describe(std::size_t dimension) const;
  Json describe_outcomes(std::size_t dimension) const;
  Json describe_contexts(std::size_t dimension, const ScoreScale& scale) const;
  Json describe_turns(std::size_t dimension) const;

  const LensPlan& plan_;
  const std::vector<const Dimension*>& dimensions_;
  std::vector<std::vector<Row>> rows_;  // by dimension
  std::vector<JudgeRecord> judges_;     // in the plan's order
  std::vector<std::string> domain_by_task_;
  std::map<Ending, std::size_t> endings_;
  std::map<UserFault, std::size_t> faults_;
  std::size_t dialogues_ = 0;
  std::size_t failed_ = 0;
  std::size_t flagged_ = 0;
  std::size_t messages_ = 0;  // of those that did not fail
};

}  // namespace personascope::eval::personalens
