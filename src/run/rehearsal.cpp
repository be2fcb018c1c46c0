#include "run/rehearsal.hpp"

#include <algorithm>
#include <limits>

#include "base/text.hpp"
#include "run/session.hpp"

namespace personascope::run {
namespace {

// An item's own call, or one beside it: its examples, its canaries.
bool belongs_to(const std::string& call, const std::string& item) {
  return call == item || call.starts_with(item + "/") || call.ends_with("/" + item);
}

// Whether the call may be for several items, of which `item` is one: a persona's questions.
bool stands_above(const std::string& call, const std::string& item) {
  return item.starts_with(call.substr(0, call.rfind('/') + 1));
}

// Carries an evaluation out from the journal alone, and explains what is not there.
class Rehearsal {
 public:
  Rehearsal(const RunEnvironment& environment, MadeEvaluation& made, llm::ChainOptions options,
            const std::optional<std::string>& item)
      : environment_(environment), made_(made), options_(std::move(options)), item_(item) {
    options_.replay = true;
    options_.stop_on_miss = false;
    options_.max_misses = std::numeric_limits<std::size_t>::max();  // one may be of the item
  }

  Result<std::vector<MissExplanation>> finish() {
    made_.models->loop().spawn(work());
    made_.models->loop().run();
    if (fault_) return std::unexpected(*fault_);
    if (stop_.requested()) return std::unexpected(stop_.reason());
    if (item_ && !found_item_)
      return fail(ErrorKind::Invalid, "the run has no item \"{}\"", printable(*item_));
    return std::move(explanations_);
  }

 private:
  Task<void> work() {
    for (std::int64_t piece = 0; piece < made_.evaluation->pieces(); ++piece) {
      if (explanations_.size() >= kMostMisses || fault_ || stop_.requested()) break;
      // One for each piece, so that no more misses are held than one has.
      llm::AskChain chain(made_.models->loop(), stop_, environment_.store, budget_,
                          environment_.prices, options_);
      eval::ItemContext context{
          .chain = chain,
          .record = [&](const core::ItemRecord& ended) { items_.push_back(ended.id); },
          .write_line = [](std::int64_t, const std::string&) {},
          .stop = [&](Error error) { fault_ = std::move(error); }};
      items_.clear();
      co_await made_.evaluation->work(context, piece);
      found_item_ = found_item_ || (item_ && std::ranges::find(items_, *item_) != items_.end());
      for (const llm::Miss& miss : chain.misses())
        if (is_wanted(miss.draw.item)) explain(miss);
    }
  }

  bool is_wanted(const std::string& call) const {
    if (made_.evaluation->ids() == eval::ItemIds::Plain) return !item_ || call == *item_;
    if (!item_ || belongs_to(call, *item_)) return true;
    return stands_above(call, *item_) && std::ranges::none_of(items_, [&](const std::string& item) {
             return belongs_to(call, item);
           });
  }

  void explain(const llm::Miss& miss) {
    found_item_ = true;
    if (explanations_.size() >= kMostMisses || fault_) return;
    auto explanation = explain_miss(environment_.store, miss);
    if (explanation)
      explanations_.push_back(std::move(*explanation));
    else
      fault_ = std::move(explanation).error();
  }

  const RunEnvironment& environment_;
  MadeEvaluation& made_;
  llm::ChainOptions options_;
  const std::optional<std::string>& item_;
  sched::Stop stop_{made_.models->loop()};
  llm::Budget budget_{made_.models->loop(), stop_, {}, {}};
  std::vector<MissExplanation> explanations_;
  std::optional<Error> fault_;
  std::vector<std::string> items_;  // of the piece at hand
  bool found_item_ = false;
};

}  // namespace

Result<std::vector<MissExplanation>> explain_evaluation_misses(
    const RunEnvironment& environment, const store::RunRecord& run, const EvaluationPlan& plan,
    const MakeEvaluation& make, const std::optional<std::string>& item) {
  ASSIGN_OR_RETURN(MadeEvaluation made, make_with_models(environment, plan, make));
  ASSIGN_OR_RETURN(const RoleRules roles, load_role_rules(environment.store, run.plan));
  return Rehearsal(environment, made, make_chain_options(run, plan.engine, roles), item).finish();
}

}  // namespace personascope::run
