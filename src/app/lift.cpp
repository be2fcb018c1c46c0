#include "app/lift.hpp"

#include "app/paths.hpp"
#include "app/trust.hpp"
#include "app/version.hpp"
#include "base/text.hpp"
#include "llm/embedded/weights.hpp"
#include "llm/providers/catalog.hpp"

namespace personascope::app {
namespace {

struct Prepared {
  run::LiftPlan plan;
  run::LiftInput input;
};

std::optional<run::InputFile> name_file(const std::optional<std::string>& path) {
  if (!path) return std::nullopt;
  return run::InputFile{.path = *path, .sha256 = {}, .lines = 0};
}

Result<Prepared> prepare(const run::LiftOptions& options, const run::EngineOptions& engine) {
  run::LiftPlan plan;
  plan.files = {*name_file(options.input), name_file(options.control), name_file(options.personas)};
  // No provider that needs a key reads likelihoods, so a key in the environment changes nothing.
  plan.model = options.model.empty() ? fmt::format("embedded/{}", llm::embedded::kDefaultModel)
                                     : llm::make_absolute_name(options.model);
  plan.base_url = options.base_url;
  const std::size_t near = options.distractors / 2;
  plan.distractors = {.near = near, .far = options.distractors - near, .seed = options.seed};
  plan.content_free = options.content_free;
  plan.engine = engine;
  ASSIGN_OR_RETURN(run::LiftInput input, run::load_lift_input(plan.files));
  if (options.output) plan.output = make_absolute(*options.output);
  const auto place = [&](run::InputFile& file) {
    file.path = make_absolute(file.path);
    return options.output ? check_not_same_file(plan.output, file.path) : Result<void>{};
  };
  RETURN_IF_ERROR(place(plan.files.answers));
  for (auto* file : {&plan.files.control, &plan.files.personas})
    if (*file) RETURN_IF_ERROR(place(**file));
  return Prepared{std::move(plan), std::move(input)};
}

// The file that is not what it was when the plan was made; null if all are.
const run::InputFile* find_changed(const run::LiftFiles& stored, const run::LiftFiles& now) {
  if (stored.answers.sha256 != now.answers.sha256) return &now.answers;
  if (stored.control && stored.control->sha256 != now.control->sha256) return &*now.control;
  if (stored.personas && stored.personas->sha256 != now.personas->sha256) return &*now.personas;
  return nullptr;
}

// The stored plan, after checking that its files are still what they were.
Result<Prepared> load(const store::RunRecord& run) {
  ASSIGN_OR_RETURN(run::LiftPlan plan, run::parse_lift_plan(run.plan));
  run::LiftFiles now = plan.files;
  ASSIGN_OR_RETURN(run::LiftInput input, run::load_lift_input(now));
  if (const run::InputFile* changed = find_changed(plan.files, now))
    return fail(ErrorKind::Invalid,
                "{} has changed since run {} was started; start a new run (readings of unchanged "
                "answers are found again)",
                printable(changed->path), run.id);
  return Prepared{std::move(plan), std::move(input)};
}

}  // namespace

Result<run::Run> start_lift(Context& context, const run::LiftOptions& options,
                            const run::EngineOptions& engine, const Listener& listener) {
  ASSIGN_OR_RETURN(const Prepared prepared, prepare(options, engine));
  ASSIGN_OR_RETURN(const auto environment, context.run_environment(listener));
  remember_address(context, options.base_url);
  ASSIGN_OR_RETURN(auto models, run::check_lift_plan(environment, prepared.plan, prepared.input));
  ASSIGN_OR_RETURN(const auto run, run::create_lift_run(environment.store, prepared.plan,
                                                        prepared.input, version(), models.get()));
  return run::start_lift_run(environment, run, prepared.plan, prepared.input, std::move(models));
}

Result<run::Estimate> estimate_lift(Context& context, const run::LiftOptions& options,
                                    const run::EngineOptions& engine) {
  ASSIGN_OR_RETURN(const Prepared prepared, prepare(options, engine));
  ASSIGN_OR_RETURN(const auto environment, context.run_environment_without_access());
  return run::estimate_lift(environment, prepared.plan, prepared.input);
}

Result<run::Run> resume_lift(const run::RunEnvironment& environment, const store::RunRecord& run,
                             const run::EngineOptions& over,
                             const std::optional<std::string>& base_url) {
  ASSIGN_OR_RETURN(Prepared prepared, load(run));
  prepared.plan.engine = run::merge(prepared.plan.engine, over);
  if (base_url) prepared.plan.base_url = base_url;
  ASSIGN_OR_RETURN(auto models, run::check_lift_plan(environment, prepared.plan, prepared.input));
  return run::start_lift_run(environment, run, prepared.plan, prepared.input, std::move(models));
}

Result<std::vector<run::MissExplanation>> explain_lift(const run::RunEnvironment& environment,
                                                       const store::RunRecord& run,
                                                       const std::optional<std::string>& item) {
  ASSIGN_OR_RETURN(const Prepared prepared, load(run));
  return run::explain_lift_misses(environment, run, prepared.plan, prepared.input, item);
}

}  // namespace personascope::app
