#include "stats/reasons.hpp"

namespace personascope::stats {

Json reasons_of(const Estimate& estimate) {
  Json reasons = Json::array();
  for (const Caveat caveat : estimate.caveats) {
    Json reason = {{"code", std::string(code_of(caveat))}, {"clusters", estimate.clusters}};
    if (const auto needed = needed_for(caveat)) reason["needed"] = *needed;
    if (caveat == Caveat::DominantCluster) {
      reason["largest_share"] = estimate.largest_share;
      if (estimate.effective_clusters) reason["effective_clusters"] = *estimate.effective_clusters;
    }
    reasons.push_back(std::move(reason));
  }
  return reasons;
}

std::vector<std::string> sentences_of(const Estimate& estimate, std::string_view unit) {
  std::vector<std::string> sentences;
  for (const Caveat caveat : estimate.caveats) {
    if (caveat == Caveat::DominantCluster && estimate.effective_clusters) {
      sentences.push_back(fmt::format(
          "one {0} has {1:.0f} % of the rows, so the result depends on it: {2} {0}s count as "
          "{3:.1f}",
          unit, 100 * estimate.largest_share, estimate.clusters, *estimate.effective_clusters));
    } else {
      sentences.push_back(sentence_of(caveat, unit));
    }
  }
  return sentences;
}

}  // namespace personascope::stats
