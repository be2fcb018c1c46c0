// The results of judges: scores with intervals and counts, and how reliable the judges are.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "core/verdict.hpp"
#include "judge/judge.hpp"
#include "judge/panel.hpp"
#include "judge/rubric.hpp"
#include "stats/estimate.hpp"
#include "stats/ratings.hpp"

namespace personascope::judge {

struct VerdictCounts {
  std::size_t scored = 0;
  std::size_t cannot_assess = 0;
  std::size_t refused = 0;
  std::size_t failed = 0;
  std::size_t low_mass = 0;  // of those scored
};

// Verdicts on many items, as far as numbers need them.
struct ScoreSummary {
  VerdictCounts counts;
  std::optional<stats::Estimate> mean;    // of those scored, clustered
  std::string why_no_mean;                // a sentence, if there is none
  std::optional<stats::Interval> bounds;  // the mean if all others were lowest or highest
};

// `unit` is the name of an independent unit in caveats.
Json to_json(const stats::Estimate& estimate, std::string_view unit = "persona");
Json to_json(const ScoreSummary& summary, std::string_view unit = "persona");

// Whether it is the model that comes with the program, whatever its quantization.
bool is_tiny(std::string_view judge);
// What every report says whose verdicts it was asked for.
std::string describe_tiny(std::string_view judge);

// Of a judge beside whom others may have given the scores: how often it gave none, and why once.
std::string describe_failures(std::string_view judge, std::size_t failed, std::size_t asked,
                              std::string_view reason);

// Collects verdicts and sums them up.
class Tally {
 public:
  // The judges by name; an escalation judge is the last one and may be missing from items.
  // `grouped` is what groups items. The rubric outlives the tally.
  Tally(const Rubric& rubric, std::vector<std::string> judges, PanelRule rule,
        std::string grouped = "persona");

  // One item's verdicts, by the judges' place; `cluster` is what groups items (a persona), empty if
  // nothing does; `model` is who answered, if it is known.
  struct Item {
    std::string cluster;
    std::string model;
    core::Verdict verdict;
    std::vector<std::pair<std::size_t, Judgement>> judgements;
    bool escalated = false;
  };
  void add(const Item& item);
  void add_canary(const std::string& canary, std::size_t judge, const core::Verdict& verdict);

  // The findings as JSON: "rubric", "scale", "items", "score", "judges" with canaries, order
  // gaps and scores calibrated by the judge's prior, "panel" with agreement and effective votes (of
  // all judges but the one for escalations), and "notes", sentences that a reader needs.
  Json summarize() const;
  // [{"judge", "mean", "counts", "by_kind"}] of the judges that were given canaries.
  Json list_canaries() const;
  // Those of the notes that hold for verdicts by several rubrics, too: all but whether a judge's
  // scores carry a signal.
  std::vector<std::string> list_notes() const;

 private:
  struct Row {
    core::VerdictKind kind;
    double score;
    bool low_mass;
    std::size_t cluster;
    std::optional<core::ScoreDistribution> distribution;
  };
  struct OneJudge {
    std::string name;
    std::vector<Row> rows;
    std::vector<double> order_gaps;
    std::vector<std::size_t> gap_clusters;
    std::map<std::string, std::vector<Row>> canaries;
    std::string first_fault;  // in words; empty if it never failed
  };
  static Row make_row(const core::Verdict& verdict, std::size_t cluster);
  ScoreSummary sum_up(std::span<const Row> rows) const;
  Json describe_canaries(const OneJudge& judge) const;
  // With the judge's prior divided out; null where its verdicts have no distributions.
  Json describe_calibration(const OneJudge& judge) const;
  Json describe_order_gap(const OneJudge& judge) const;
  Json describe_panel() const;
  std::string_view unit() const { return is_clustered_ ? std::string_view(grouped_) : "item"; }
  void add_family_notes(std::vector<std::string>& notes) const;
  void add_judge_notes(const OneJudge& judge, std::vector<std::string>& notes) const;

  const Rubric& rubric_;
  PanelRule rule_;
  std::string grouped_;
  std::vector<OneJudge> judges_;
  std::vector<Row> rows_;
  std::vector<stats::Rating> ratings_;
  std::map<std::string, std::size_t> clusters_;
  std::set<std::string> models_;  // who answered; a few at most
  std::size_t escalated_ = 0;
  bool is_clustered_ = false;
};

}  // namespace personascope::judge
