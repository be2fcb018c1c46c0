#include "judge/identification.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "stats/score_mean.hpp"
#include "stats/sum.hpp"

namespace personascope::judge {
namespace {

Result<void> check_answer(const ScoredAnswer& answer, std::size_t personas) {
  if (answer.candidates.size() < 2)
    return fail(ErrorKind::Invalid, "an answer needs at least two candidates to be told apart");
  std::set<std::size_t> seen;
  for (const Candidate& candidate : answer.candidates) {
    if (candidate.persona >= personas)
      return fail(ErrorKind::Invalid, "there is no persona {} among {}", candidate.persona,
                  personas);
    if (!std::isfinite(candidate.score))
      return fail(ErrorKind::Invalid, "an answer has no proper score under persona {}",
                  candidate.persona);
    if (!seen.insert(candidate.persona).second)
      return fail(ErrorKind::Invalid, "persona {} is a candidate twice", candidate.persona);
  }
  if (!seen.contains(answer.persona))
    return fail(ErrorKind::Invalid, "the true persona {} is not among the candidates",
                answer.persona);
  return {};
}

// How likely each persona makes answers that are not its own.
class Pull {
 public:
  Pull(std::span<const ScoredAnswer> answers, std::size_t personas)
      : sums_(personas), counts_(personas) {
    stats::Sum all;
    std::size_t count = 0;
    for (const ScoredAnswer& answer : answers) {
      for (const Candidate& candidate : answer.candidates) {
        if (candidate.persona == answer.persona) continue;
        sums_[candidate.persona].add(candidate.score);
        ++counts_[candidate.persona];
        all.add(candidate.score);
        ++count;
      }
    }
    overall_ = all.value() / stats::real(count);
  }

  // The candidate's score above what its persona does to answers other than this one that are not
  // its own. The mean of all personas has the weight of one reading, for those seldom read.
  double centre(const Candidate& candidate, std::size_t truth) const {
    double sum = sums_[candidate.persona].value() + overall_;
    std::size_t count = counts_[candidate.persona] + 1;
    if (candidate.persona != truth) {
      sum -= candidate.score;
      --count;
    }
    return candidate.score - sum / stats::real(count);
  }

 private:
  std::vector<stats::Sum> sums_;
  std::vector<std::size_t> counts_;
  double overall_ = 0;
};

// The mean of 1/rank when every order is equally likely.
double chance_of_rank(std::size_t candidates) {
  stats::Sum sum;
  for (std::size_t rank = 1; rank <= candidates; ++rank) sum.add(1 / stats::real(rank));
  return sum.value() / stats::real(candidates);
}

}  // namespace

Result<Identification> identify(std::span<const ScoredAnswer> answers, std::size_t personas) {
  constexpr double kTie = 1e-12;
  if (answers.empty()) return fail(ErrorKind::Invalid, "there are no answers to identify");
  for (const ScoredAnswer& answer : answers) RETURN_IF_ERROR(check_answer(answer, personas));

  Identification result;
  const Pull pull(answers, personas);
  std::vector<std::size_t> clusters;
  for (const ScoredAnswer& answer : answers) {
    double truth = 0;
    double best = -INFINITY;
    for (const Candidate& candidate : answer.candidates) {
      const double centred = pull.centre(candidate, answer.persona);
      if (candidate.persona == answer.persona) truth = centred;
      best = std::max(best, centred);
    }
    std::size_t above = 0;
    std::size_t equal = 0;  // the true one included
    std::vector<std::size_t> first;
    for (const Candidate& candidate : answer.candidates) {
      const double centred = pull.centre(candidate, answer.persona);
      if (centred > truth + kTie)
        ++above;
      else if (centred >= truth - kTie)
        ++equal;
      if (centred >= best - kTie) first.push_back(candidate.persona);
    }
    for (const std::size_t named : first)
      result.confusion[{answer.persona, named}] += 1 / stats::real(first.size());
    const bool shares_first = std::ranges::find(first, answer.persona) != first.end();
    result.hits.push_back(shares_first ? 1 / stats::real(first.size()) : 0);
    stats::Sum reciprocal;
    for (std::size_t place = 1; place <= equal; ++place)
      reciprocal.add(1 / stats::real(above + place));
    result.reciprocal_ranks.push_back(reciprocal.value() / stats::real(equal));
    const std::size_t count = answer.candidates.size();
    result.chance_accuracy += 1 / stats::real(count) / stats::real(answers.size());
    result.chance_reciprocal_rank += chance_of_rank(count) / stats::real(answers.size());
    clusters.push_back(answer.persona);
  }
  const stats::IntervalOptions options{.scale = stats::kUnitScale};
  ASSIGN_OR_RETURN(result.accuracy, stats::score_mean(result.hits, clusters, options));
  ASSIGN_OR_RETURN(result.reciprocal_rank,
                   stats::score_mean(result.reciprocal_ranks, clusters, options));
  return result;
}

Result<stats::PairedComparison> compare_with_control(const Identification& answers,
                                                     const Identification& control,
                                                     std::span<const std::size_t> item_personas) {
  return stats::compare_paired(control.hits, answers.hits, item_personas,
                               {.scale = stats::kUnitScale});
}

}  // namespace personascope::judge
