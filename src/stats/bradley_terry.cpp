#include "stats/bradley_terry.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "stats/cholesky.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

// All verdicts on one pair of players.
struct Pair {
  std::size_t first = 0;
  std::size_t second = 0;
  double wins = 0;
  double losses = 0;
  double ties = 0;
  double count() const { return wins + losses + ties; }
};

struct Tournament {
  std::vector<Pair> pairs;
  std::size_t players = 0;
  bool has_ties = false;

  std::size_t parameters() const { return players + (has_ties ? 1 : 0); }
};

Result<Tournament> collect(std::span<const PairVerdict> verdicts, std::size_t players) {
  std::map<std::pair<std::size_t, std::size_t>, Pair> pairs;
  bool has_wins = false;
  bool has_ties = false;
  for (const PairVerdict& verdict : verdicts) {
    if (std::max(verdict.first, verdict.second) >= players || verdict.first == verdict.second) {
      return fail(ErrorKind::Invalid, "a verdict on {} and {} is no pair of {} players",
                  verdict.first, verdict.second, players);
    }
    const auto [low, high] = std::minmax(verdict.first, verdict.second);
    Pair& pair = pairs.try_emplace({low, high}, Pair{.first = low, .second = high}).first->second;
    const bool is_tie = verdict.outcome == PairOutcome::Tie;
    const bool low_wins = (verdict.outcome == PairOutcome::FirstWins) == (low == verdict.first);
    (is_tie ? pair.ties : low_wins ? pair.wins : pair.losses) += 1;
    (is_tie ? has_ties : has_wins) = true;
  }
  if (!has_wins) return fail(ErrorKind::Invalid, "nobody ever won: strengths are undefined");
  Tournament problem{.pairs = {}, .players = players, .has_ties = has_ties};
  for (const auto& [key, pair] : pairs) problem.pairs.push_back(pair);
  return problem;
}

// Whether a chain of wins or ties leads from player 0 to all others, or back with `reversed`.
bool reaches_all(const Tournament& problem, bool reversed) {
  std::vector<std::vector<std::size_t>> next(problem.players);
  for (const Pair& pair : problem.pairs) {
    const bool down = (reversed ? pair.losses : pair.wins) > 0 || pair.ties > 0;
    const bool up = (reversed ? pair.wins : pair.losses) > 0 || pair.ties > 0;
    if (down) next[pair.first].push_back(pair.second);
    if (up) next[pair.second].push_back(pair.first);
  }
  std::vector<bool> seen(problem.players);
  std::vector<std::size_t> open{0};
  seen[0] = true;
  std::size_t count = 1;
  while (!open.empty()) {
    const std::size_t player = open.back();
    open.pop_back();
    for (const std::size_t other : next[player]) {
      if (seen[other]) continue;
      seen[other] = true;
      ++count;
      open.push_back(other);
    }
  }
  return count == problem.players;
}

// The chances of one pair; `log_total` is the logarithm of their common denominator.
struct Chances {
  double win = 0;
  double loss = 0;
  double tie = 0;
  double log_total = 0;
};

Chances chances_of(const Tournament& problem, const Pair& pair, std::span<const double> x) {
  const double half = (x[pair.first] - x[pair.second]) / 2;
  const double top = std::max({half, -half, problem.has_ties ? x.back() : -std::abs(half)});
  Chances chances;
  chances.win = std::exp(half - top);
  chances.loss = std::exp(-half - top);
  chances.tie = problem.has_ties ? std::exp(x.back() - top) : 0;
  const double total = chances.win + chances.loss + chances.tie;
  chances.win /= total;
  chances.loss /= total;
  chances.tie /= total;
  chances.log_total = top + std::log(total);
  return chances;
}

double log_likelihood(const Tournament& problem, std::span<const double> x) {
  Sum sum;
  for (const Pair& pair : problem.pairs) {
    const double half = (x[pair.first] - x[pair.second]) / 2;
    sum.add((pair.wins - pair.losses) * half);
    if (problem.has_ties) sum.add(pair.ties * x.back());
    sum.add(-pair.count() * chances_of(problem, pair, x).log_total);
  }
  return sum.value();
}

struct TournamentDerivatives {
  explicit TournamentDerivatives(std::size_t n) : gradient(n), information(n) {}
  std::vector<double> gradient;
  Matrix information;  // plus 1 in every cell of two players, which fixes the mean at 0
};

// The model is an exponential family: gradient = observed - expected, information = covariance.
TournamentDerivatives derive(const Tournament& problem, std::span<const double> x) {
  TournamentDerivatives result(problem.parameters());
  for (std::size_t i = 0; i < problem.players; ++i) {
    for (std::size_t j = 0; j < problem.players; ++j) result.information(i, j) = 1;
  }
  for (const Pair& pair : problem.pairs) {
    const Chances chances = chances_of(problem, pair, x);
    const double expected = (chances.win - chances.loss) / 2;
    const double first = (pair.wins - pair.losses) / 2 - pair.count() * expected;
    const double second = pair.count() * ((chances.win + chances.loss) / 4 - expected * expected);
    const std::size_t i = pair.first;
    const std::size_t j = pair.second;
    result.gradient[i] += first;
    result.gradient[j] -= first;
    result.information(i, i) += second;
    result.information(j, j) += second;
    result.information(i, j) -= second;
    result.information(j, i) -= second;
    if (!problem.has_ties) continue;
    const std::size_t t = problem.players;
    const double mixed = pair.count() * expected * chances.tie;
    result.gradient[t] += pair.ties - pair.count() * chances.tie;
    result.information(t, t) += pair.count() * chances.tie * (1 - chances.tie);
    result.information(i, t) -= mixed;
    result.information(t, i) -= mixed;
    result.information(j, t) += mixed;
    result.information(t, j) += mixed;
  }
  return result;
}

// Newton's method with halved steps; the log likelihood is concave.
Result<std::vector<double>> maximize(const Tournament& problem) {
  std::vector<double> best(problem.parameters());
  double height = log_likelihood(problem, best);
  for (int iteration = 0; iteration < 200; ++iteration) {
    const TournamentDerivatives derivatives = derive(problem, best);
    ASSIGN_OR_RETURN(const Cholesky factor, Cholesky::create(derivatives.information));
    const std::vector<double> step = factor.solve(derivatives.gradient);
    const double longest =
        std::abs(std::ranges::max(step, {}, [](double s) { return std::abs(s); }));
    if (longest < 1e-12) break;
    std::vector<double> next = best;
    double next_height = height;
    for (double length = 1; length > 1e-6; length /= 2) {
      for (std::size_t i = 0; i < step.size(); ++i) next[i] = best[i] + length * step[i];
      next_height = log_likelihood(problem, next);
      if (next_height > height) break;
    }
    if (!(next_height > height)) break;
    best = next;
    height = next_height;
  }
  return best;
}

}  // namespace

Result<BradleyTerry> fit_bradley_terry(std::span<const PairVerdict> verdicts, std::size_t players,
                                       double confidence) {
  if (players < 2)
    return fail(ErrorKind::Invalid, "strengths need 2 players, there are {}", players);
  ASSIGN_OR_RETURN(const Tournament problem, collect(verdicts, players));
  if (!reaches_all(problem, false) || !reaches_all(problem, true)) {
    return fail(ErrorKind::Invalid,
                "some players always won against the others or never met them: their strength is "
                "not finite");
  }
  ASSIGN_OR_RETURN(const std::vector<double> best, maximize(problem));
  ASSIGN_OR_RETURN(const Cholesky factor, Cholesky::create(derive(problem, best).information));
  const std::vector<double> inverse = factor.inverse_diagonal();

  BradleyTerry result;
  result.log_likelihood = log_likelihood(problem, best);
  if (problem.has_ties) result.ties = std::exp(best.back());
  const double mean = mean_of(std::span(best).first(players));
  std::vector<std::size_t> verdicts_on(players);
  for (const PairVerdict& verdict : verdicts) {
    ++verdicts_on[verdict.first];
    ++verdicts_on[verdict.second];
  }
  for (std::size_t player = 0; player < players; ++player) {
    ASSIGN_OR_RETURN(
        Estimate strength,
        bare_estimate(best[player] - mean, verdicts_on[player],
                      problem.has_ties ? "Bradley-Terry, Davidson ties" : "Bradley-Terry"));
    // The ones added to the information stand in its inverse as 1 / players^2.
    const double variance = inverse[player] - 1 / (real(players) * real(players));
    ASSIGN_OR_RETURN(strength, with_normal_interval(std::move(strength), variance,
                                                    {.scale = {}, .confidence = confidence}));
    result.log_strengths.push_back(std::move(strength));
  }
  return result;
}

}  // namespace personascope::stats
