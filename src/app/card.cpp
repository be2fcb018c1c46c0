#include "app/card.hpp"

#include "app/data.hpp"
#include "base/text.hpp"
#include "files/text_file.hpp"
#include "judge/prompt.hpp"

namespace personascope::app {
namespace {

constexpr std::int64_t kRunsLookedAt = 1000;

Result<std::optional<store::RunRecord>> find_run_of(store::Reader& reader,
                                                    const std::string& evaluation,
                                                    std::optional<std::int64_t> id) {
  if (id) {
    ASSIGN_OR_RETURN(store::RunRecord run, reader.load_run(*id));
    if (run.command != evaluation)
      return fail(ErrorKind::Invalid, "run {} is not a {} run but a {} run", *id, evaluation,
                  printable(run.command));
    return std::optional(std::move(run));
  }
  store::RunFilter filter;
  filter.evaluation = evaluation;
  filter.limit = kRunsLookedAt;
  ASSIGN_OR_RETURN(const auto runs, reader.load_runs(filter));
  for (const store::RunEntry& entry : runs)
    if (entry.state == store::RunState::Done) {
      ASSIGN_OR_RETURN(store::RunRecord run, reader.load_run(entry.id));
      return std::optional(std::move(run));
    }
  return std::optional<store::RunRecord>{};
}

// What the plan and the results say; what they do not is not recorded, and not guessed.
Json describe_use(const store::RunRecord& run) {
  Json used = {{"run", run.id}, {"started_at", run.started_at}, {"items", run.items}};
  for (const char* member : {"version", "model", "judges", "reader", "protocol", "epochs", "seed",
                             "questions_per_task", "temperature", "top_p"})
    if (const Json* value = find_member(run.plan, member)) used[member] = *value;
  if (const Json* personas = find_member(run.plan, "personas")) used["personas"] = personas->size();
  for (const char* member : {"pack", "exam", "outcomes"})
    if (const Json* value = find_member(run.results, member)) used[member] = *value;
  return used;
}

}  // namespace

Result<Card> load_card(Context& context, const std::string& evaluation,
                       std::optional<std::int64_t> run) {
  Card card;
  card.evaluation = evaluation;
  ASSIGN_OR_RETURN(const std::string path, find_data(context, evaluation + "/README.md"));
  ASSIGN_OR_RETURN(const std::string text, files::load_text(path));
  ASSIGN_OR_RETURN(judge::HeadedText headed, judge::parse_headed_text(text, path));
  card.head = std::move(headed.head);
  card.text = std::string(trim(headed.body));
  ASSIGN_OR_RETURN(store::Reader * reader, run ? context.reader() : context.find_reader());
  if (!reader) return card;
  ASSIGN_OR_RETURN(const auto found, find_run_of(*reader, evaluation, run));
  if (found) card.used = describe_use(*found);
  return card;
}

Json to_json(const Card& card) {
  return {{"evaluation", card.evaluation},
          {"card", card.head},
          {"text", card.text},
          {"used", card.used}};
}

}  // namespace personascope::app
