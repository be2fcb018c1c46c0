// Gathers verdicts from a tree of files in the published form:
// evaluation/userN/<assistant>/<dimension>/<judge>/<task_id>[_user|_asst].txt
//
// Counts are given in our arithmetic (what cannot be read is unread, users and tasks cluster) and
// in the published program's, side by side.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace personascope::eval::personalens {

struct GatherWishes {
  std::string folder;                     // evaluation/, or what holds it
  std::optional<std::vector<int>> users;  // ascending; not given: all
  std::string dimension = "all";          // as choose_dimensions takes it
  std::optional<std::string> assistant;   // its folder
  std::optional<std::string> judge;       // the judge's folder
  std::optional<std::string> ending;      // "_user": only files whose task is followed by it
  unsigned threads = 2;
};

struct GatheredRow {
  std::uint32_t user = 0;
  std::uint32_t task = 0;  // a place in Gathered::tasks
  std::optional<double> ours;
  std::optional<double> published;
  bool cannot_assess = false;  // the judge said so
  std::string reason = {};     // the judge's words, for rows that are rated low or have no score
};

// The files of one assistant, dimension (and side) and judge.
struct GatheredGroup {
  std::string assistant;
  std::string dimension;  // "naturalness"
  std::string suffix;     // "_user"
  std::string judge;
  std::vector<GatheredRow> rows;  // by user, then task
};

struct Gathered {
  std::string folder;                 // in which the users' folders are
  std::vector<std::string> tasks;     // ids, sorted
  std::vector<GatheredGroup> groups;  // sorted
  // Names of models by their folders, where they differ: "openai-gpt-4o-abb375db7ecf".
  std::map<std::string, std::string> models = {};
  std::int64_t other_files = 0;     // that are no verdicts
  std::vector<std::string> faults;  // files that could not be opened, in sentences; a few at most
};

// Fails as NotFound if there is no such tree, and as Invalid for a wrong wish.
Result<Gathered> gather(const GatherWishes& wishes);

// The judge's reason in a reply: the rationale of a JSON object, else the text on one line; cut off
// after a few hundred characters.
std::string reason_in(std::string_view reply);

// {"assistant", "dimension", "side", "judge" (the folders), "assistant_name" and "judge_name" (the
// models, if they are known and called otherwise), "files", "unread", "cannot_assess", "count",
// "mean" or "rate", "ci95", "min", "max", "distribution", "by_domain", "low_rated": {"count",
// "files", "verdicts": [{"user", "task", "score", "reason"}]}, "unread_files", "unread_verdicts",
// "reference": {…}}; "unread" are all without a score, "cannot_assess" those whose judge said so,
// and "reference" is only of a dimension that the published program has.
Json describe_group(const Gathered& gathered, const GatheredGroup& group);

// The document of a group if there is one, else {"groups": […]}; with "notes".
Json to_json(const Gathered& gathered);

}  // namespace personascope::eval::personalens
