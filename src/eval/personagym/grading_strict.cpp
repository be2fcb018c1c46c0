#include <algorithm>
#include <set>

#include "base/all.hpp"
#include "base/text.hpp"
#include "eval/fill.hpp"
#include "eval/personagym/grading.hpp"
#include "llm/structured.hpp"

namespace personascope::eval::personagym {
namespace {

constexpr int kExampleTries = 3;
constexpr std::int64_t kExampleTokens = 2000;

Json make_example_schema(const judge::Scale& scale) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const judge::Level& level : scale.levels) {
    properties[level.label] = {{"type", "string"}};
    required.push_back(level.label);
  }
  return {{"type", "object"},
          {"properties", properties},
          {"required", required},
          {"additionalProperties", false}};
}

std::string render_criteria(const judge::Scale& scale) {
  std::string text;
  for (const judge::Level& level : scale.levels)
    text += fmt::format("{}: {}\n", level.label, level.criterion);
  return text;
}

// The examples for one item; nothing where their writer does not manage, which only the judge's
// steadiness suffers from.
Task<Result<std::string>> write_examples(llm::AskChain& chain, const Grading& grading,
                                         const Persona& persona, const GymTask& task,
                                         const Item& item) {
  const std::string criteria = render_criteria(task.rubric.scale);
  core::Request request;
  request.messages.push_back({core::Role::User, fill(grading.pack.prompts.write_examples,
                                                     {{"persona", persona.text},
                                                      {"question", item.question},
                                                      {"task_name", task.name},
                                                      {"criteria", trim(criteria)}})});
  request.sampling.temperature = 0;
  request.sampling.max_tokens = kExampleTokens;
  request.output = core::OutputSchema{"examples", make_example_schema(task.rubric.scale)};
  for (int trial = 0; trial < kExampleTries; ++trial) {
    const llm::Draw draw{.item = item.id + "/examples",
                         .role = std::string(llm::kJudgeRole),
                         .epoch = 0,
                         .trial = trial};
    const Result<core::Reply> reply =
        co_await llm::ask_structured(chain, *grading.example_model, request, draw);
    if (!reply && core::is_unfinished(reply.error())) co_return std::unexpected(reply.error());
    if (!reply || core::is_refusal(*reply)) co_return std::string();
    if (auto examples = parse_examples(reply->text, task.rubric.scale)) co_return examples;
  }
  co_return std::string();
}

// Whether more than half of the judges say that the answer declines. By the prompts of the data's
// version 1, which have no other way to say so, a rationale then begins with "Refusal."
bool calls_it_refusal(const std::vector<judge::Judgement>& judgements) {
  const auto flagged = std::ranges::count_if(judgements, [](const judge::Judgement& judgement) {
    if (judgement.verdict.answer_declines) return true;
    return core::is_scored(judgement.verdict) &&
           lower(trim(judgement.verdict.text)).starts_with("refusal.");
  });
  return 2 * static_cast<std::size_t>(flagged) > judgements.size();
}

Task<Result<void>> grade_item(llm::AskChain& chain, const Grading& grading, const Persona& persona,
                              const GymTask& task, std::size_t task_place, Item& item) {
  if (item.fault) {
    item.verdict = core::make_failure(*item.fault);
    co_return Result<void>{};
  }
  if (item.refused) {
    item.verdict = core::make_refusal(item.answer);
    co_return Result<void>{};
  }
  if (grading.example_model) {
    CO_ASSIGN_OR_RETURN(item.examples,
                        co_await write_examples(chain, grading, persona, task, item));
  }
  judge::Fields fields{
      {"persona", persona.text}, {"question", item.question}, {"answer", item.answer}};
  if (!item.examples.empty()) fields["examples"] = item.examples;
  std::vector<Task<Result<judge::Judgement>>> asks;
  for (const judge::Judge& judge : grading.judges[task_place])
    asks.push_back(judge.judge(chain, item.id, fields));
  std::vector<core::Verdict> verdicts;
  std::vector<Result<judge::Judgement>> judgements = co_await all(std::move(asks));
  for (Result<judge::Judgement>& judgement : judgements) {
    if (!judgement) co_return std::unexpected(std::move(judgement).error());
    verdicts.push_back(judgement->verdict);
    item.judgements.push_back(std::move(*judgement));
  }
  item.verdict = judge::combine_panel(verdicts, grading.plan.rule);
  if (calls_it_refusal(item.judgements)) {
    item.refused = true;
    item.verdict = core::make_refusal(item.answer);
  }
  co_return Result<void>{};
}

}  // namespace

Task<Result<void>> grade_strictly(llm::AskChain& chain, const Grading& grading,
                                  const Persona& persona, const GymTask& task, Sheet& sheet) {
  std::vector<Task<Result<void>>> tasks;
  for (Item& item : sheet.items)
    tasks.push_back(grade_item(chain, grading, persona, task, sheet.task, item));
  co_return first_failure(co_await all(std::move(tasks)));
}

Result<std::string> parse_examples(std::string_view reply, const judge::Scale& scale) {
  ASSIGN_OR_RETURN(const Json value, llm::find_json(reply));
  std::string text;
  std::set<std::string> seen;
  for (const judge::Level& level : scale.levels) {
    const auto example = find_text(value, level.label);
    if (!example || trim(*example).empty())
      return fail(ErrorKind::Unparsable, "there is no example for the score {}", level.label);
    if (!seen.insert(std::string(trim(*example))).second)
      return fail(ErrorKind::Unparsable, "two scores have the same example");
    text += fmt::format("{}: {}\n", level.label, trim(*example));
  }
  return std::string(trim(text));
}

}  // namespace personascope::eval::personagym
