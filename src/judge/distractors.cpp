#include "judge/distractors.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "base/random.hpp"
#include "judge/words.hpp"
#include "stats/sum.hpp"

namespace personascope::judge {
namespace {

// A persona that another may be confused with.
struct Rival {
  std::size_t place = 0;
  double likeness = 0;     // shared words among all of both
  std::uint64_t draw = 0;  // breaks ties
};

double likeness_of(const std::vector<std::string>& first, const std::vector<std::string>& second) {
  std::size_t shared = 0;
  for (auto a = first.begin(), b = second.begin(); a != first.end() && b != second.end();) {
    const int order = a->compare(*b);
    if (order == 0) ++shared;
    if (order <= 0) ++a;
    if (order >= 0) ++b;
  }
  const std::size_t all = first.size() + second.size() - shared;
  return all == 0 ? 0 : stats::real(shared) / stats::real(all);
}

std::vector<std::size_t> choose_for(std::size_t truth, std::vector<Rival> rivals,
                                    const DistractorOptions& options) {
  std::vector<std::size_t> chosen{truth};
  std::ranges::stable_sort(rivals, {}, &Rival::draw);
  std::ranges::stable_sort(rivals, std::greater{}, &Rival::likeness);
  const std::size_t near = std::min(options.near, rivals.size());
  for (std::size_t i = 0; i < near; ++i) chosen.push_back(rivals[i].place);
  const std::size_t rest = rivals.size() - near;
  const std::size_t far = std::min(options.far, rest);
  rivals.erase(rivals.begin(), rivals.end() - static_cast<std::ptrdiff_t>(std::max(far, rest / 2)));
  std::ranges::stable_sort(rivals, {}, &Rival::draw);
  for (std::size_t i = 0; i < far; ++i) chosen.push_back(rivals[i].place);
  return chosen;
}

}  // namespace

std::vector<std::vector<std::size_t>> choose_distractors(std::span<const std::string> personas,
                                                         const DistractorOptions& options) {
  std::vector<std::vector<std::string>> words;
  for (const std::string& persona : personas) {
    const std::set<std::string> own = words_of(persona);
    words.emplace_back(own.begin(), own.end());
  }
  std::vector<std::vector<std::size_t>> candidates;
  for (std::size_t truth = 0; truth < personas.size(); ++truth) {
    std::vector<Rival> rivals;
    const std::uint64_t seed = Random(options.seed, "distractors", personas[truth]).next();
    for (std::size_t other = 0; other < personas.size(); ++other) {
      if (personas[other] == personas[truth]) continue;
      rivals.push_back({other, likeness_of(words[truth], words[other]),
                        Random(seed, "distractor", personas[other]).next()});
    }
    candidates.push_back(choose_for(truth, std::move(rivals), options));
  }
  return candidates;
}

}  // namespace personascope::judge
