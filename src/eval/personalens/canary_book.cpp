#include "eval/personalens/canary_book.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "stats/sum.hpp"

namespace personascope::eval::personalens {
namespace {

constexpr double kFooled = 0.25;

Json mean_or_null(const std::vector<double>& values) {
  return values.empty() ? Json(nullptr) : Json(stats::mean_of(values));
}

}  // namespace

void CanaryBook::take(std::size_t item, const std::vector<CanaryScore>& scores) {
  for (const CanaryScore& score : scores) {
    const Dimension& dimension = *score.dimension;
    auto& share = shares_[{score.judge, item, dimension.key(), score.canary}];
    if (core::is_scored(score.verdict))
      share = (score.verdict.score - dimension.low) / (dimension.high - dimension.low);
  }
}

std::map<std::string, CanaryBook::Share> CanaryBook::shares_of(std::size_t judge) const {
  std::map<std::string, Share> shares;
  for (const auto& [place, given] : shares_) {
    const auto& [of_judge, item, dimension, canary] = place;
    if (of_judge != judge) continue;
    Share& share = shares[canary];
    ++share.asked;
    if (given) share.values.push_back(*given);
  }
  return shares;
}

Json CanaryBook::summarize(const std::vector<std::string>& judges) const {
  Json list = Json::array();
  for (std::size_t judge = 0; judge < judges.size(); ++judge) {
    std::vector<double> all;
    std::size_t asked = 0;
    Json by_kind = Json::object();
    for (const auto& [kind, share] : shares_of(judge)) {
      asked += share.asked;
      all.insert(all.end(), share.values.begin(), share.values.end());
      by_kind[kind] = mean_or_null(share.values);
    }
    if (asked == 0) continue;
    list.push_back({{"judge", judges[judge]},
                    {"n", asked},
                    {"scored", all.size()},
                    {"mean", mean_or_null(all)},
                    {"by_kind", by_kind}});
  }
  return list;
}

std::vector<std::string> CanaryBook::list_notes(const std::vector<std::string>& judges) const {
  std::vector<std::string> notes;
  for (std::size_t judge = 0; judge < judges.size(); ++judge) {
    std::vector<std::string> fooled;
    for (const auto& [kind, share] : shares_of(judge))
      if (!share.values.empty() && stats::mean_of(share.values) > kFooled)
        fooled.push_back(fmt::format("\"{}\" {:.0f} %", kind, 100 * stats::mean_of(share.values)));
    if (!fooled.empty())
      notes.push_back(
          fmt::format("The judge {} gave worthless test dialogues {} of the scale on average; a "
                      "sound judge gives about 0 %.",
                      judges[judge], join(fooled, ", ")));
  }
  return notes;
}

}  // namespace personascope::eval::personalens
