// For tests: an ask chain over a real store, and a model that the test steers.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llm/ask_chain.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/sqlite/temporary_folder.hpp"

namespace personascope::llm {

// Answers with the last message's text, unless `behave` says otherwise.
class FakeModel : public Model {
 public:
  // Gets the request and how many came before it.
  using Behaviour = std::function<Task<Attempt>(const core::Request&, Delivery, int)>;

  const Endpoint& endpoint() const override { return endpoint_; }
  Features features() const override { return features_; }
  Task<Attempt> ask(const core::Request& request, Delivery delivery) override {
    const int earlier = asked_++;
    requests_.push_back(request);
    in_flight_peak_ = std::max(in_flight_peak_, ++in_flight_);
    Task<Attempt> task = behave_(request, std::move(delivery), earlier);
    Attempt attempt = co_await std::move(task);
    --in_flight_;
    co_return attempt;
  }

  static Attempt make_attempt(std::string text) {
    core::Reply reply;
    reply.text = std::move(text);
    reply.model = "fake-1";
    reply.usage = {10, 5, std::nullopt};
    return Attempt{std::move(reply), {}};
  }
  static Attempt make_failure(ErrorKind kind, const std::string& message = "as told") {
    return Attempt{std::unexpected(Error{kind, message}), {}};
  }

  Endpoint endpoint_{"fake", "", "model", ""};
  Features features_;
  int asked_ = 0;
  int in_flight_ = 0;
  int in_flight_peak_ = 0;
  std::vector<core::Request> requests_;
  Behaviour behave_ = [](const core::Request& request, Delivery, int) -> Task<Attempt> {
    Attempt attempt = make_attempt(request.messages.back().content);
    co_return attempt;
  };
};

class ChainBench {
 public:
  ChainBench() {
    options_.run = 1;
    options_.salt = "run-1";
    options_.retry = {
        .max_retries = 3, .first_wait = milliseconds(1), .longest_wait = milliseconds(2)};
    open_store();
  }

  void open_store(const store::SqliteOptions& options = {}) {
    session_.reset();
    store_.reset();
    store_ =
        store::open_sqlite_store(folder_.file("s.db"), store::OpenMode::Create, options).value();
  }

  // Begins again, as a new process on the same store would.
  void begin() { session_ = std::make_unique<Session>(*this); }
  AskChain& chain() { return session().chain; }
  sched::Stop& stop() { return session().stop; }
  sched::Loop& loop() { return session().loop; }
  Budget& budget() { return session().budget; }

  Result<core::Reply> ask(Model& model, core::Request request, Draw draw = {}) {
    return sched::run_to_end(loop(), chain().ask(model, std::move(request), std::move(draw)));
  }

  // Starts an ask whose result appears in `results` at the place it returns.
  std::size_t start(Model& model, core::Request request, Draw draw) {
    results_.emplace_back();
    const auto run = [](ChainBench& bench, Model& asked, core::Request wanted, Draw which,
                        std::size_t place) -> Task<void> {
      Result<core::Reply> reply =
          co_await bench.chain().ask(asked, std::move(wanted), std::move(which));
      bench.results_[place] = std::move(reply);
    };
    loop().spawn(run(*this, model, std::move(request), std::move(draw), results_.size() - 1));
    return results_.size() - 1;
  }

  static core::Request make_request(const std::string& text,
                                    std::optional<double> temperature = 0.0) {
    core::Request request;
    request.messages = {{core::Role::User, text}};
    request.sampling.temperature = temperature;
    request.sampling.max_tokens = 20;
    return request;
  }
  static Draw make_draw(const std::string& item, std::string_view role = kModelRole) {
    Draw draw;
    draw.item = item;
    draw.role = role;
    return draw;
  }

  store::TemporaryFolder folder_;
  std::unique_ptr<store::Store> store_;
  ChainOptions options_;
  BudgetLimits limits_;
  Prices prices_;
  std::vector<std::optional<Result<core::Reply>>> results_;

 private:
  struct Session {
    explicit Session(ChainBench& bench)
        : budget(loop, stop, bench.limits_, {}),
          chain(loop, stop, *bench.store_, budget, bench.prices_, bench.options_) {}
    sched::Loop loop;
    sched::Stop stop{loop};
    Budget budget;
    AskChain chain;
  };
  Session& session() {
    if (!session_) begin();
    return *session_;
  }

  std::unique_ptr<Session> session_;
};

}  // namespace personascope::llm
