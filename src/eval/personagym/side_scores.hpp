// Scores that are reported beside the PersonaScore and are no part of it: by probe, and by the
// rubric beside a task.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "eval/personagym/sheet.hpp"
#include "judge/panel.hpp"
#include "judge/summary.hpp"

namespace personascope::eval::personagym {

// What a tally needs to know of an item: without the judges' words, which would fill the memory of
// a long run.
judge::Tally::Item make_tally_item(std::string cluster, std::string model,
                                   const core::Verdict& verdict,
                                   const std::vector<judge::Judgement>& judgements);
core::Verdict without_text(const core::Verdict& verdict);

// {"mean", "ci95", "n", "outcomes", "bounds", "judges", and "method", "caveats" or "why_no_mean",
// and "panel" if there is one}
Json describe_tally(const judge::Tally& tally);

class SideScores {
 public:
  SideScores(std::vector<std::string> judges, judge::PanelRule rule)
      : judges_(std::move(judges)), rule_(rule) {}

  // The rubric outlives the scores. Items may come in any order; `position` is the item's in the
  // run.
  void take(const std::string& name, const judge::Rubric& rubric, std::int64_t position,
            judge::Tally::Item item);

  // [{"name", "scale", the members of describe_tally}], in the order of the names.
  Json summarize() const;

 private:
  struct Group {
    std::string name;
    const judge::Rubric* rubric;
    std::map<std::int64_t, judge::Tally::Item> items;  // by position
  };
  std::vector<std::string> judges_;
  judge::PanelRule rule_;
  std::vector<Group> groups_;
};

}  // namespace personascope::eval::personagym
