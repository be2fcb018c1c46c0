// Grading a sheet of answers, by either protocol.
#pragma once

#include <vector>

#include "base/result.hpp"
#include "base/task.hpp"
#include "eval/personagym/plan.hpp"
#include "eval/personagym/sheet.hpp"
#include "judge/judge.hpp"
#include "llm/ask_chain.hpp"

namespace personascope::eval::personagym {

// Who grades, and with what. Everything outlives the grading.
struct Grading {
  const GymPlan& plan;
  const Pack& pack;
  std::vector<llm::Model*> models;                // the judges'
  llm::Model* example_model = nullptr;            // null: no examples
  std::vector<std::vector<judge::Judge>> judges;  // by task, then by judge; the strict protocol's
  // By task, then by judge, with the rubrics beside the tasks; empty for a task without one.
  std::vector<std::vector<judge::Judge>> beside;
  std::vector<judge::Judge> probes;  // by judge; empty if no probes are asked
};

// A panel's verdict on one answer.
struct PanelVerdict {
  std::vector<judge::Judgement> judgements;  // by judge
  core::Verdict verdict;
  bool declines = false;  // more than half of the judges say so; the verdict is a refusal
};
// `fields` has "answer". Fails only if the run stops (core::is_unfinished).
Task<Result<PanelVerdict>> judge_by_panel(llm::AskChain& chain,
                                          const std::vector<judge::Judge>& judges,
                                          judge::PanelRule rule, std::string id,
                                          judge::Fields fields);

// Fills in the items' examples, judgements and verdicts, also those by the rubric beside the task.
// An item without an answer fails as its answer did, and one that declined is refused. Fails only
// if the run stops (core::is_unfinished).
Task<Result<void>> grade_strictly(llm::AskChain& chain, const Grading& grading,
                                  const Persona& persona, const GymTask& task, Sheet& sheet);

// The same in the calls of the published program: five answers a call; fills in the batches too.
Task<Result<void>> grade_as_reference(llm::AskChain& chain, const Grading& grading,
                                      const Persona& persona, const GymTask& task, Sheet& sheet);

// The example answers for each score that a model wrote, as the judges' prompt shows them. Fails as
// Unparsable unless there is one for every score and no two are the same.
Result<std::string> parse_examples(std::string_view reply, const judge::Scale& scale);

// Sampling as the published program sends it to the API that it takes the model for, by the
// model's name without the provider.
core::Sampling make_reference_sampling(std::string_view model, double temperature, double top_p);
// Whether its judge of that name is sent the system message.
bool takes_system_message(std::string_view model);

}  // namespace personascope::eval::personagym
