// The scores of a stored run as a ScoreTable.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "report/score_table.hpp"
#include "stats/estimate.hpp"
#include "store/reader.hpp"

namespace personascope::report {

// One row an item, clustered by persona (or user) where the run's command did so; a score is
// missing where the item was refused, failed or could not be assessed. Where items have several
// scores, as the dimensions of the lens, `name` says which. Fails as NotFound if there is no such
// run, and as Invalid if it has no such scores: a batch, or a run that is not done.
Result<ScoreTable> load_run_scores(store::Reader& reader, std::int64_t run,
                                   const std::optional<std::string>& name = {});

// The same with one column for each judge of the run's panel.
Result<ScoreTable> load_panel_scores(store::Reader& reader, std::int64_t run);

// The scale that the run's scores are on, if it is known.
Result<std::optional<stats::Scale>> load_run_scale(store::Reader& reader, std::int64_t run,
                                                   const std::optional<std::string>& name = {});

}  // namespace personascope::report
