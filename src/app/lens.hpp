// What belongs to the lens besides its evaluation: sums of verdicts, and profiles of drawn users.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "app/evaluation.hpp"
#include "eval/personalens/gather.hpp"
#include "eval/personalens/user_wishes.hpp"
#include "run/estimate.hpp"
#include "run/options.hpp"
#include "run/run.hpp"

namespace personascope::app {

using eval::personalens::Gathered;
using eval::personalens::to_json;
using eval::personalens::UserWishes;

struct GatherCommand {
  std::string folder;
  UserWishes users;
  std::string dimension = "all";
  std::optional<std::string> model;  // the assistant's folder or name
  std::optional<std::string> judge;
  std::optional<std::string> ending;
  std::optional<std::string> domain;  // only tasks in it: "Books"
  bool single_only = false;           // tasks in one domain
  bool multi_only = false;            // tasks across several
  bool demographics = false;
  bool past = false;
  bool situation = false;
};
Result<Gathered> gather_lens(const GatherCommand& command);
// The same of a run in the store, finished or not; the command's folder does not matter. Fails as
// NotFound if there is no such run, as Invalid if it is none of the lens.
Result<Gathered> gather_lens_run(Context& context, std::int64_t run, const GatherCommand& command);

// Draws users and writes their files below `folder`/profile.
struct ProfilesCommand {
  std::string folder;
  std::int64_t count = 1500;
  std::uint64_t seed = 0;
  UserWishes users;
  bool force = false;  // replace existing files of users
  // Who writes the summaries of past interactions; empty: our own sentences.
  std::string model;
  std::optional<std::string> base_url;
  run::EngineOptions engine;
};
struct ProfilesMade {
  std::string folder;
  std::int64_t users = 0;
  std::int64_t tasks = 0;
  std::int64_t multi_tasks = 0;
};
Json to_json(const ProfilesMade& made);
// With our own sentences; asks no model.
Result<ProfilesMade> make_profiles(Context& context, const ProfilesCommand& command);
// With summaries by the model: a run, which can be resumed.
Result<run::Run> write_profiles(Context& context, const ProfilesCommand& command,
                                const Listener& listener);
Result<std::vector<run::Estimate>> estimate_profiles(Context& context,
                                                     const ProfilesCommand& command);
Result<EvaluationSetup> load_profiles(const Json& stored);

}  // namespace personascope::app
