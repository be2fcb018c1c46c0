#include "eval/persona_bench/trial.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/random.hpp"
#include "base/text.hpp"
#include "judge/canary.hpp"

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

// Which question each pair asks: in the order of the list, but none of a persona that it does not
// suit, and none twice of the same.
Result<std::vector<std::size_t>> choose_questions(const BenchData& data,
                                                  const std::vector<std::size_t>& persona_order,
                                                  const std::vector<std::size_t>& question_order,
                                                  std::size_t pairs) {
  std::vector<std::size_t> chosen;
  std::set<std::pair<std::size_t, std::size_t>> used;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const std::size_t persona = persona_order[pair % persona_order.size()];
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < question_order.size() && !found; ++i) {
      const std::size_t question = question_order[(pair + i) % question_order.size()];
      if (suits(data.questions[question], data.personas[persona]) &&
          !used.contains({persona, question}))
        found = question;
    }
    if (!found)
      return fail(ErrorKind::Invalid,
                  "there is no question left that suits the persona {}: ask for fewer pairs, or "
                  "for more answers to each",
                  printable(data.personas[persona].id));
    used.emplace(persona, *found);
    chosen.push_back(*found);
  }
  return chosen;
}

// Adds the trial once an epoch.
void add(std::vector<Trial>& trials, Trial trial, const BenchPlan& plan, const BenchData& data) {
  const std::int64_t epochs = plan.kind == Kind::PassAtK ? plan.k : plan.epochs;
  std::string id = fmt::format("{}/{}/{}", escape_id(data.personas[trial.persona].id),
                               escape_id(data.questions[trial.question].id), name_of(trial.mode));
  if (!trial.without.empty())
    id += trial.arm > plan.attributes.size()
              ? fmt::format("/without {} attributes", trial.without.size())
              : "/without " + escape_id(trial.without.front());
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
  // With a single attribute to leave out, leaving out all of them is the same trial; the published
  // package has it all the same, as its baseline.
  const std::size_t fewest = plan.protocol == Protocol::Reference ? 1 : 2;
  if (listed.size() < fewest) return;
  trial.arm = plan.attributes.size() + 1;
  trial.without = std::move(listed);
  add(trials, std::move(trial), plan, data);
}

// Which of the pairs have controls.
std::vector<bool> choose_controlled(const BenchPlan& plan, std::size_t pairs) {
  std::vector<std::size_t> order(pairs);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random(plan.seed, "bench controls");
  std::vector<bool> chosen(pairs, false);
  const auto wanted =
      std::min(pairs, static_cast<std::size_t>(std::max<std::int64_t>(0, plan.controls)));
  for (std::size_t i = 0; i < wanted; ++i) {
    std::swap(order[i], order[i + random.below(pairs - i)]);
    chosen[order[i]] = true;
  }
  return chosen;
}

// The first answers to the pair with no persona and with another's. `trial` is the pair's own.
void add_control_trials(std::vector<Trial>& trials, Trial trial, const BenchPlan& plan,
                        const BenchData& data) {
  const std::string id = trial.id;
  trial.has_controls = false;
  trial.has_canaries = false;
  trial.shown = Shown::Anothers;
  trial.id = fmt::format("control/{}/another's persona", id);
  const std::size_t others = data.personas.size() - 1;
  if (others > 0) {
    Random random(plan.seed, "bench another's persona", id);
    trial.other = random.below(others);
    if (trial.other >= trial.persona) ++trial.other;
    trials.push_back(trial);
  }
  trial.shown = Shown::Nobodys;
  trial.mode = Mode::Baseline;
  trial.id = fmt::format("control/{}/no persona", id);
  trials.push_back(std::move(trial));
}

}  // namespace

std::string_view name_of(Shown shown) {
  switch (shown) {
    case Shown::Own:
      return "own_persona";
    case Shown::Nobodys:
      return "no_persona";
    case Shown::Anothers:
      return "another_persona";
  }
  return "";
}

std::int64_t count_pairs(const BenchData& data) {
  return static_cast<std::int64_t>(std::lcm(data.personas.size(), data.questions.size()));
}

Result<std::vector<Trial>> list_trials(const BenchPlan& plan, const BenchData& data) {
  const std::size_t personas = data.personas.size();
  const std::size_t questions = data.questions.size();
  const auto wanted = static_cast<std::size_t>(plan.n);
  if (plan.n > count_pairs(data))
    return fail(ErrorKind::Invalid,
                "{} personas and {} questions give {} different pairs, not {}: ask for fewer with "
                "`limit`, or for more answers to each with `epochs`",
                personas, questions, count_pairs(data), wanted);
  const auto persona_order = make_order(personas, plan, "bench personas");
  const auto question_order = make_order(questions, plan, "bench questions");
  const std::vector<bool> is_controlled = choose_controlled(plan, wanted);
  const auto canary_pairs = judge::choose_canary_items(
      wanted, static_cast<std::size_t>(std::max<std::int64_t>(0, plan.canaries)), plan.seed);
  ASSIGN_OR_RETURN(const auto asked, choose_questions(data, persona_order, question_order, wanted));
  std::vector<Trial> trials;
  for (std::size_t pair = 0; pair < wanted; ++pair) {
    Trial trial;
    trial.pair = pair;
    trial.persona = persona_order[pair % personas];
    trial.question = asked[pair];
    std::optional<std::size_t> own;  // the first trial that shows the persona, if it has controls
    for (std::size_t arm = 0; arm < plan.modes.size(); ++arm) {
      trial.arm = arm;
      trial.mode = plan.modes[arm];
      const std::size_t place = trials.size();
      add(trials, trial, plan, data);
      if (arm == 0) trials[place].has_canaries = std::ranges::binary_search(canary_pairs, pair);
      if (trial.mode != Mode::Baseline && !own && is_controlled[pair]) own = place;
    }
    if (own) {
      trials[*own].has_controls = true;
      const Trial controlled = trials[*own];
      add_control_trials(trials, controlled, plan, data);
    }
    if (plan.kind == Kind::Loo) add_left_out(trials, trial, plan, data);
  }
  return trials;
}

}  // namespace personascope::eval::persona_bench
