// The runs in the store: to look at, to keep in order, to take out.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "app/run_types.hpp"
#include "base/json.hpp"
#include "base/result.hpp"

namespace personascope::app {

// Newest first. Without a store there are none.
Result<std::vector<RunEntry>> list_runs(Context& context, const RunFilter& filter);

// Why items of a run failed or were refused.
struct Reason {
  core::Outcome outcome = core::Outcome::Failed;
  std::string text;  // the first of its kind, shortened
  std::int64_t count = 0;
};

struct RunDetails {
  RunRecord run;
  std::vector<Reason> reasons;  // most frequent first
};

Result<RunDetails> show_run(Context& context, std::int64_t id);

// A page of items, whole, and how many there are in all.
struct ItemPage {
  std::vector<ItemDetails> items;
  std::int64_t total = 0;
};
Result<ItemPage> load_items(Context& context, std::int64_t run, const ItemFilter& filter);
// `item` is an id or, if no item has that id, a number from 1.
Result<ItemDetails> load_item(Context& context, std::int64_t run, const std::string& item);

Result<void> check_tags(const std::vector<std::string>& tags);
Result<void> change_tags(Context& context, std::int64_t run, const std::vector<std::string>& add,
                         const std::vector<std::string>& remove);
// What delete_run would remove.
Result<Removal> measure_removal(Context& context, std::int64_t run);
Result<Removal> delete_run(Context& context, std::int64_t run);

// Why the items of the run ended badly, most frequent first, at most `limit` reasons.
Result<std::vector<Reason>> list_reasons(store::Reader& reader, std::int64_t run,
                                         std::size_t limit);

Json to_json(const RunEntry& run);
Json to_json(const RunRecord& run);
Json to_json(const RunDetails& details);
Json to_json(const Removal& removal);
// The item with its calls; requests as they were sent only with `prompts`.
enum class Prompts { Show, LeaveOut };
Json to_json(const ItemDetails& details, Prompts prompts);
// What `--json` prints after a run.
Json to_json(const RunSummary& summary);

}  // namespace personascope::app
