// The scores that judges gave to worthless test dialogues (canaries); a sound judge gives the
// lowest.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/json.hpp"
#include "core/verdict.hpp"
#include "eval/personalens/dimension.hpp"

namespace personascope::eval::personalens {

// One judge's verdict on a dialogue whose assistant says only what the canary says.
struct CanaryScore {
  std::string canary;  // "empty", "colon", "thought", "verdict"
  const Dimension* dimension = nullptr;
  std::size_t judge = 0;  // a place in the plan's judges
  core::Verdict verdict;
};

class CanaryBook {
 public:
  void take(std::size_t item, const std::vector<CanaryScore>& scores);

  // For each judge {"judge", "n", "scored", "mean": of the whole scale, 0 to 1, "by_kind"}; a mean
  // is null where nothing was scored.
  Json summarize(const std::vector<std::string>& judges) const;
  // A sentence for each judge that gave a kind of them more than a quarter of the scale.
  std::vector<std::string> list_notes(const std::vector<std::string>& judges) const;

 private:
  struct Share {
    std::vector<double> values;  // of the scale, of what was scored
    std::size_t asked = 0;
  };
  // By kind; in the order of items and dimensions, not in that in which verdicts came.
  std::map<std::string, Share> shares_of(std::size_t judge) const;

  // How much of the scale each was given, if it was scored; by judge, item, dimension, canary.
  std::map<std::tuple<std::size_t, std::size_t, std::string, std::string>, std::optional<double>>
      shares_;
};

}  // namespace personascope::eval::personalens
