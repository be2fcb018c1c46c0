// Verdicts of a run gathered as `lens gather` gathers them from files: while it runs, and later
// from the store, where every dialogue keeps what its judges said.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "eval/personalens/gather.hpp"
#include "eval/personalens/judging.hpp"

namespace personascope::eval::personalens {

// {"personalization": [[3, 3], [null, 30]], …}: by judge our reading and the published one.
Json list_readings(const std::vector<DimensionScore>& scores);

class VerdictBook {
 public:
  // `wishes` need no folder here. Fails as Invalid for a wrong wish.
  static Result<VerdictBook> create(const GatherWishes& wishes, const LensPlan& plan);

  // A dialogue's readings; what is not in their form is left out. `verdicts`, as items store them,
  // give the judges' reasons.
  void take(int user, const std::string& task, const Knowledge& knowledge, const Json& readings,
            const Json* verdicts = nullptr);
  Gathered finish() const;

 private:
  VerdictBook() = default;

  GatherWishes wishes_;
  std::string assistant_label_;
  std::map<std::string, std::string> models_;  // by label
  std::vector<std::string> judge_labels_;
  std::vector<const Dimension*> dimensions_;
  struct Reading {
    std::string task;
    GatheredRow row;  // without its task
  };
  struct Key {
    std::string assistant;
    const Dimension* dimension = nullptr;
    std::string judge;
    auto operator<=>(const Key&) const = default;
  };
  std::map<Key, std::vector<Reading>> groups_;
};

// For tables: every group without the lists of its files.
Json summarize_groups(const Gathered& gathered);

}  // namespace personascope::eval::personalens
