// The items of a run with their contents, from the store or from a file that `export` or an
// evaluation's output wrote. Comparisons start from them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/item.hpp"
#include "report/score_table.hpp"
#include "store/reader.hpp"

namespace personascope::report {

struct RunItems {
  std::string source;                   // "run 3", or the file's path
  std::optional<store::RunRecord> run;  // nothing for a file
  std::vector<core::ItemRecord> items;  // without canaries, controls and probes
};

// Fails as NotFound if there is no such run, and as Invalid if it is not done or was not graded.
Result<RunItems> load_run_items(store::Reader& reader, std::int64_t run);

// Reads JSONL, JSON or CSV with the columns of an export of items, or the verdicts that `judge`
// writes. Nothing if it is another file; fails as Invalid if it is damaged or has items of several
// runs.
Result<std::optional<RunItems>> find_item_file(const std::string& path);

// Of a run whose items have several scores, the one that its most important number is about.
std::optional<std::string> find_main_score(const RunItems& run);

// The scores of a run and how each of its items ended.
struct ItemTable {
  ScoreTable scores;
  std::vector<core::Outcome> outcomes;  // one an item
};

// One row an item and one column. An item that was scored but lacks the chosen score
// counts as failed. Where items have several scores, `score` says which; nothing: the main
// one. Fails as Invalid, with their names, if there is none.
Result<ItemTable> make_item_table(const RunItems& run, const std::optional<std::string>& score);

// The question that an item is a draw of: further draws have "#2", "#3" and so on behind its id.
std::string question_of(const std::string& id);

// What the item was asked: its question and persona, its task and profile, or the texts that were
// judged except the answer. Null if the document tells nothing.
Json find_asked(const core::ItemRecord& item);
// The answer, or the dialogue with a line a message; empty if there is none.
std::string find_answer(const core::ItemRecord& item);

}  // namespace personascope::report
