#include <array>
#include <atomic>
#include <filesystem>
#include <thread>

#include "app/data.hpp"
#include "app/lens.hpp"
#include "app/models.hpp"
#include "app/paths.hpp"
#include "base/text.hpp"
#include "eval/personalens/drawn_users.hpp"
#include "eval/personalens/folder_users.hpp"
#include "eval/personalens/planning.hpp"
#include "eval/personalens/profile_writing.hpp"
#include "llm/providers/catalog.hpp"

namespace personascope::app {
namespace {

namespace lens = eval::personalens;

Result<std::vector<int>> list_wanted(const ProfilesCommand& command) {
  ASSIGN_OR_RETURN(auto named, lens::find_named_users(command.users, std::nullopt));
  if (named) return std::move(*named);
  std::vector<int> users;
  for (int number = 0; number < command.count; ++number) users.push_back(number);
  return users;
}

// That nobody's files are lost.
Result<void> check_new(const ProfilesCommand& command, const std::vector<int>& users) {
  std::error_code ignored;
  for (const int user : users) {
    const std::string path =
        fmt::format("{}/profile/user{}/profile.json", make_absolute(command.folder), user);
    if (!command.force && std::filesystem::exists(path, ignored))
      return fail(
          ErrorKind::Invalid,
          "{} exists already: name another folder with `output`, or replace it with `force`",
          printable(path));
  }
  return {};
}

Result<lens::ProfilesPlan> make_plan(const Context& context, const ProfilesCommand& command) {
  lens::ProfilesPlan plan;
  ASSIGN_OR_RETURN(plan.ours, find_data(context, "lens"));
  ASSIGN_OR_RETURN(plan.sha256, lens::hash_profile_sources(plan.ours));
  ASSIGN_OR_RETURN(plan.users, list_wanted(command));
  plan.folder = make_absolute(command.folder);
  plan.seed = command.seed;
  ASSIGN_OR_RETURN(const std::string model, choose_model(context, command.model));
  plan.model = llm::make_absolute_name(lens::route_lens_model(model));
  return plan;
}

EvaluationSetup make_setup(const lens::ProfilesPlan& plan) {
  return {.command = "profiles",
          .plan = lens::to_json(plan),
          .addressed = {plan.model},
          .has_judge = false,
          .make = make_with<lens::ProfileWriting>(plan)};
}

EvaluationFlags flags_of(const ProfilesCommand& command) {
  return {.output = std::nullopt, .base_url = command.base_url, .engine = command.engine};
}

}  // namespace

Json to_json(const ProfilesMade& made) {
  return {{"folder", made.folder},
          {"users", made.users},
          {"tasks", made.tasks},
          {"multi_tasks", made.multi_tasks}};
}

Result<ProfilesMade> make_profiles(Context& context, const ProfilesCommand& command) {
  ASSIGN_OR_RETURN(const std::string ours, find_data(context, "lens"));
  ASSIGN_OR_RETURN(const lens::Vocabulary vocabulary, lens::load_vocabulary(ours));
  ASSIGN_OR_RETURN(const std::vector<int> users, list_wanted(command));
  RETURN_IF_ERROR(check_new(command, users));
  const std::string folder = make_absolute(command.folder);
  std::atomic<std::size_t> next{0};
  struct Share {
    Result<void> done;
    std::int64_t tasks = 0;
    std::int64_t multi = 0;
  };
  std::array<Share, 2> shares;
  const auto work = [&](Share& share) {
    for (std::size_t i = next++; i < users.size() && share.done; i = next++) {
      const lens::User user = lens::draw_user(vocabulary, command.seed, users[i]);
      const auto single = lens::draw_tasks(vocabulary, command.seed, user, lens::Span::Single);
      const auto multi = lens::draw_tasks(vocabulary, command.seed, user, lens::Span::Multi);
      share.tasks += std::ssize(single);
      share.multi += std::ssize(multi);
      share.done = lens::save_user(folder, user, single, multi);
    }
  };
  {
    const std::jthread helper([&] { work(shares[1]); });
    work(shares[0]);
  }
  ProfilesMade made{folder, std::ssize(users), 0, 0};
  for (Share& share : shares) {
    if (!share.done) return std::unexpected(std::move(share.done).error());
    made.tasks += share.tasks;
    made.multi_tasks += share.multi;
  }
  return made;
}

Result<run::Run> write_profiles(Context& context, const ProfilesCommand& command,
                                const Listener& listener) {
  ASSIGN_OR_RETURN(const lens::ProfilesPlan plan, make_plan(context, command));
  RETURN_IF_ERROR(check_new(command, plan.users));
  return start_evaluation(context, make_setup(plan), flags_of(command), listener);
}

Result<std::vector<run::Estimate>> estimate_profiles(Context& context,
                                                     const ProfilesCommand& command) {
  ASSIGN_OR_RETURN(const lens::ProfilesPlan plan, make_plan(context, command));
  return estimate_evaluation(context, make_setup(plan), flags_of(command));
}

Result<EvaluationSetup> load_profiles(const Json& stored) {
  ASSIGN_OR_RETURN(const lens::ProfilesPlan plan, lens::parse_profiles_plan(stored));
  return make_setup(plan);
}

}  // namespace personascope::app
