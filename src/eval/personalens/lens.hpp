// The lens: does an assistant serve this person? PersonaLens's evaluation (docs/lens.md).
//
// Its item is a dialogue: one user, one task, and what the assistant may know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "eval/evaluation.hpp"
#include "eval/personalens/judging.hpp"
#include "eval/personalens/lift.hpp"
#include "eval/personalens/plan.hpp"
#include "eval/personalens/score_book.hpp"
#include "eval/personalens/verdict_book.hpp"
#include "eval/personalens/vocabulary.hpp"
#include "eval/personalens/words.hpp"

namespace personascope::eval::personalens {

// What a plan is carried out with, loaded once.
struct LensContent {
  Words words;
  std::optional<Vocabulary> vocabulary;  // of drawn users; nothing if they are files
  std::string sha256;                    // of both: what a plan keeps
};
// Fails as NotFound or Invalid.
Result<LensContent> load_content(const LensPlan& plan);
// The hash over the chosen users' files; empty if they are drawn. Fails as NotFound or Invalid.
Result<std::string> hash_users(const LensPlan& plan);

class Lens final : public Evaluation {
 public:
  // Reads the tasks of every user and every prompt, and checks them. `loaded` is the plan's content
  // if it was loaded before, which takes a tenth of a second; null: it is loaded. Fails as Invalid
  // or NotFound, with what and where.
  static Result<std::unique_ptr<Lens>> create(LensPlan plan, const FindModel& find_model,
                                              const LensContent* loaded = nullptr);

  std::int64_t items() const override { return std::ssize(entries_); }
  std::vector<Forecast> forecast() const override;
  std::vector<std::string> notes() const override;
  std::int64_t pieces() const override { return items(); }
  Task<void> work(ItemContext& context, std::int64_t piece) override;
  Result<Json> finish() override;

 private:
  // What is known of an item before its files are read again.
  struct Entry {
    int user = 0;
    Span span = Span::Single;
    std::uint32_t task = 0;  // a place in `task_ids_`
    std::uint32_t context = 0;
  };
  // An item while it is worked on.
  struct Item {
    std::size_t index = 0;
    std::string id;  // "user7/SD-Alarm-task-1", with ":dp" for what the assistant knows
    Scenario scenario;
    ScenarioTexts texts;
    Dialogue dialogue;
    std::vector<UserFault> faults;
    std::vector<DimensionScore> scores;
  };

  Lens(LensPlan plan, Words words);
  Result<void> list_entries();
  Result<void> add_user(int user, Span span);
  void add_unlisted(int user, Span span);
  std::uint32_t place_of(const std::string& task);
  Result<void> find_models(const FindModel& find_model);

  Result<void> load_scenario(Item& item) const;
  // Each fails only if the run stops.
  Task<Result<void>> hold_dialogue(ItemContext& context, Item& item) const;
  Task<Result<void>> judge_dialogue(ItemContext& context, Item& item) const;
  Task<Result<void>> judge_canaries(ItemContext& context, const Item& item);
  Task<Result<void>> measure_lift(ItemContext& context, Item& item);

  Result<void> load_dialogue(Item& item) const;
  void break_item(Item& item, Error fault) const;
  void keep_files(const Item& item);
  Result<void> name_folders() const;
  core::Outcome outcome_of(const Item& item) const;
  Json make_document(const Item& item) const;
  void take_in(ItemContext& context, Item item);
  const Knowledge& knowledge_of(const Item& item) const;
  std::int64_t max_turns(Span span) const;

  LensPlan plan_;
  Words words_;
  std::unique_ptr<UserSource> users_;
  std::vector<std::string> task_ids_;
  std::set<std::string> domains_;  // of all tasks that were looked at
  std::vector<Entry> entries_;
  llm::Model* user_ = nullptr;
  llm::Model* assistant_ = nullptr;
  llm::Model* reader_ = nullptr;
  std::vector<const Dimension*> dimensions_;
  std::optional<DialogueJudges> judges_;
  std::optional<ScoreBook> book_;
  std::optional<VerdictBook> verdicts_;
  std::vector<std::size_t> canary_items_;  // which are judged with canaries too, in order
  CanaryBook canaries_;
  std::vector<std::size_t> read_items_;  // whose lift is read, in order
  std::vector<TurnLift> lifts_;
  std::size_t unread_ = 0;           // dialogues that the reader could not read
  std::set<std::string> oddities_;   // of the users' files; a few at most
  std::optional<Error> file_fault_;  // a file that could not be written
};

}  // namespace personascope::eval::personalens
