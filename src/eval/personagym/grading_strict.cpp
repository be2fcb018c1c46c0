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

// The verdict of an item that leaves nothing to judge, if it is one.
std::optional<core::Verdict> find_given_verdict(const Item& item) {
  if (item.fault) return core::make_failure(*item.fault);
  if (item.refused) return core::make_refusal(item.answer);
  return std::nullopt;
}

Task<Result<void>> grade_item(llm::AskChain& chain, const Grading& grading, const Persona& persona,
                              const GymTask& task, std::size_t task_place, Item& item) {
  if (const auto given = find_given_verdict(item)) {
    item.verdict = *given;
    item.beside_verdict = *given;
    co_return Result<void>{};
  }
  if (grading.example_model) {
    CO_ASSIGN_OR_RETURN(item.examples,
                        co_await write_examples(chain, grading, persona, task, item));
  }
  judge::Fields fields{
      {"persona", persona.text}, {"question", item.question}, {"answer", item.answer}};
  const judge::Fields plain = fields;
  if (!item.examples.empty()) fields["examples"] = item.examples;
  CO_ASSIGN_OR_RETURN(PanelVerdict panel,
                      co_await judge_by_panel(chain, grading.judges[task_place], grading.plan.rule,
                                              item.id, std::move(fields)));
  item.judgements = std::move(panel.judgements);
  item.verdict = std::move(panel.verdict);
  item.refused = panel.declines;
  if (task_place >= grading.beside.size() || grading.beside[task_place].empty())
    co_return Result<void>{};
  if (item.refused) {
    item.beside_verdict = item.verdict;
    co_return Result<void>{};
  }
  CO_ASSIGN_OR_RETURN(PanelVerdict beside,
                      co_await judge_by_panel(chain, grading.beside[task_place], grading.plan.rule,
                                              item.id + "/beside", plain));
  item.beside = std::move(beside.judgements);
  item.beside_verdict = std::move(beside.verdict);
  co_return Result<void>{};
}

}  // namespace

Task<Result<PanelVerdict>> judge_by_panel(llm::AskChain& chain,
                                          const std::vector<judge::Judge>& judges,
                                          judge::PanelRule rule, std::string id,
                                          judge::Fields fields) {
  std::vector<Task<Result<judge::Judgement>>> asks;
  for (const judge::Judge& judge : judges) asks.push_back(judge.judge(chain, id, fields));
  std::vector<Result<judge::Judgement>> judgements = co_await all(std::move(asks));
  PanelVerdict panel;
  std::vector<core::Verdict> verdicts;
  for (Result<judge::Judgement>& judgement : judgements) {
    if (!judgement) co_return std::unexpected(std::move(judgement).error());
    verdicts.push_back(judgement->verdict);
    panel.judgements.push_back(std::move(*judgement));
  }
  panel.verdict = judge::combine_panel(verdicts, rule);
  panel.declines = calls_it_refusal(panel.judgements);
  if (panel.declines) panel.verdict = core::make_refusal(fields.find("answer")->second);
  co_return panel;
}

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
