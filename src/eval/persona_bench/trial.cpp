#include "eval/persona_bench/trial.hpp"

#include <algorithm>
#include <numeric>

#include "base/random.hpp"

namespace personascope::eval::persona_bench {
namespace {

std::vector<std::size_t> make_order(std::size_t count, const BenchPlan& plan,
                                    std::string_view purpose) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (plan.pairing == Pairing::Index) return order;
  Random random(plan.seed, purpose);
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

// Adds the trial once an epoch.
void add(std::vector<Trial>& trials, Trial trial, const BenchPlan& plan, const BenchData& data) {
  const std::int64_t epochs = plan.kind == Kind::PassAtK ? plan.k : plan.epochs;
  std::string id = fmt::format("{}/{}/{}", data.personas[trial.persona].id,
                               data.questions[trial.question].id, name_of(trial.mode));
  if (trial.without.size() == 1) id += "/without " + trial.without.front();
  if (trial.without.size() > 1) id += fmt::format("/without {} attributes", trial.without.size());
  for (int epoch = 0; epoch < epochs; ++epoch) {
    trial.epoch = epoch;
    trial.id = epoch == 0 ? id : fmt::format("{}#{}", id, epoch + 1);
    trials.push_back(trial);
  }
}

void add_left_out(std::vector<Trial>& trials, Trial trial, const BenchPlan& plan,
                  const BenchData& data) {
  std::vector<std::string> listed;  // of those that this persona has
  for (std::size_t i = 0; i < plan.attributes.size(); ++i) {
    if (!data.personas[trial.persona].find(plan.attributes[i])) continue;
    listed.push_back(plan.attributes[i]);
    trial.arm = i + 1;
    trial.without = {plan.attributes[i]};
    add(trials, trial, plan, data);
  }
  // With a single attribute to leave out, leaving out all of them is the same trial.
  if (listed.size() < 2) return;
  trial.arm = plan.attributes.size() + 1;
  trial.without = std::move(listed);
  add(trials, std::move(trial), plan, data);
}

}  // namespace

Result<std::vector<Trial>> list_trials(const BenchPlan& plan, const BenchData& data) {
  const std::size_t personas = data.personas.size();
  const std::size_t questions = data.questions.size();
  const auto wanted = static_cast<std::size_t>(plan.n);
  if (wanted > std::lcm(personas, questions))
    return fail(ErrorKind::Invalid,
                "{} personas and {} questions give {} different pairs, not {}: ask for fewer with "
                "-n, or for more answers to each with --epochs",
                personas, questions, std::lcm(personas, questions), wanted);
  const auto persona_order = make_order(personas, plan, "bench personas");
  const auto question_order = make_order(questions, plan, "bench questions");
  std::vector<Trial> trials;
  for (std::size_t pair = 0; pair < wanted; ++pair) {
    Trial trial;
    trial.pair = pair;
    trial.persona = persona_order[pair % personas];
    trial.question = question_order[pair % questions];
    for (std::size_t arm = 0; arm < plan.modes.size(); ++arm) {
      trial.arm = arm;
      trial.mode = plan.modes[arm];
      add(trials, trial, plan, data);
    }
    if (plan.kind == Kind::Loo) add_left_out(trials, trial, plan, data);
  }
  return trials;
}

}  // namespace personascope::eval::persona_bench
