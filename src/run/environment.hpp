// What every run needs from outside.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "files/environment.hpp"
#include "llm/model_registry.hpp"
#include "llm/prices.hpp"
#include "run/progress.hpp"
#include "store/store.hpp"

namespace personascope::run {

// What it refers to is borrowed and must outlive every run that was started with it. Several runs
// may share all of it; a registry or a price list must not be added to meanwhile. The functions are
// called on the run's thread, but for on_note.
struct RunEnvironment {
  store::Store& store;
  const files::Environment& settings;
  const llm::Prices& prices;
  const llm::ModelRegistry& models;
  ProgressSink on_progress{};
  // Standard output, for `-o -`; empty if it is not free.
  std::function<Result<void>(std::string_view)> write_output{};
  // Is told what to know before anything is sent, before a start returns.
  std::function<void(const std::string& note)> on_note{};
  // The run winds down when a stop is requested. start_run() puts its handle's here.
  std::stop_token stop{};
};

}  // namespace personascope::run
