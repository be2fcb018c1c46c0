#include "run/run_id.hpp"

#include <fmt/format.h>

#include <random>
#include <utility>

#include "base/clock.hpp"

namespace personascope::run {

std::string make_run_uid() {
  std::random_device source;
  std::string uid;
  for (int i = 0; i < 4; ++i) uid += fmt::format("{:08x}", source());
  return uid;
}

Result<store::RunRecord> create_run(store::Store& store, std::string command, Json plan,
                                    std::int64_t units, std::string_view version,
                                    const ModelSet* models) {
  store::RunRecord run;
  run.uid = make_run_uid();
  run.command = std::move(command);
  run.plan = std::move(plan);
  run.plan["version"] = version;
  if (models)
    if (Json local = models->describe_local(); !local.empty())
      run.plan["local_models"] = std::move(local);
  if (models && !models->settings_file().empty())
    run.plan["settings_file"] = models->settings_file();
  run.units = units;
  run.started_at = utc_now();
  ASSIGN_OR_RETURN(run.id, store.create_run(run));
  return run;
}

}  // namespace personascope::run
