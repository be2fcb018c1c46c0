// The models of one run, each made once: the check before the run makes them, the session asks
// them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/json.hpp"
#include "base/result.hpp"
#include "base/task.hpp"
#include "files/environment.hpp"
#include "http/client.hpp"
#include "llm/model.hpp"
#include "llm/model_registry.hpp"
#include "llm/prices.hpp"
#include "run/environment.hpp"
#include "run/options.hpp"
#include "sched/loop.hpp"

namespace personascope::run {

// Fails as Invalid if money is limited and the model's price is not known.
Result<void> check_price(const EngineOptions& options, const llm::Prices& prices,
                         const llm::Model& model);

// Made on any thread, then used by one at a time: the run's thread takes it over from the check.
class ModelSet {
 public:
  // What the environment refers to outlives the set; the options are copied.
  ModelSet(const RunEnvironment& environment, const EngineOptions& options)
      : settings_(environment.settings),
        prices_(environment.prices),
        registry_(environment.models),
        options_(options) {}

  // The model of that name, or why there is none. Lives as long as the set; asked for twice, it is
  // the same one, so that two roles share an embedded model. Sends nothing.
  Result<llm::Model*> add(const std::string& name, const std::optional<std::string>& base_url);

  // For a run's record: what the models that are made of a file are made of and how they work, by
  // name; empty if there is none.
  Json describe_files() const;

  // For a run's record: the `.env` file that settings were taken from; empty if there is none.
  const std::string& settings_file() const { return settings_.file(); }

  // Ends what the models keep open at their servers.
  Task<void> close();

  sched::Loop& loop() { return loop_; }

 private:
  const files::Environment& settings_;
  const llm::Prices& prices_;
  const llm::ModelRegistry& registry_;
  EngineOptions options_;
  sched::Loop loop_;
  http::Client client_{loop_};
  std::map<std::pair<std::string, std::optional<std::string>>, std::unique_ptr<llm::Model>>
      models_;  // by name and address
};

}  // namespace personascope::run
