// A command of the catalog: its flags come from the descriptions of its options.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/catalog.hpp"
#include "app/gates.hpp"
#include "base/json.hpp"
#include "cli/command.hpp"

namespace personascope::cli {

// As it was typed.
struct CatalogFlags {
  const app::Command* command = nullptr;
  CommonFlags common;
  Json given = Json::object();
  bool estimate = false;
  bool yes = false;
};

// Adds the command `name` ("gym run") below `parent`; `carry_out` is called in place of the
// function below, if there is one. The flags live as long as the command.
CLI::App* add_catalog_command(CLI::App& parent, const std::string& name, const char* examples,
                              std::function<int(const CatalogFlags&)> carry_out = {});

// Adds every evaluation of the catalog that has no group of its own below `program` yet.
void add_other_evaluations(CLI::App& program);

// The models, if there are several: the command is then a study of one run each. Else empty.
std::vector<std::string> list_models(const CatalogFlags& flags);

// Runs or estimates the study; returns the exit code. `gates` are those of each run.
int carry_out_models(const CatalogFlags& flags, const app::RunGates& gates);

// Runs or estimates; returns the exit code. `look_at` sees the summary of a run, if there is one.
int carry_out_command(const CatalogFlags& flags,
                      const std::function<void(const app::RunSummary&)>& look_at = {});

}  // namespace personascope::cli
