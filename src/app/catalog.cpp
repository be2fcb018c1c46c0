#include "app/catalog.hpp"

#include <algorithm>
#include <iterator>

#include "app/cost_check.hpp"
#include "app/evaluation.hpp"
#include "app/runs.hpp"
#include "eval/catalog.hpp"
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

// What is not computed because no reader was given, where an embedded model would be its own; or
// nothing.
std::optional<std::string> describe_missing_reader(const Json& plan, const Json& given) {
  const std::string evaluation = find_text(plan, "evaluation").value_or("");
  const bool is_graded = evaluation == "gym" && find_text(plan, "until") == "grades";
  const bool is_paired = evaluation.starts_with("bench/") && evaluation != "bench/loo" &&
                         find_text(plan, "controls").value_or("0") != "0";
  if (!(is_graded || is_paired) || find_text(plan, "protocol") != "strict") return std::nullopt;
  if (find_text(plan, "reader") != "" || find_member(given, "reader")) return std::nullopt;
  return "persona lift will not be computed: `reader` embedded/smollm2-135m switches it on";
}

Command make_command(const eval::CatalogRow& row) {
  Command command;
  command.name =
      row.stage.empty() ? std::string(row.command) : fmt::format("{} {}", row.command, row.stage);
  command.sentence = row.sentence;
  command.options = row.options(row.stage);
  std::ranges::move(run::engine_options().specs(row.command), std::back_inserter(command.options));
  command.start = [&row, options = command.options](Context& context, const Json& given,
                                                    const Listener& listener) -> Result<run::Run> {
    ASSIGN_OR_RETURN(const Request request, prepare(context, row, given, options));
    if (listener.on_note)
      if (const auto note = describe_missing_reader(request.setup.plan, given))
        listener.on_note(*note);
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
