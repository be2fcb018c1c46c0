#include "eval/exam/exam_grade.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "judge/panel.hpp"
#include "stats/rank.hpp"

namespace personascope::eval::exam {
namespace {

double count_words(std::string_view text) {
  double words = 0;
  bool in_word = false;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\n' || c == '\t';
    if (!is_blank && !in_word) ++words;
    in_word = !is_blank;
  }
  return words;
}

std::optional<double> find_value(const ExamItem& item, const judge::Scale& scale,
                                 const core::Verdict& verdict) {
  if (verdict.answer_declines) return 0;
  if (!core::is_scored(verdict)) return std::nullopt;
  const double share = (verdict.score - scale.low()) / (scale.high() - scale.low());
  return is_better_low(item) ? 1 - share : share;
}

// The label that was chosen, from 1: the likeliest, where there are probabilities.
std::optional<std::size_t> find_choice(const core::Verdict& verdict) {
  if (!core::is_scored(verdict)) return std::nullopt;
  double score = verdict.score;
  if (verdict.distribution && !verdict.distribution->shares.empty())
    score =
        std::ranges::max_element(verdict.distribution->shares, {}, &core::ScoreShare::probability)
            ->score;
  return static_cast<std::size_t>(std::lround(score));
}

void count_verdicts(const std::vector<judge::Judgement>& judgements, ExamGrade& grade) {
  for (const judge::Judgement& judgement : judgements) {
    ++grade.verdicts;
    if (!core::is_scored(judgement.verdict) && !judgement.verdict.answer_declines) ++grade.missing;
    const auto& readings = judgement.readings;
    for (std::size_t a = 0; a < readings.size(); ++a)
      for (std::size_t b = a + 1; b < readings.size(); ++b) {
        if (readings[a].order != readings[b].order) continue;
        const core::Verdict& one = readings[a].verdict;
        const core::Verdict& other = readings[b].verdict;
        ++grade.repeats;
        if (one.kind == other.kind && one.answer_declines == other.answer_declines &&
            (!core::is_scored(one) || one.score == other.score))
          ++grade.repeats_alike;
      }
  }
}

void grade_trap(const ExamItem& item, const std::vector<std::optional<double>>& values,
                const core::Verdict& verdict, ExamGrade& grade) {
  if (compares_answers(item)) {
    if (!values[0] || !values[1]) return;
    grade.shift = *values[1] - *values[0];
    grade.credit =
        1 - (item.expected == "same" ? std::abs(*grade.shift) : std::max(0.0, *grade.shift));
  } else if (item.flaw == "refusal") {
    if (!core::is_scored(verdict) && !verdict.answer_declines) return;
    grade.credit = verdict.answer_declines == (item.expected == "refused") ? 1 : 0;
  } else if (verdict.kind != core::VerdictKind::Failed) {
    grade.credit = !values[0] || *values[0] == 0 ? 1 : 0;
  }
}

void grade_comparisons(const ExamItem& item, const Sitting& sitting, ExamGrade& grade) {
  double right = 0;
  double first = 0;
  for (std::size_t order = 0; order < sitting.paired.size(); ++order) {
    const auto choice = find_choice(sitting.paired[order].verdict);
    if (!choice) return;
    if (*choice == 1) ++first;
    // The second time the answers stand the other way round.
    const std::size_t chosen = order == 0 ? *choice - 1 : 2 - *choice;
    if (!item.gold.empty() && chosen == item.gold.front()) ++right;
  }
  grade.first = first / 2;
  if (item.kind == ExamKind::Pair) grade.paired = right / 2;
}

core::Verdict combine_choices(const std::vector<core::Verdict>& verdicts) {
  core::ScoreDistribution sum;
  for (const core::Verdict& verdict : verdicts) {
    if (!core::is_scored(verdict)) continue;
    std::vector<core::ScoreShare> shares{{verdict.score, 1}};
    if (verdict.distribution) shares = verdict.distribution->shares;
    for (const core::ScoreShare& share : shares) {
      const auto known = std::ranges::find(sum.shares, share.score, &core::ScoreShare::score);
      if (known == sum.shares.end())
        sum.shares.push_back(share);
      else
        known->probability += share.probability;
    }
  }
  core::Verdict verdict = judge::combine_panel(verdicts, judge::PanelRule::Mean);
  if (!sum.shares.empty()) {
    std::ranges::sort(sum.shares, {}, &core::ScoreShare::score);
    verdict.distribution = std::move(sum);
  }
  return verdict;
}

}  // namespace

ExamGrade grade_sitting(const ExamCase& one, const judge::Scale& scale, const Sitting& sitting) {
  const ExamItem& item = one.item;
  ExamGrade grade;
  // That an empty answer cannot be assessed is right.
  if (item.flaw != "empty") count_verdicts(sitting.alone, grade);
  count_verdicts(sitting.paired, grade);
  if (item.kind == ExamKind::WhoSpeaks) {
    if (const auto choice = find_choice(sitting.alone.front().verdict))
      grade.credit = *choice == item.gold.front() + 1 ? 1 : 0;
    return grade;
  }
  std::vector<std::optional<double>> values;
  std::vector<double> known;
  for (std::size_t i = 0; i < sitting.alone.size(); ++i) {
    values.push_back(find_value(item, scale, sitting.alone[i].verdict));
    if (!values.back()) continue;
    known.push_back(*values.back());
    grade.scored.push_back({count_words(item.answers[i]), *values.back()});
  }
  const bool has_all = known.size() == values.size();
  if (item.kind == ExamKind::Pair && has_all) {
    const double good = known[item.gold.front()];
    const double bad = known[1 - item.gold.front()];
    grade.credit = good > bad ? 1 : good < bad ? 0 : 0.5;
  }
  if (item.kind == ExamKind::Ladder && has_all) {
    const std::vector<double> order(item.gold.begin(), item.gold.end());
    const auto tau = stats::kendall_tau_b(known, order);
    grade.tau = tau ? tau->value : 0;
    grade.credit = (*grade.tau + 1) / 2;
  }
  if (item.kind == ExamKind::Trap) grade_trap(item, values, sitting.alone.front().verdict, grade);
  if (sitting.paired.size() == 2) grade_comparisons(item, sitting, grade);
  return grade;
}

Sitting combine_sittings(std::span<const Sitting* const> sittings, const ExamItem& item) {
  Sitting panel;
  const auto combine = [&](std::vector<judge::Judgement> Sitting::* part, bool chooses) {
    for (std::size_t i = 0; i < (sittings.front()->*part).size(); ++i) {
      std::vector<core::Verdict> verdicts;
      for (const Sitting* sitting : sittings) verdicts.push_back((sitting->*part)[i].verdict);
      judge::Judgement judgement;
      judgement.verdict = chooses ? combine_choices(verdicts)
                                  : judge::combine_panel(verdicts, judge::PanelRule::Mean);
      (panel.*part).push_back(std::move(judgement));
    }
  };
  combine(&Sitting::alone, item.kind == ExamKind::WhoSpeaks);
  combine(&Sitting::paired, true);
  return panel;
}

}  // namespace personascope::eval::exam
