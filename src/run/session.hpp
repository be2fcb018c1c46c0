// One run being carried out in this process: the loop, the way to stop it, and the ask chain over
// the store. What is asked is the business of whoever uses it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/json.hpp"
#include "base/result.hpp"
#include "base/task.hpp"
#include "llm/ask_chain.hpp"
#include "llm/budget.hpp"
#include "run/call_book.hpp"
#include "run/environment.hpp"
#include "run/model_set.hpp"
#include "run/options.hpp"
#include "run/progress.hpp"
#include "run/summary.hpp"
#include "sched/loop.hpp"
#include "sched/signal.hpp"
#include "sched/stop.hpp"
#include "store/store.hpp"

namespace personascope::run {

// How the run's roles differ in what they may re-use, for rescoring.
struct RoleRules {
  std::set<std::string> fresh;   // asked again
  std::set<std::string> replay;  // never sent: the answers of another run
  std::string replay_salt;       // that run's, if it was fresh
};

// Those of a run with this stored plan: if it scores another run again, only judges are asked, and
// the answers are those of the first run in a row of rescorings.
Result<RoleRules> load_role_rules(store::Store& store, const Json& plan);

// How the run's calls are made, with what belongs to it alone.
llm::ChainOptions make_chain_options(const store::RunRecord& run, const EngineOptions& options,
                                     const RoleRules& roles);

// Used on one thread, the run's, from creation to destruction: its loop runs there. Only the
// environment's stop reaches it from elsewhere.
class Session {
 public:
  // `run` is stored already; `models` are those that a check before it has made.
  // Fails as Invalid if another process carries the run out, or if a model inside the program is
  // made of another file than when the run was begun.
  static Result<std::unique_ptr<Session>> create(const RunEnvironment& environment,
                                                 store::RunRecord run, const EngineOptions& options,
                                                 const RoleRules& roles,
                                                 std::unique_ptr<ModelSet> models, ItemIds ids);

  llm::AskChain& chain() { return *chain_; }
  sched::Stop& stop() { return stop_; }

  // How many calls the run will take, about: for its progress.
  void expect_calls(std::int64_t calls) { expected_calls_ = calls; }

  // Carries out the pieces 0, 1, … until there are none left or a stop is requested, be it by the
  // environment's token. A piece is begun only while `may_begin`, which may change whenever a piece
  // ends. An exception in a piece stops the run as Internal.
  using Work = std::function<Task<void>(std::int64_t piece)>;
  void carry_out(std::int64_t pieces, const Work& work, const std::function<bool()>& may_begin);

  // An item that has ended: counted, and stored with the next commit together with the calls that
  // it was made from.
  void record(core::ItemRecord item);

  // Ends the run. If nothing has stopped it, `finish_up` writes what is still to be written and
  // fills in what was found, which is stored beside the run unless it is null. What fails or throws
  // there, or cannot be stored any more (the disk is full), is the summary's reason for stopping.
  RunSummary conclude(const std::function<Result<void>(Findings& findings)>& finish_up);

 private:
  // Stores how the run ended.
  RunSummary finish();
  Session(const RunEnvironment& environment, store::RunRecord run, const EngineOptions& options,
          const llm::Spent& already, llm::ChainOptions chain, std::unique_ptr<ModelSet> models,
          ItemIds ids);
  // What the workers share while they carry out pieces.
  struct Workplace {
    std::int64_t pieces = 0;
    const Work& work;
    const std::function<bool()>& may_begin;
    std::int64_t next = 0;
    int workers = 0;  // that have not ended
  };
  Task<void> work(Workplace& place);
  Task<void> report_progress(sched::Signal& ended);
  // Wakes the workers that wait until they may begin.
  void make_room();
  Progress measure();

  RunEnvironment environment_;
  store::RunRecord run_;
  EngineOptions options_;
  std::shared_ptr<void> lock_;
  std::unique_ptr<ModelSet> models_;
  sched::Loop& loop_;  // the models'
  sched::Stop stop_{loop_};
  llm::Budget budget_;
  std::unique_ptr<llm::AskChain> chain_;
  core::OutcomeCounts outcomes_;
  CallBook calls_;
  std::int64_t expected_calls_ = 0;
  bool may_pass_ = false;
  std::shared_ptr<sched::Signal> room_;  // shared with the workers that wait for it
  RateMeter rate_;
  TimePoint started_ = SteadyClock::now();
};

}  // namespace personascope::run
