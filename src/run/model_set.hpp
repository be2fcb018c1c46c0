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
#include "files/environment.hpp"
#include "http/client.hpp"
#include "llm/model.hpp"
#include "llm/prices.hpp"
#include "run/options.hpp"
#include "sched/loop.hpp"

namespace personascope::run {

// Fails as Invalid if money is limited and the model's price is not known.
Result<void> check_price(const EngineOptions& options, const llm::Prices& prices,
                         const llm::Model& model);

class ModelSet {
 public:
  // All three stay alive as long as the set, but for the options, which are copied.
  ModelSet(const files::Environment& environment, const llm::Prices& prices,
           const EngineOptions& options)
      : environment_(environment), prices_(prices), options_(options) {}

  // The model of that name, or why there is none. Lives as long as the set; asked for twice, it is
  // the same one, so that two roles share an embedded model. Sends nothing.
  Result<llm::Model*> add(const std::string& name, const std::optional<std::string>& base_url);

  // For a run's record: what the models inside the program are made of and how they work, by name;
  // empty if there is none.
  Json describe_local() const;

  // For a run's record: the `.env` file that settings were taken from; empty if there is none.
  const std::string& settings_file() const { return environment_.file(); }

  sched::Loop& loop() { return loop_; }

 private:
  const files::Environment& environment_;
  const llm::Prices& prices_;
  EngineOptions options_;
  sched::Loop loop_;
  http::Client client_{loop_};
  std::map<std::pair<std::string, std::optional<std::string>>, std::unique_ptr<llm::Model>>
      models_;  // by name and address
};

}  // namespace personascope::run
