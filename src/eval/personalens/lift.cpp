#include "eval/personalens/lift.hpp"

#include <algorithm>

#include "base/all.hpp"
#include "eval/fill.hpp"
#include "eval/personalens/score_summary.hpp"

namespace personascope::eval::personalens {
namespace {

// The mean log-likelihood of a token of the turn at `place`, after what came before.
Task<Result<double>> read_turn(llm::AskChain& chain, llm::Model& reader, std::string system,
                               const Dialogue& dialogue, std::size_t place, std::string item) {
  core::Request request;
  request.messages.push_back({core::Role::System, std::move(system)});
  for (std::size_t i = 0; i < place; ++i) request.messages.push_back(dialogue.turns[i]);
  request.continuation = dialogue.turns[place].content;
  llm::Draw draw{
      .item = std::move(item), .role = std::string(llm::kJudgeRole), .epoch = 0, .trial = 0};
  const Result<core::Reply> reply = co_await chain.ask(reader, std::move(request), std::move(draw));
  if (!reply) co_return std::unexpected(reply.error());
  if (reply->logprobs.empty())
    co_return fail(ErrorKind::Unparsable, "the reader gave no likelihoods");
  double sum = 0;
  for (const core::TokenLogprobs& token : reply->logprobs) sum += token.chosen.logprob;
  co_return sum / static_cast<double>(reply->logprobs.size());
}

Json describe(const std::vector<TurnLift>& turns, double TurnLift::* side) {
  std::vector<ScoreRow> rows;
  for (const TurnLift& turn : turns) rows.push_back({turn.user, turn.task, turn.*side});
  Json summary = summarize_differences(rows);
  return {{"mean", summary["difference"]}, {"ci95", summary["ci95"]}};
}

}  // namespace

Task<Result<std::vector<TurnLift>>> read_lift(llm::AskChain& chain, llm::Model& reader,
                                              const Words& words, const Scenario& scenario,
                                              const ScenarioTexts& own, const ScenarioTexts& other,
                                              const Dialogue& dialogue, const std::string& item) {
  const std::string& system =
      scenario.task.span == Span::Multi ? words.assistant_system_multi : words.assistant_system;
  const std::vector<std::string_view> shown{"demographics", "affinities"};
  const auto make_system = [&](const std::string& known) {
    return fill(system, {{"known", known}});
  };
  const std::string systems[] = {make_system(render_sections(words, own, shown)),
                                 make_system(render_sections(words, own, {"nothing"})),
                                 make_system(render_sections(words, other, shown))};
  std::vector<TurnLift> lifts;
  for (std::size_t i = 0; i < dialogue.turns.size(); ++i) {
    if (dialogue.turns[i].role != core::Role::Assistant || dialogue.turns[i].content.empty())
      continue;
    std::vector<Task<Result<double>>> tasks;
    for (const std::string& text : systems)
      tasks.push_back(read_turn(chain, reader, text, dialogue, i, item + "/lift"));
    std::vector<Result<double>> read = co_await all(std::move(tasks));
    for (Result<double>& one : read)
      if (!one) co_return std::unexpected(std::move(one).error());
    TurnLift lift;
    lift.user = static_cast<std::size_t>(scenario.user.number);
    lift.turn = i / 2;
    lift.over_neutral = *read[0] - *read[1];
    lift.over_other = *read[0] - *read[2];
    lifts.push_back(lift);
  }
  co_return lifts;
}

Json summarize_lift(const std::vector<TurnLift>& turns) {
  std::vector<TurnLift> sorted = turns;
  std::ranges::sort(sorted, {}, [](const TurnLift& lift) {
    return std::tuple(lift.user, lift.task, lift.turn, lift.over_neutral, lift.over_other);
  });
  Json value = {{"turns", sorted.size()},
                {"over_neutral", describe(sorted, &TurnLift::over_neutral)},
                {"over_other", describe(sorted, &TurnLift::over_other)},
                {"by_turn", Json::array()}};
  std::size_t last = 0;
  for (const TurnLift& lift : sorted) last = std::max(last, lift.turn + 1);
  for (std::size_t turn = 0; turn < last; ++turn) {
    std::vector<TurnLift> here;
    std::ranges::copy_if(sorted, std::back_inserter(here),
                         [&](const TurnLift& lift) { return lift.turn == turn; });
    value["by_turn"].push_back({{"turn", turn + 1},
                                {"count", here.size()},
                                {"over_neutral", describe(here, &TurnLift::over_neutral)["mean"]},
                                {"over_other", describe(here, &TurnLift::over_other)["mean"]}});
  }
  return value;
}

}  // namespace personascope::eval::personalens
