// What every command works with: settings, prices and the store.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "eval/planning.hpp"
#include "files/environment.hpp"
#include "llm/prices.hpp"
#include "run/session.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/store.hpp"

namespace personascope::app {

struct ContextOptions {
  std::optional<std::string> store;   // a file; default: personascope.db in the home folder
  std::optional<std::string> prices;  // a price file to add to the built-in list
};

// How the one who calls wants to be told what goes on.
struct Listener {
  run::ProgressSink on_progress;
  std::function<Result<void>(std::string_view)> write_output;
};

class Context {
 public:
  // Reads settings and prices; fails as Invalid on a broken file.
  static Result<std::unique_ptr<Context>> create(const ContextOptions& options);

  const files::Environment& environment() const { return environment_; }
  const llm::Prices& prices() const { return prices_; }
  // $PERSONASCOPE_HOME, else the XDG data folder.
  const std::string& home() const { return home_; }
  const std::string& store_path() const { return store_path_; }
  // What plan-making may look at; valid as long as the context.
  eval::PlanContext plan_context() const { return {environment_, home_}; }

  // The store, opened at the first call and made if it is missing.
  Result<store::Store*> store();

  Result<run::Surroundings> surroundings(const Listener& listener);
  // For what sends nothing: a provider's missing key is no hindrance, or neither key nor address.
  Result<run::Surroundings> surroundings_without_keys();
  Result<run::Surroundings> surroundings_without_access();

 private:
  Context(files::Environment environment, const ContextOptions& options);
  Result<run::Surroundings> surroundings_for_no_call(files::Environment environment);

  files::Environment environment_;
  std::optional<files::Environment> environment_for_no_call_;  // made when needed
  llm::Prices prices_;
  std::string home_;
  std::string store_path_;
  std::unique_ptr<store::Store> store_;
};

}  // namespace personascope::app
