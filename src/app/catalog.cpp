#include "app/catalog.hpp"

#include <algorithm>
#include <iterator>

#include "app/batch.hpp"
#include "app/cost_check.hpp"
#include "app/evaluation.hpp"
#include "app/judge.hpp"
#include "app/lift.hpp"
#include "app/runs.hpp"
#include "eval/catalog.hpp"
#include "run/file_options.hpp"
#include "run/options.hpp"

namespace personascope::app {
namespace {

struct Request {
  EvaluationSetup setup;
  EvaluationFlags flags;
};

Result<Request> prepare(const Context& context, const eval::CatalogRow& row, const Json& given,
                        const std::vector<core::OptionSpec>& options) {
  RETURN_IF_ERROR(core::check_given(given, options));
  Request request;
  ASSIGN_OR_RETURN(request.flags.engine, run::engine_options().parse(given));
  ASSIGN_OR_RETURN(request.setup, row.prepare(context.plan_context(), row.stage, given));
  request.flags.output = request.setup.options.output;
  request.flags.base_url = request.setup.options.base_url;
  return request;
}

Command make_command(const eval::CatalogRow& row) {
  Command command;
  command.name = fmt::format("{} {}", row.command, row.stage);
  command.sentence = row.sentence;
  command.options = row.options(row.stage);
  std::ranges::move(run::engine_options().specs(row.command), std::back_inserter(command.options));
  command.start = [&row, options = command.options](Context& context, const Json& given,
                                                    const Listener& listener) -> Result<run::Run> {
    ASSIGN_OR_RETURN(const Request request, prepare(context, row, given, options));
    if (listener.on_note) {
      for (const std::string& note : name_long_texts(request.setup.plan)) listener.on_note(note);
      for (const std::string& note : request.setup.notes) listener.on_note(note);
    }
    return start_evaluation(context, request.setup, request.flags, listener);
  };
  command.estimate = [&row, options = command.options](
                         Context& context,
                         const Json& given) -> Result<std::vector<run::Estimate>> {
    ASSIGN_OR_RETURN(const Request request, prepare(context, row, given, options));
    return estimate_evaluation(context, request.setup, request.flags);
  };
  return command;
}

// A command that works through a file of lines, which is not an evaluation of the catalog yet.
template <class Options, class Start, class EstimateIt>
Command make_file_command(std::string name, std::string sentence,
                          const core::OptionTable<Options>& table, Start start,
                          EstimateIt estimate) {
  Command command;
  command.options = table.specs();
  std::ranges::move(run::engine_options().specs(name), std::back_inserter(command.options));
  command.name = std::move(name);
  command.sentence = std::move(sentence);
  command.start = [&table, start, options = command.options](
                      Context& context, const Json& given,
                      const Listener& listener) -> Result<run::Run> {
    RETURN_IF_ERROR(core::check_given(given, options));
    ASSIGN_OR_RETURN(const Options own, table.parse(given));
    ASSIGN_OR_RETURN(const run::EngineOptions engine, run::engine_options().parse(given));
    return start(context, own, engine, listener);
  };
  command.estimate = [&table, estimate, options = command.options](
                         Context& context,
                         const Json& given) -> Result<std::vector<run::Estimate>> {
    RETURN_IF_ERROR(core::check_given(given, options));
    ASSIGN_OR_RETURN(const Options own, table.parse(given));
    ASSIGN_OR_RETURN(const run::EngineOptions engine, run::engine_options().parse(given));
    return estimate(context, own, engine);
  };
  return command;
}

// The one estimate as a list.
template <class Options>
auto as_list(Result<run::Estimate> (*estimate)(Context&, const Options&,
                                               const run::EngineOptions&)) {
  return [estimate](Context& context, const Options& options,
                    const run::EngineOptions& engine) -> Result<std::vector<run::Estimate>> {
    ASSIGN_OR_RETURN(run::Estimate one, estimate(context, options, engine));
    return std::vector{std::move(one)};
  };
}

// With the configuration's defaults where nothing is given, and what is to be checked and asked
// before a run starts.
void use_configuration(Command& command) {
  command.start = [start = command.start, estimate = command.estimate, name = command.name,
                   options = command.options](Context& context, const Json& given,
                                              const Listener& listener) -> Result<run::Run> {
    const Json filled = context.configuration().fill_in(name, options, given);
    RETURN_IF_ERROR(core::check_given(filled, options));
    ASSIGN_OR_RETURN(const run::EngineOptions engine, run::engine_options().parse(filled));
    if (engine.tags) RETURN_IF_ERROR(check_tags(*engine.tags));
    RETURN_IF_ERROR(confirm_cost(
        context, name, given, filled, [&] { return estimate(context, filled); }, listener));
    return start(context, filled, listener);
  };
  command.estimate = [estimate = command.estimate, name = command.name, options = command.options](
                         Context& context,
                         const Json& given) -> Result<std::vector<run::Estimate>> {
    return estimate(context, context.configuration().fill_in(name, options, given));
  };
}

}  // namespace

const std::vector<Command>& list_commands() {
  static const std::vector<Command> commands = [] {
    std::vector<Command> list;
    for (const eval::CatalogRow& row : eval::catalog()) list.push_back(make_command(row));
    list.push_back(make_file_command("batch", "Answer a file of chat requests",
                                     run::batch_options(), start_batch, as_list(estimate_batch)));
    list.push_back(make_file_command("judge", "Score a file of answers by a rubric",
                                     run::judge_file_options(), start_judging, estimate_judging));
    list.push_back(make_file_command("lift", "Measure how much of its persona shows in each answer",
                                     run::lift_options(), start_lift, as_list(estimate_lift)));
    for (Command& command : list) use_configuration(command);
    return list;
  }();
  return commands;
}

const Command& command_named(std::string_view name) {
  return *std::ranges::find(list_commands(), name, &Command::name);
}

std::optional<core::OptionSpec> find_option(std::string_view name) {
  for (const Command& command : list_commands())
    for (const core::OptionSpec& spec : command.options)
      if (spec.name == name) return spec;
  return std::nullopt;
}

}  // namespace personascope::app
