#include "app/ask.hpp"

#include "app/models.hpp"
#include "base/text.hpp"
#include "files/text_file.hpp"
#include "llm/structured.hpp"
#include "run/model_set.hpp"
#include "run/run_id.hpp"
#include "sched/signal.hpp"

namespace personascope::app {
namespace {

// A call that belongs to no run.
constexpr std::int64_t kNoRun = 0;
constexpr milliseconds kLookEvery{500};
constexpr seconds kLongSilence{5};

std::string render_place(const llm::Endpoint& endpoint) {
  const std::string name = llm::render_name(endpoint);
  return endpoint.base_url.empty() ? name : fmt::format("{} at {}", name, endpoint.base_url);
}

// With the configuration's model and limits where none are given.
Result<AskCommand> fill_in_defaults(const Context& context, AskCommand command) {
  const Configuration& configuration = context.configuration();
  if (command.model.empty()) {
    if (const auto model = configuration.find("ask", "model"))
      command.model = model->value.get<std::string>();
    const auto address = configuration.find("ask", "base_url");
    if (address && !command.base_url) command.base_url = address->value.get<std::string>();
  }
  const Json given = run::to_json(command.engine);
  ASSIGN_OR_RETURN(command.engine, run::engine_options().parse(configuration.fill_in(
                                       "ask", run::engine_options().specs(""), given)));
  return command;
}

}  // namespace

Result<core::OutputSchema> load_output_schema(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, files::load_text(path, 1u << 20));
  auto schema = parse_json(text);
  if (!schema || !schema->is_object())
    return fail(ErrorKind::Invalid, "{} is not a JSON schema: {}", printable(path),
                schema ? "it must be an object" : schema.error().message);
  return core::OutputSchema{"answer", std::move(*schema)};
}

Result<AskOutcome> ask(Context& context, const AskCommand& given) {
  ASSIGN_OR_RETURN(const AskCommand command, fill_in_defaults(context, given));
  ASSIGN_OR_RETURN(store::Store * store, context.store());
  ASSIGN_OR_RETURN(const std::string name, choose_model(context, command.model));
  sched::Loop loop;
  sched::Stop stop(loop);
  http::Client client(loop);
  const llm::ModelOptions model_options{command.base_url, run::timeouts_of(command.engine),
                                        run::embedded_options_of(command.engine)};
  ASSIGN_OR_RETURN(const auto model,
                   context.models().make(name, {model_options, context.environment(), client}));
  RETURN_IF_ERROR(run::check_price(command.engine, context.prices(), *model));
  llm::Budget budget(loop, stop, run::limits_of(command.engine), {});
  llm::ChainOptions options = run::chain_options_of(command.engine);
  options.run = kNoRun;
  options.salt = run::make_run_uid();
  llm::AskChain chain(loop, stop, *store, budget, context.prices(), std::move(options));

  std::optional<Result<core::Reply>> reply;
  sched::Signal done(loop);
  bool has_text = false;
  const auto on_text = [&](std::string_view text) {
    has_text = true;
    command.on_text(text);
  };
  const auto watch = [&]() -> Task<void> {
    const TimePoint start = SteadyClock::now();
    for (;;) {
      const bool is_done = co_await done.wait_for(kLookEvery);
      if (is_done || !command.on_wait) co_return;
      std::string wait = chain.describe_wait();
      const Duration waited = SteadyClock::now() - start;
      if (wait.empty() && !has_text && waited >= kLongSilence && chain.meter().in_flight > 0)
        wait = fmt::format("waiting for {} to answer, {} so far", render_place(model->endpoint()),
                           render_duration(waited));
      if (!wait.empty()) command.on_wait(wait);
    }
  };
  const std::stop_callback on_request(command.stop, [&] {
    loop.post([&] { stop.request(Error{ErrorKind::Cancelled, "interrupted"}); });
  });
  const auto conversation = [&]() -> Task<void> {
    llm::Draw draw;
    draw.item = "ask";
    if (command.request.output) {
      reply = co_await llm::ask_structured(chain, *model, command.request, draw);
      if (*reply && command.on_text) command.on_text((*reply)->text);
    } else {
      std::function<void(std::string_view)> listener;
      if (command.on_text) listener = on_text;
      reply = co_await chain.ask(*model, command.request, draw, std::move(listener));
    }
    co_await model->close();
    done.set();
  };
  loop.spawn(conversation());
  loop.spawn(watch());
  loop.run();
  // There is only this call: what stopped it is its error.
  if (!*reply && reply->error().kind == ErrorKind::Cancelled && stop.requested())
    reply = std::unexpected(stop.reason());
  AskOutcome outcome{std::move(*reply), chain.meter().sent == 0, std::nullopt};
  const auto price = context.prices().find(llm::render_name(model->endpoint()));
  if (outcome.reply && price)
    outcome.cost_usd = outcome.from_journal ? 0 : llm::cost_of(*price, outcome.reply->usage);
  return outcome;
}

}  // namespace personascope::app
