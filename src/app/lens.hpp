// The lens, as people ask for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "app/evaluation.hpp"
#include "eval/personalens/gather.hpp"
#include "eval/personalens/plan.hpp"
#include "run/estimate.hpp"
#include "run/options.hpp"
#include "run/session.hpp"

namespace personascope::app {

using LensProtocol = eval::personalens::Protocol;
using eval::personalens::Gathered;
using eval::personalens::to_json;

enum class LensStage { Generate, Evaluate, Run };
enum class LensSide { User, Assistant, Both };

// Which users, in any of the ways that people write it; not given: see the command.
struct UserWishes {
  std::optional<std::string> users;    // "0-99,250"
  std::optional<std::int64_t> sample;  // 20, 30, 50 or 100
  std::optional<std::int64_t> first;   // the published program's --start_index and --end_index,
  std::optional<std::int64_t> last;    // both included
};

// The users that are named, ascending; nothing if none are. A range without an end goes on to
// `last`, or to where no user is. Fails as Invalid if they are named in two ways.
Result<std::optional<std::vector<int>>> find_named_users(const UserWishes& wishes,
                                                         std::optional<int> last);

struct LensCommand {
  LensStage stage = LensStage::Run;
  std::optional<std::string> pack;   // an imported one: its users and prompts
  std::optional<std::string> data;   // folder of users
  std::optional<std::string> words;  // folder of prompts and rubrics
  UserWishes users;
  bool multi = false;
  bool both = false;  // tasks in one domain and across several
  std::vector<std::string> domains;
  std::vector<std::string> tasks;
  std::optional<std::int64_t> tasks_per_user;
  std::optional<std::int64_t> limit;
  bool demographics = false;
  bool past = false;
  bool situation = false;
  std::optional<std::string> sweep;  // "none,d,dp", "all"

  std::string model;                    // under test, or whose dialogues are evaluated
  std::optional<std::string> base_url;  // of the model under test
  std::optional<std::string> user_model;
  std::vector<std::string> judges;
  std::vector<std::string> dimensions;
  LensSide side = LensSide::Both;
  std::optional<std::string> reader;
  std::optional<std::int64_t> readings;
  std::optional<std::int64_t> canaries;

  LensProtocol protocol = LensProtocol::Chat;
  std::optional<std::int64_t> max_turns;
  std::optional<std::int64_t> max_tokens;
  std::optional<double> user_temperature;
  std::optional<double> temperature;
  std::optional<std::uint64_t> seed;
  judge::JudgeOptions judging;
  judge::PanelRule rule = judge::PanelRule::Mean;

  std::optional<std::string> tree;   // folder for dialogue/ and evaluation/
  std::optional<std::string> items;  // a file with a line a dialogue
  run::EngineOptions engine;
};

// Checks everything that can be checked before anything is spent, then runs.
Result<run::RunSummary> start_lens(Context& context, const LensCommand& command,
                                   const Listener& listener);
// What it would take, by model and role. Sends nothing and stores nothing.
Result<std::vector<run::Estimate>> estimate_lens(Context& context, const LensCommand& command);
// The evaluation of a stored plan. Fails as Invalid if it is none of it.
Result<EvaluationSetup> load_lens(const Json& stored);

struct GatherCommand {
  std::string folder;
  UserWishes users;
  std::string dimension = "all";
  std::optional<std::string> model;  // the assistant's folder or name
  std::optional<std::string> judge;
  std::optional<std::string> ending;
  bool single_only = false;  // tasks in one domain
  bool multi_only = false;   // tasks across several
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
  bool force = false;  // replace users' files that are there
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
Result<run::RunSummary> write_profiles(Context& context, const ProfilesCommand& command,
                                       const Listener& listener);
Result<std::vector<run::Estimate>> estimate_profiles(Context& context,
                                                     const ProfilesCommand& command);
Result<EvaluationSetup> load_profiles(const Json& stored);

// The name as "provider/model": the published program's short names are Bedrock's.
std::string route_lens_model(const std::string& name);
// What a model's folders are called: the short name itself, else the name made safe.
std::string label_lens_model(const std::string& name);

}  // namespace personascope::app
