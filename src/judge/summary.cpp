#include "judge/summary.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "judge/calibration.hpp"
#include "judge/canary.hpp"
#include "judge/family.hpp"
#include "llm/embedded/weights.hpp"
#include "stats/clustered.hpp"
#include "stats/reasons.hpp"
#include "stats/score_mean.hpp"
#include "stats/sum.hpp"

namespace personascope::judge {
namespace {

constexpr std::size_t kMostModels = 100;
constexpr std::size_t kMostKindsShown = 3;

Json to_json(const VerdictCounts& counts) {
  return {{"scored", counts.scored},
          {"cannot_assess", counts.cannot_assess},
          {"refused", counts.refused},
          {"failed", counts.failed},
          {"low_mass", counts.low_mass}};
}

}  // namespace

bool is_tiny(std::string_view judge) {
  return judge.starts_with("embedded/") &&
         judge.find(llm::embedded::kDefaultModel) != std::string_view::npos;
}

std::string describe_tiny(std::string_view judge) {
  return fmt::format(
      "{} is a tiny model: its verdicts are for trying the pipeline, not for publication.", judge);
}

std::string describe_failures(std::string_view judge, std::size_t failed, std::size_t asked,
                              std::string_view reason) {
  return fmt::format("The judge {} failed {} of {} times, for example: {}", judge, failed, asked,
                     reason);
}

Json to_json(const stats::Estimate& estimate, std::string_view unit) {
  Json value = {{"value", estimate.value},       {"standard_error", nullptr},
                {"interval", nullptr},           {"n", estimate.n},
                {"clusters", estimate.clusters}, {"method", estimate.method},
                {"caveats", Json::array()}};
  if (estimate.standard_error) value["standard_error"] = *estimate.standard_error;
  if (estimate.interval) value["interval"] = {estimate.interval->low, estimate.interval->high};
  if (!estimate.interval_method.empty()) value["interval_method"] = estimate.interval_method;
  value["caveats"] = stats::sentences_of(estimate, unit);
  value["reasons"] = stats::reasons_of(estimate);
  return value;
}

Json to_json(const ScoreSummary& summary, std::string_view unit) {
  Json value = {{"counts", to_json(summary.counts)}, {"mean", nullptr}, {"bounds", nullptr}};
  if (summary.mean)
    value["mean"] = to_json(*summary.mean, unit);
  else
    value["why_no_mean"] = summary.why_no_mean;
  if (summary.bounds) value["bounds"] = {summary.bounds->low, summary.bounds->high};
  return value;
}

Tally::Tally(const Rubric& rubric, std::vector<std::string> judges, PanelRule rule,
             std::string grouped)
    : rubric_(rubric), rule_(rule), grouped_(std::move(grouped)) {
  for (std::string& name : judges) {
    judges_.emplace_back();
    judges_.back().name = std::move(name);
  }
}

Tally::Row Tally::make_row(const core::Verdict& verdict, std::size_t cluster) {
  return {verdict.kind, verdict.score, verdict.distribution && verdict.distribution->low_mass,
          cluster, verdict.distribution};
}

void Tally::add(const Item& item) {
  const std::size_t number = rows_.size();
  std::size_t cluster = number;
  if (!item.cluster.empty()) {
    is_clustered_ = true;
    cluster = clusters_.try_emplace(item.cluster, clusters_.size()).first->second;
  }
  rows_.push_back(make_row(item.verdict, cluster));
  for (const auto& [place, judgement] : item.judgements) {
    OneJudge& judge = judges_[place];
    judge.rows.push_back(make_row(judgement.verdict, cluster));
    if (judgement.verdict.kind == core::VerdictKind::Failed && judge.first_fault.empty())
      judge.first_fault = judgement.verdict.fault.message;
    if (judgement.order_gap) {
      judge.order_gaps.push_back(*judgement.order_gap);
      judge.gap_clusters.push_back(cluster);
    }
    if (core::is_scored(judgement.verdict))
      ratings_.push_back({number, place, judgement.verdict.score});
  }
  if (!item.model.empty() && models_.size() < kMostModels) models_.insert(item.model);
  if (item.escalated) ++escalated_;
}

void Tally::add_canary(const std::string& canary, std::size_t judge, const core::Verdict& verdict) {
  auto& rows = judges_[judge].canaries[canary];
  rows.push_back(make_row(verdict, rows.size()));
}

ScoreSummary Tally::sum_up(std::span<const Row> rows) const {
  ScoreSummary summary;
  std::vector<double> scores;
  std::vector<std::size_t> clusters;
  for (const Row& row : rows) {
    switch (row.kind) {
      case core::VerdictKind::Score:
        ++summary.counts.scored;
        summary.counts.low_mass += row.low_mass ? 1 : 0;
        scores.push_back(row.score);
        clusters.push_back(row.cluster);
        break;
      case core::VerdictKind::CannotAssess:
        ++summary.counts.cannot_assess;
        break;
      case core::VerdictKind::Refused:
        ++summary.counts.refused;
        break;
      case core::VerdictKind::Failed:
        ++summary.counts.failed;
        break;
    }
  }
  const stats::Scale scale = rubric_.scale.bounds();
  auto mean = stats::score_mean(scores, clusters, {.scale = scale});
  if (mean)
    summary.mean = std::move(*mean);
  else
    summary.why_no_mean = scores.empty() ? "nothing was scored" : mean.error().message;
  if (!rows.empty()) {
    const double sum = stats::sum_of(scores);
    const double missing = stats::real(rows.size() - scores.size());
    summary.bounds = {(sum + missing * scale.low) / stats::real(rows.size()),
                      (sum + missing * scale.high) / stats::real(rows.size())};
  }
  return summary;
}

Json Tally::describe_canaries(const OneJudge& judge) const {
  std::vector<Row> all;
  Json by_kind = Json::object();
  for (const auto& [kind, rows] : judge.canaries) {
    const ScoreSummary summary = sum_up(rows);
    by_kind[kind] = {{"mean", nullptr}, {"counts", to_json(summary.counts)}};
    if (summary.mean) by_kind[kind]["mean"] = summary.mean->value;
    all.insert(all.end(), rows.begin(), rows.end());
  }
  const ScoreSummary whole = sum_up(all);
  Json value = {{"mean", nullptr}, {"counts", to_json(whole.counts)}, {"by_kind", by_kind}};
  if (whole.mean) value["mean"] = whole.mean->value;
  return value;
}

Json Tally::describe_calibration(const OneJudge& judge) const {
  std::vector<core::ScoreDistribution> answers;
  std::vector<std::size_t> clusters;
  for (const Row& row : judge.rows) {
    if (row.kind != core::VerdictKind::Score || !row.distribution) continue;
    answers.push_back(*row.distribution);
    clusters.push_back(row.cluster);
  }
  std::vector<core::ScoreDistribution> content_free;
  for (const auto& [kind, rows] : judge.canaries)
    for (const Row& row : rows)
      if (is_content_free(kind) && row.distribution) content_free.push_back(*row.distribution);
  if (answers.empty() || content_free.empty()) return nullptr;
  const auto calibrated = calibrate_by_prior(answers, content_free);
  if (!calibrated) return {{"mean", nullptr}, {"why_no_mean", calibrated.error().message}};
  const auto mean =
      stats::score_mean(calibrated->scores, clusters, {.scale = rubric_.scale.bounds()});
  return {{"mean", mean ? to_json(*mean, unit()) : Json(nullptr)},
          {"prior", calibrated->prior},
          {"content_free", content_free.size()},
          {"has_signal", calibrated->signal.has_signal},
          {"sentence", calibrated->signal.sentence}};
}

Json Tally::describe_order_gap(const OneJudge& judge) const {
  const double widest = rubric_.scale.high() - rubric_.scale.low();
  const auto mean = stats::clustered_mean(judge.order_gaps, judge.gap_clusters,
                                          {.scale = {.low = -widest, .high = widest}});
  return mean ? to_json(*mean, unit()) : Json(nullptr);
}

Json Tally::describe_panel() const {
  Json panel = {{"rule", name_of(rule_)},
                {"escalated", escalated_},
                {"agreement", nullptr},
                {"effective_votes_at_least", nullptr}};
  // The escalation judge sees only what the others differ on, so it is left out.
  const bool has_escalation =
      escalated_ > 0 || judges_.back().rows.size() < judges_.front().rows.size();
  const std::size_t judges = judges_.size() - (has_escalation ? 1 : 0);
  std::vector<std::size_t> clusters;
  for (const Row& row : rows_) clusters.push_back(row.cluster);
  if (const auto agreement = measure_agreement(ratings_, judges, clusters)) {
    panel["agreement"] = to_json(*agreement, unit());
  } else {
    panel["why_no_agreement"] = agreement.error().message;
  }
  if (const auto votes = least_effective_votes(ratings_, judges)) {
    panel["effective_votes_at_least"] = to_json(*votes, unit());
    panel["effective_votes_at_least"]["why_no_interval"] = "it is a lower bound already";
  } else {
    panel["why_no_effective_votes_at_least"] = votes.error().message;
  }
  return panel;
}

Json Tally::list_canaries() const {
  Json list = Json::array();
  for (const OneJudge& judge : judges_) {
    if (judge.canaries.empty()) continue;
    list.push_back(describe_canaries(judge));
    list.back()["judge"] = judge.name;
  }
  return list;
}

void Tally::add_family_notes(std::vector<std::string>& notes) const {
  for (std::size_t i = 0; i < judges_.size(); ++i) {
    if (is_tiny(judges_[i].name)) notes.push_back(describe_tiny(judges_[i].name));
    for (const std::string& model : models_)
      if (are_kin(judges_[i].name, model))
        notes.push_back(fmt::format("The judge {} is of the same family as {}, which answered.",
                                    judges_[i].name, model));
    for (std::size_t k = 0; k < i; ++k)
      if (are_kin(judges_[i].name, judges_[k].name))
        notes.push_back(fmt::format("The judges {} and {} are of one family.", judges_[k].name,
                                    judges_[i].name));
  }
}

void Tally::add_judge_notes(const OneJudge& judge, std::vector<std::string>& notes) const {
  const VerdictCounts counts = sum_up(judge.rows).counts;
  // What a lone judge fails on is no score of the item's either, and is seen in the table.
  if (judges_.size() > 1 && counts.failed > 0)
    notes.push_back(
        describe_failures(judge.name, counts.failed, judge.rows.size(), judge.first_fault));
  if (counts.low_mass > 0)
    notes.push_back(
        fmt::format("The judge {} gave {} of {} scores at low mass: the scale's labels had less "
                    "than half of the probability.",
                    judge.name, counts.low_mass, counts.scored));
  const double low = rubric_.scale.low();
  const double step = rubric_.scale.levels[1].score - low;
  std::vector<std::pair<double, std::string>> fooled;  // the worst first
  for (const auto& [kind, rows] : judge.canaries)
    if (const auto mean = sum_up(rows).mean; mean && mean->value >= low + step)
      fooled.emplace_back(-mean->value, fmt::format("\"{}\" {:.2f}", kind, mean->value));
  std::ranges::sort(fooled);
  std::vector<std::string> shown;
  for (const auto& [order, kind] : fooled)
    if (shown.size() < kMostKindsShown) shown.push_back(kind);
  if (fooled.size() > shown.size())
    shown.push_back(fmt::format("{} more", fooled.size() - shown.size()));
  if (!fooled.empty())
    notes.push_back(
        fmt::format("The judge {} gave worthless test answers (canaries) of the {} {} on average; "
                    "a sound judge gives the lowest score.",
                    judge.name, fooled.size() == 1 ? "kind" : "kinds", join(shown, ", ")));
}

std::vector<std::string> Tally::list_notes() const {
  std::vector<std::string> notes{
      "The scores are uncalibrated: they were not checked against human labels."};
  if (!is_clustered_)
    notes.emplace_back("Each line counts as independent: no field groups them (`cluster`).");
  add_family_notes(notes);
  for (const OneJudge& judge : judges_) add_judge_notes(judge, notes);
  return notes;
}

Json Tally::summarize() const {
  Json value = {{"rubric",
                 {{"id", rubric_.id},
                  {"name", rubric_.name},
                  {"version", rubric_.version},
                  {"sha256", rubric_.sha256}}},
                {"scale", {rubric_.scale.low(), rubric_.scale.high()}},
                {"items", rows_.size()},
                {"score", to_json(sum_up(rows_), unit())},
                {"judges", Json::array()},
                {"notes", list_notes()}};
  for (const OneJudge& judge : judges_) {
    Json entry = to_json(sum_up(judge.rows), unit());
    entry["judge"] = judge.name;
    if (!judge.canaries.empty()) entry["canaries"] = describe_canaries(judge);
    if (Json calibrated = describe_calibration(judge); !calibrated.is_null()) {
      if (const auto sentence = find_text(calibrated, "sentence"))
        value["notes"].push_back(fmt::format("The judge {}: {}.", judge.name, *sentence));
      entry["prior_divided_out"] = std::move(calibrated);
    }
    if (!judge.order_gaps.empty()) entry["order_gap"] = describe_order_gap(judge);
    value["judges"].push_back(std::move(entry));
  }
  if (judges_.size() > 1) value["panel"] = describe_panel();
  return value;
}

}  // namespace personascope::judge
