// Judging a dialogue in one dimension, by either protocol.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/task.hpp"
#include "core/verdict.hpp"
#include "eval/personalens/canary_book.hpp"
#include "eval/personalens/dialogue.hpp"
#include "eval/personalens/dimension.hpp"
#include "eval/personalens/plan.hpp"
#include "judge/canary.hpp"
#include "judge/judge.hpp"

namespace personascope::eval::personalens {

// One judge's verdict, and its file's text in the published form.
struct DimensionVerdict {
  core::Verdict verdict;
  std::optional<std::string> file;   // nothing: there is nothing to write
  std::vector<core::Verdict> turns;  // of a dimension that judges each turn
};

// A dialogue's verdicts in one dimension.
struct DimensionScore {
  const Dimension* dimension = nullptr;
  core::Verdict verdict;  // of all judges together
  std::vector<DimensionVerdict> by_judge;
};

// What judges of the dimension are told beside the conversation.
std::string render_background(const Words& words, const Dimension& dimension,
                              const ScenarioTexts& texts);

class DialogueJudges {
 public:
  // Plan and words outlive the judges. Fails as judge::Judge::create does.
  static Result<DialogueJudges> create(const LensPlan& plan, const Words& words,
                                       std::vector<llm::Model*> models,
                                       std::vector<const Dimension*> dimensions);

  const std::vector<const Dimension*>& dimensions() const { return dimensions_; }
  // Whether the dimension judges an assistant's whole dialogue, so that canaries say something.
  static bool takes_canaries(const Dimension& dimension) {
    return dimension.side != Side::User && dimension.scope == Scope::Dialogue;
  }

  // One score a dimension, in their order. Fails only if the run stops. Everything outlives the
  // task.
  Task<Result<std::vector<DimensionScore>>> judge(llm::AskChain& chain, const ScenarioTexts& texts,
                                                  const Dialogue& dialogue,
                                                  const std::string& item) const;

  // What they give the dialogue if the assistant says only what a canary says: in the dimensions
  // that judge whole dialogues, but for the user's side. Fails as judge() does.
  Task<Result<std::vector<CanaryScore>>> judge_canaries(llm::AskChain& chain,
                                                        const ScenarioTexts& texts,
                                                        const Dialogue& dialogue,
                                                        const std::string& item) const;

 private:
  DialogueJudges(const LensPlan& plan, const Words& words) : plan_(&plan), words_(&words) {}
  Task<Result<DimensionScore>> judge_one(llm::AskChain& chain, std::size_t dimension,
                                         const ScenarioTexts& texts, const Dialogue& dialogue,
                                         const std::string& item) const;
  Task<Result<DimensionVerdict>> ask_rubric(llm::AskChain& chain, std::size_t dimension,
                                            std::size_t judge, const ScenarioTexts& texts,
                                            const Dialogue& dialogue,
                                            const std::string& item) const;
  Task<Result<DimensionVerdict>> ask_turns(llm::AskChain& chain, std::size_t dimension,
                                           std::size_t judge, const ScenarioTexts& texts,
                                           const Dialogue& dialogue, const std::string& item) const;
  Task<Result<DimensionVerdict>> ask_as_reference(llm::AskChain& chain, std::size_t dimension,
                                                  std::size_t judge, const ScenarioTexts& texts,
                                                  const Dialogue& dialogue,
                                                  const std::string& item) const;
  Task<Result<CanaryScore>> ask_canary(llm::AskChain& chain, std::size_t dimension,
                                       std::size_t judge, judge::Canary canary,
                                       const ScenarioTexts& texts, const Dialogue& dialogue,
                                       const std::string& item) const;

  const LensPlan* plan_;
  const Words* words_;
  std::vector<llm::Model*> models_;
  std::vector<const Dimension*> dimensions_;
  std::vector<std::vector<judge::Judge>> judges_;  // by dimension, then by judge
  std::vector<VerdictFileReader> readers_;         // by dimension
};

}  // namespace personascope::eval::personalens
