#include <fmt/format.h>

#include <filesystem>

#include "app/lens.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/estimate_table.hpp"
#include "cli/lens_table.hpp"
#include "cli/run_command.hpp"
#include "cli/table.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kGatherExamples =
    R"(  personascope lens gather 12                              # run 12 of the store
  personascope lens gather output
  personascope lens gather PersonaLens/output/evaluation -m claude-3-sonnet-v1 -d personalization --json
  personascope lens gather output -d naturalness -f _user --sample 30)";

constexpr const char* kProfilesExamples =
    R"(  personascope lens profiles -o data                  # 1,500 users, data/profile/user0 and so on
  personascope lens profiles --count 100 --seed 7 -o small
  personascope lens profiles --count 20 --model openai/gpt-4o-mini -o written   # summaries by a model
  personascope lens generate --data small --users 0-9 --model openai/gpt-4o-mini)";

struct GatherFlags {
  CommonFlags common;
  app::GatherCommand command;
  std::string unused;  // flags of the published program that mean nothing here
  bool unused_side = false;
};

// A number is a run's, unless there is a folder of that name.
Result<app::Gathered> gather_from(const app::GatherCommand& command, const CommonFlags& common) {
  std::error_code ignored;
  const auto run = find_integer_in(command.folder);
  if (!run || std::filesystem::is_directory(command.folder, ignored))
    return app::gather_lens(command);
  ASSIGN_OR_RETURN(const auto context, app::Context::create(common.context));
  return app::gather_lens_run(*context, *run, command);
}

int gather(const GatherFlags& flags) {
  const auto gathered = gather_from(flags.command, flags.common);
  if (!gathered) return report(gathered.error(), flags.common);
  const Json value = app::to_json(*gathered);
  if (flags.common.json)
    print_json(value);
  else
    fmt::print("{}", render_gathered(value));
  return kDone;
}

struct ProfilesFlags {
  CommonFlags common;
  app::ProfilesCommand command;
  bool estimate = false;
};

int make_profiles(const ProfilesFlags& flags) {
  if (flags.estimate)
    return show_estimates(flags.common, [&](app::Context& context) {
      return app::estimate_profiles(context, flags.command);
    });
  if (!flags.command.model.empty())
    return watch_run(flags.common, [&](app::Context& context, const app::Listener& listener) {
      return app::write_profiles(context, flags.command, listener);
    });
  auto context = app::Context::create(flags.common.context);
  if (!context) return report(context.error(), flags.common);
  return show(app::make_profiles(**context, flags.command), flags.common,
              [](const app::ProfilesMade& made) {
                fmt::print("{} users with {} tasks in one domain and {} across several in {}\n",
                           render_count(made.users), render_count(made.tasks),
                           render_count(made.multi_tasks), printable(made.folder));
              });
}

}  // namespace

void add_lens_gather(CLI::App& lens) {
  const auto flags = std::make_shared<GatherFlags>();
  CLI::App* command = add_command(
      lens, "gather", "Summarize the verdicts of a run, or of files in the published form",
      kGatherExamples, [flags] { return gather(*flags); });
  app::GatherCommand& wanted = flags->command;
  wanted.folder = "output";
  command
      ->add_option("RUN|DIR", wanted.folder,
                   "a run's number; or the folder output, output/evaluation, or the one that "
                   "contains output (default output)")
      ->type_name("");
  add_flag_with_value(*command, "-d,--dimension", wanted.dimension,
                      "only this dimension, e.g. task_completion (all)")
      ->type_name("NAME");
  command->add_option("--eval_dimension", wanted.dimension)->group("");
  add_flag_with_value(*command, "-m,--model", wanted.model, "only this assistant")
      ->type_name("MODEL");
  command->add_option("--model_id_asst", wanted.model)->group("");
  add_flag_with_value(*command, "-i,--judge", wanted.judge, "only this judge")->type_name("MODEL");
  command->add_option("--model_id_eval", wanted.judge)->group("");
  // May be empty: the published scripts say so for files without an ending.
  command->add_option("-f,--file-ext", wanted.ending, "only files with this ending: _user or _asst")
      ->envname(variable_of("--file-ext"))
      ->type_name("END")
      ->expected(0, 1);
  command->add_option("--file_ext", wanted.ending)->group("")->expected(0, 1);
  add_flag_with_value(*command, "--domain", wanted.domain, "only tasks in this domain, e.g. Books")
      ->type_name("NAME");
  command->add_flag("--single-domain", wanted.single_only, "only tasks in one domain");
  command->add_flag("--multi-domain,--multi_domain", wanted.multi_only,
                    "only tasks across several domains (-md)");
  command->add_flag("--demographics,--demographic", wanted.demographics,
                    "with --model: the assistant knew the demographics");
  command->add_flag("-p,--past-interactions,--past_interaction_summary", wanted.past,
                    "with --model: it knew past interactions");
  command->add_flag("--situation", wanted.situation, "with --model: it knew the situation");
  add_flag_with_value(*command, "--users", wanted.users.users, "only these users, such as 0-99,250")
      ->type_name("LIST");
  add_flag_with_value(*command, "--sample", wanted.users.sample,
                      "the fixed sample of 20, 30, 50 or 100 users (-s3, -s5, -s10)")
      ->type_name("N")
      ->check(CLI::IsMember({20, 30, 50, 100}));
  command->add_option("-s,--start_index", wanted.users.first, "the first user")->type_name("N");
  command->add_option("-e,--end_index", wanted.users.last, "the last user")->type_name("N");
  command->add_option("-u,--model_id_user", flags->unused)->group("");
  command->add_option("-r,--bedrock_region", flags->unused)->group("");
  command->add_flag("-a,--assistant", flags->unused_side)->group("");
  add_common_flags(*command, flags->common);
}

void add_lens_profiles(CLI::App& lens) {
  const auto flags = std::make_shared<ProfilesFlags>();
  CLI::App* command =
      add_command(lens, "profiles", "Draw users with profiles and tasks, and write their files",
                  kProfilesExamples, [flags] { return make_profiles(*flags); });
  add_flag_with_value(*command, "--count", flags->command.count, "number of users (default 1500)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000));
  add_flag_with_value(*command, "--seed", flags->command.seed,
                      "seed of the random choices (default 0)")
      ->type_name("N");
  add_flag_with_value(*command, "--users", flags->command.users.users,
                      "only these users, such as 0-99,250")
      ->type_name("LIST");
  add_flag_with_value(*command, "-o,--output", flags->command.folder,
                      "folder to write to; files go to DIR/profile/userN")
      ->type_name("DIR")
      ->required();
  command->add_flag("--force", flags->command.force, "replace existing files of users")
      ->envname(variable_of("--force"));
  add_flag_with_value(
      *command, "-m,--model", flags->command.model,
      "model that writes the summaries of past interactions (default: sentences from templates)")
      ->type_name("MODEL");
  add_flag_with_value(*command, "--base-url", flags->command.base_url,
                      "address of the model, if not its provider's usual one")
      ->type_name("URL");
  command->add_flag("--estimate,--dry-run", flags->estimate,
                    "with --model: only estimate calls, tokens and cost");
  add_engine_flags(*command, flags->command.engine);
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
