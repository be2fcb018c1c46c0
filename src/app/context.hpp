// What every command works with: settings, prices and the store.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/configuration.hpp"
#include "base/result.hpp"
#include "eval/planning.hpp"
#include "files/environment.hpp"
#include "llm/model_registry.hpp"
#include "llm/prices.hpp"
#include "run/environment.hpp"
#include "store/sqlite/sqlite_reader.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/store.hpp"

namespace personascope::app {

struct ContextOptions {
  std::optional<std::string> store;   // a file; default: the configuration's, else
                                      // personascope.db in the home folder
  std::optional<std::string> prices;  // a price file to add to the built-in list
};

// How the one who calls wants to be told what goes on. The first two are called on the run's
// thread, and what they refer to must outlive the run; `confirm` is called before a start returns.
struct Listener {
  run::ProgressSink on_progress;
  std::function<Result<void>(std::string_view)> write_output;
  // Asks the user a question of yes or no; without it, the answer is no.
  std::function<bool(const std::string& question)> confirm{};
  // Is told what to know before anything is spent.
  std::function<void(const std::string& note)> on_note{};
};

// Used by one thread at a time; the runs that it has started go on beside it, and must end first.
class Context {
 public:
  // Reads settings, the configuration and prices; fails as Invalid on a broken file.
  static Result<std::unique_ptr<Context>> create(const ContextOptions& options);

  const files::Environment& environment() const { return environment_; }
  const Configuration& configuration() const { return configuration_; }
  const llm::Prices& prices() const { return prices_; }
  // $PERSONASCOPE_HOME, else the XDG data folder.
  const std::string& home() const { return home_; }
  const std::string& store_path() const { return store_path_; }
  // What plan-making may look at; valid as long as the context.
  eval::PlanContext plan_context() const { return {environment_, home_}; }

  // The store, opened at the first call and made if it is missing.
  Result<store::Store*> store();
  // The same, but fails as NotFound if it is missing: for commands that only change what is there.
  Result<store::Store*> existing_store();
  // Reads the store without changing it, unless it is of an older version, which is brought up to
  // date first. Fails as NotFound if it is missing. Lives as long as the context.
  Result<store::Reader*> reader();
  // The same, but null if the store is missing and none was named: there are no runs yet then.
  Result<store::Reader*> find_reader();

  // How models are made. A door adds its own before it starts a run.
  llm::ModelRegistry& models() { return models_; }
  const llm::ModelRegistry& models() const { return models_; }

  // Refers to the context, which must outlive the runs that are started with it.
  Result<run::RunEnvironment> run_environment(const Listener& listener);
  // For what sends nothing: a provider's missing key is no hindrance, or neither key nor address.
  Result<run::RunEnvironment> run_environment_without_keys();
  Result<run::RunEnvironment> run_environment_without_access();

 private:
  Context(files::Environment environment, Configuration configuration,
          const ContextOptions& options);
  Result<run::RunEnvironment> run_environment_for_no_call(files::Environment environment);

  files::Environment environment_;
  std::optional<files::Environment> environment_for_no_call_;  // made when needed
  Configuration configuration_;
  llm::Prices prices_;
  llm::ModelRegistry models_ = llm::ModelRegistry::make_default();
  std::string home_;
  std::optional<std::string> named_store_;  // by the options or the configuration
  std::string store_path_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<store::Reader> reader_;  // where the store itself is not open
};

}  // namespace personascope::app
