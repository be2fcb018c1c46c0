#include "run/session.hpp"

#include <algorithm>
#include <utility>

#include "base/clock.hpp"
#include "base/exception.hpp"
#include "base/text.hpp"
#include "sched/retry.hpp"

namespace personascope::run {
namespace {

constexpr milliseconds kProgressEvery{100};
constexpr seconds kBeatEvery{5};

// Enough that the limiter always has a next call at hand while others wait for the journal.
int workers_for(const EngineOptions& options, std::int64_t pieces) {
  const std::int64_t in_flight =
      options.fixed_connections.value_or(options.max_connections.value_or(1000));
  return static_cast<int>(std::min(pieces, in_flight + in_flight / 4 + 16));
}

bool allows(const EngineOptions& options, std::int64_t failed, std::int64_t items) {
  const double limit = options.fail_on_error.value_or(0);
  const double most = limit < 1 ? limit * static_cast<double>(items) : limit;
  return static_cast<double>(failed) <= most;
}

store::RunState state_of(const std::optional<Error>& stopped) {
  if (!stopped) return store::RunState::Done;
  return stopped->kind == ErrorKind::Cancelled || stopped->kind == ErrorKind::BudgetExhausted
             ? store::RunState::Stopped
             : store::RunState::Failed;
}

// Fails as Invalid if a model inside the program is made of another file than the run's record
// says.
Result<void> check_weights(const store::RunRecord& run, const ModelSet& models) {
  const Json* begun_with = find_member(run.plan, "local_models");
  if (!begun_with) return {};
  const Json now = models.describe_local();
  for (const auto& [name, model] : now.items()) {
    const Json* before = find_member(*begun_with, name);
    const auto old_hash = before ? find_text(*before, "sha256") : std::nullopt;
    const std::string new_hash = find_text(model, "sha256").value_or("");
    if (old_hash && *old_hash != new_hash)
      return fail(ErrorKind::Invalid,
                  "run {} was started with another file of {} (SHA-256 {}, now {}): put that file "
                  "back, or start a new run",
                  run.id, printable(name), printable(shorten(*old_hash, 12)),
                  shorten(new_hash, 12));
  }
  return {};
}

}  // namespace

Result<RoleRules> load_role_rules(store::Store& store, const Json& plan) {
  auto rescored = find_integer(plan, "rescores");
  if (!rescored) return RoleRules{};
  store::RunRecord first;
  while (rescored) {
    ASSIGN_OR_RETURN(first, store.reader().load_run(*rescored));
    rescored = find_integer(first.plan, "rescores");
    if (rescored && *rescored >= first.id)
      return fail(ErrorKind::Invalid, "the plan of run {} is damaged", first.id);
  }
  ASSIGN_OR_RETURN(const EngineOptions engine, parse_stored_engine(first.plan));
  return RoleRules{.fresh = {std::string(llm::kJudgeRole)},
                   .replay = {std::string(llm::kModelRole), std::string(llm::kUserRole)},
                   .replay_salt = engine.fresh.value_or(false) ? first.uid : ""};
}

llm::ChainOptions make_chain_options(const store::RunRecord& run, const EngineOptions& options,
                                     const RoleRules& roles) {
  llm::ChainOptions chain = chain_options_of(options);
  chain.run = run.id;
  chain.salt = run.uid;
  chain.fresh_roles = roles.fresh;
  chain.replay_roles = roles.replay;
  chain.replay_salt = roles.replay_salt;
  // A published program asks once, and what it asks must stay the same.
  chain.retries_empty = find_text(run.plan, "protocol") != "reference";
  return chain;
}

Session::Session(const RunEnvironment& environment, store::RunRecord run,
                 const EngineOptions& options, const llm::Spent& already, llm::ChainOptions chain,
                 std::unique_ptr<ModelSet> models, ItemIds ids)
    : environment_(environment),
      run_(std::move(run)),
      options_(options),
      models_(std::move(models)),
      loop_(models_->loop()),
      budget_(loop_, stop_, limits_of(options), already),
      calls_(ids) {
  chain.on_answer = [this](const llm::Draw& draw, const Digest& key,
                           const Result<core::Reply>& answer) { calls_.take(draw, key, answer); };
  chain_ = std::make_unique<llm::AskChain>(loop_, stop_, environment.store, budget_,
                                           environment.prices, std::move(chain));
}

Result<std::unique_ptr<Session>> Session::create(const RunEnvironment& environment,
                                                 store::RunRecord run, const EngineOptions& options,
                                                 const RoleRules& roles,
                                                 std::unique_ptr<ModelSet> models, ItemIds ids) {
  RETURN_IF_ERROR(check_weights(run, *models));
  ASSIGN_OR_RETURN(auto lock, environment.store.lock_run(run.id));
  ASSIGN_OR_RETURN(const store::Spending spending,
                   environment.store.reader().load_spending(run.id));
  const llm::Spent already{spending.max_cost_usd, spending.calls, spending.max_tokens};
  llm::ChainOptions chain = make_chain_options(run, options, roles);
  if (run.state != store::RunState::Running) {
    RETURN_IF_ERROR(environment.store.update_run(run.id, store::RunState::Running, "", ""));
  }
  // Session's constructor is private, so make_unique cannot reach it.
  std::unique_ptr<Session> session(new Session(environment, std::move(run), options, already,
                                               std::move(chain), std::move(models), ids));
  session->lock_ = std::move(lock);
  return session;
}

void Session::carry_out(std::int64_t pieces, const Work& work_on,
                        const std::function<bool()>& may_begin) {
  // Called by whoever requests the stop, on that thread, or at once if it was requested before.
  const std::stop_callback on_request(environment_.stop, [this] {
    loop_.post([this] { stop_.request(Error{ErrorKind::Cancelled, "interrupted"}); });
  });
  loop_.on_exception(
      [this](const std::exception_ptr& caught) { stop_.request(make_internal_error(caught)); });
  const sched::Stop::Subscription on_stop(stop_, [this] { make_room(); });
  sched::Signal ended(loop_);
  Workplace place{.pieces = pieces, .work = work_on, .may_begin = may_begin};
  place.workers = workers_for(options_, pieces);
  const auto carry = [&]() -> Task<void> {
    co_await work(place);
    if (place.workers == 0) ended.set();
  };
  if (place.workers == 0) ended.set();
  for (int started = place.workers; started > 0; --started) loop_.spawn(carry());
  loop_.spawn(report_progress(ended));
  loop_.run();
  loop_.on_exception({});
}

void Session::make_room() {
  if (room_) std::exchange(room_, nullptr)->set();
}

Task<void> Session::work(Workplace& place) {
  while (!stop_.requested() && place.next < place.pieces) {
    if (!place.may_begin()) {
      if (!room_) room_ = std::make_shared<sched::Signal>(loop_);
      const std::shared_ptr<sched::Signal> room = room_;
      co_await room->wait();
      continue;
    }
    try {
      co_await place.work(place.next++);
    } catch (...) {
      stop_.request(make_internal_error(std::current_exception()));
    }
    if (room_ && place.may_begin()) make_room();
    co_await sched::yield();
  }
  --place.workers;
}

Task<void> Session::report_progress(sched::Signal& ended) {
  TimePoint beaten = SteadyClock::now();
  while (!co_await ended.wait_for(kProgressEvery)) {
    if (environment_.on_progress) environment_.on_progress(measure());
    if (SteadyClock::now() - beaten < kBeatEvery) continue;
    beaten = SteadyClock::now();
    environment_.store.beat(run_.id);
  }
}

Progress Session::measure() {
  const TimePoint now = SteadyClock::now();
  Progress progress;
  progress.run = run_.id;
  progress.items = run_.items;
  progress.outcomes = outcomes_;
  progress.meter = chain_->meter();
  progress.elapsed = now - started_;
  progress.calls_per_second = rate_.update(progress.meter.sent + progress.meter.from_journal, now);
  progress.waiting_for = chain_->describe_wait();
  progress.stopping = stop_.requested();
  progress.expected_calls = expected_calls_;
  progress.time_left = find_time_left(progress);
  return progress;
}

void Session::record(core::ItemRecord item) {
  if (item.error && sched::is_worth_retrying(item.error->kind)) may_pass_ = true;
  ++outcomes_[item.outcome];
  CallBook::Calls calls = calls_.collect(item.id);
  core::refer_to_calls(item.document, calls.texts);
  environment_.store.record_item(run_.id, std::move(item), std::move(calls.links));
}

RunSummary Session::conclude(const std::function<Result<void>(Findings& findings)>& finish_up) {
  Findings findings;
  if (!stop_.requested()) {
    // What is written now is read from the store.
    Result<void> done = environment_.store.flush();
    try {
      if (done) done = finish_up(findings);
    } catch (...) {
      done = std::unexpected(make_internal_error(std::current_exception()));
    }
    if (done && !findings.results.is_null())
      done = environment_.store.save_results(run_.id, findings.results, findings.headline);
    if (!done) stop_.request(std::move(done).error());
  }
  RunSummary summary = finish();
  summary.results = std::move(findings.results);
  return summary;
}

RunSummary Session::finish() {
  store::Store& store = environment_.store;
  RunSummary summary;
  summary.engine = options_;
  const auto check = [this](const auto& result) {
    if (!result) stop_.request(result.error());
    return result.has_value();
  };
  check(store.flush());
  const auto describe_end = [&] {
    if (stop_.requested()) summary.stopped = stop_.reason();
    run_.state = state_of(summary.stopped);
    run_.note = summary.stopped ? summary.stopped->message : "";
  };
  describe_end();
  if (!check(store.update_run(run_.id, run_.state, run_.note, utc_now()))) describe_end();
  summary.progress = measure();
  summary.may_pass = may_pass_;
  summary.too_many_failures = !allows(options_, outcomes_[core::Outcome::Failed], run_.items);
  auto stored = store.reader().load_run(run_.id);
  summary.run = stored ? std::move(*stored) : run_;
  if (const auto spending = store.reader().load_spending(run_.id)) summary.spending = *spending;
  if (environment_.on_progress) environment_.on_progress(summary.progress);
  return summary;
}

}  // namespace personascope::run
