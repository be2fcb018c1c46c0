#include "run/run_id.hpp"

#include <fmt/format.h>

#include <random>
#include <utility>

#include "base/clock.hpp"
#include "base/text.hpp"

namespace personascope::run {
namespace {

std::vector<std::string> list_texts(const Json& plan, const char* member) {
  std::vector<std::string> texts;
  if (const Json* list = find_member(plan, member); list && list->is_array())
    for (const Json& text : *list)
      if (text.is_string()) texts.push_back(text);
  return texts;
}

}  // namespace

std::string make_run_uid() {
  std::random_device source;
  std::string uid;
  for (int i = 0; i < 4; ++i) uid += fmt::format("{:08x}", source());
  return uid;
}

Result<store::RunRecord> create_run(store::Store& store, std::string command, Json plan,
                                    std::int64_t items, std::string_view version,
                                    const ModelSet* models) {
  store::RunRecord run;
  run.uid = make_run_uid();
  run.command = std::move(command);
  run.plan = std::move(plan);
  run.plan["version"] = version;
  if (models)
    if (Json local = models->describe_files(); !local.empty())
      run.plan["local_models"] = std::move(local);
  if (models && !models->settings_file().empty())
    run.plan["settings_file"] = models->settings_file();
  run.items = items;
  run.model = find_text(run.plan, "model").value_or(find_text(run.plan, "assistant").value_or(""));
  run.judge = find_text(run.plan, "judge").value_or(join(list_texts(run.plan, "judges"), ", "));
  if (const Json* engine = find_member(run.plan, "engine")) run.tags = list_texts(*engine, "tags");
  run.started_at = utc_now();
  ASSIGN_OR_RETURN(run.id, store.create_run(run));
  return run;
}

}  // namespace personascope::run
