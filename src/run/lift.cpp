#include "run/lift.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "judge/likelihood_summary.hpp"
#include "run/headline.hpp"
#include "run/ordered_lines.hpp"
#include "run/output.hpp"
#include "run/run_id.hpp"
#include "run/session.hpp"

namespace personascope::run {
namespace {

enum class Kind { Answer, Control, ContentFree };

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::Answer:
      return "answer";
    case Kind::Control:
      return "control";
    case Kind::ContentFree:
      break;
  }
  return "content_free";
}

// One text to be read: the answers in their order, then the controls.
struct Text {
  Kind kind = Kind::Answer;
  const LiftItem* item = nullptr;
  std::string answer;
};

std::vector<Text> list_texts(const LiftPlan& plan, const LiftInput& input,
                             const std::string& content_free) {
  std::vector<Text> texts;
  for (const LiftItem& item : input.items) texts.push_back({Kind::Answer, &item, item.answer});
  for (const LiftItem& item : input.items)
    if (item.control) texts.push_back({Kind::Control, &item, *item.control});
  if (plan.content_free)
    for (const LiftItem& item : input.items)
      texts.push_back({Kind::ContentFree, &item, content_free});
  return texts;
}

// Of the item, where one id has several.
std::string render_item_id(const Text& text) {
  if (text.kind == Kind::Answer) return text.item->id.text;
  return fmt::format("{}/{}", name_of(text.kind), text.item->id.text);
}

// Null if it could not be read.
Json describe(const LiftInput& input, const Result<judge::PersonaReading>& reading) {
  if (!reading) return nullptr;
  Json value = {{"lift", reading->lift()},
                {"parroted", reading->parroted},
                {"tokens", reading->tokens},
                {"neutral", reading->neutral},
                {"candidates", Json::array()}};
  for (const judge::Candidate& candidate : reading->candidates)
    value["candidates"].push_back(
        {{"persona", input.names[candidate.persona]}, {"score", candidate.score}});
  return value;
}

std::string render_line(const Text& text, const LiftInput& input,
                        const Result<judge::PersonaReading>& reading) {
  Json rest = {{"persona", input.names[text.item->persona]}, {"error", nullptr}};
  if (reading) {
    rest.update(describe(input, reading));
  } else {
    rest["error"] = {{"kind", personascope::name_of(reading.error().kind)},
                     {"message", reading.error().message}};
  }
  // The id as the line had it, which a JSON value would write anew.
  return fmt::format(R"({{"id":{},"kind":"{}",{})", text.item->id.json, name_of(text.kind),
                     render_json(rest).substr(1));
}

// The judge over a model that is asked nothing: for estimates and explanations.
Result<void> with_idle_judge(
    const RunEnvironment& environment, const LiftPlan& plan, const LiftInput& input,
    const std::function<Result<void>(const judge::LikelihoodJudge&, const llm::Model&)>& action) {
  ModelSet models(environment, plan.engine);
  ASSIGN_OR_RETURN(llm::Model * model, models.add(plan.model, plan.base_url));
  ASSIGN_OR_RETURN(const auto judge, judge::LikelihoodJudge::create(*model, input.personas));
  return action(judge, *model);
}

// Goes through what the judge will ask.
Result<void> visit_calls(
    const LiftPlan& plan, const LiftInput& input, const judge::LikelihoodJudge& judge,
    const std::function<Result<void>(const judge::LikelihoodJudge::Ask&)>& visit) {
  const auto candidates = judge::choose_distractors(input.personas, plan.distractors);
  for (const Text& text : list_texts(plan, input, judge.prompts().content_free))
    for (const auto& ask : judge.list_asks(text.item->id.text, text.item->question, text.answer,
                                           text.item->persona, candidates[text.item->persona]))
      RETURN_IF_ERROR(visit(ask));
  return {};
}

// Where the readings go; nothing where nobody wants them.
Result<std::optional<Output>> open_output(const RunEnvironment& environment, const LiftPlan& plan) {
  if (plan.output.empty()) return std::optional<Output>{};
  ASSIGN_OR_RETURN(Output output, Output::create(plan.output, "readings", environment));
  return std::optional(std::move(output));
}

// Hands out the texts and takes the readings in.
class Lifting {
 public:
  Lifting(Session& session, judge::LikelihoodJudge judge, const LiftPlan& plan,
          const LiftInput& input, std::optional<Output>& output)
      : session_(session),
        judge_(std::move(judge)),
        input_(input),
        candidates_(judge::choose_distractors(input.personas, plan.distractors)),
        texts_(list_texts(plan, input, judge_.prompts().content_free)),
        lines_([&output](std::string_view text) {
          return output ? output->write(text) : Result<void>{};
        }) {}

  Result<std::optional<Session::Work>> next() {
    if (next_ >= texts_.size()) return std::optional<Session::Work>{};
    const std::size_t place = next_++;
    return std::optional<Session::Work>([this, place] { return read(place); });
  }

  bool may_begin() const { return !lines_.is_full(); }

  Json summarize() {
    readings_.reader = judge_.name();
    readings_.personas = input_.names;
    auto summary = judge::summarize_readings(std::move(readings_));
    if (summary) {
      Json results = judge::to_json(*summary);
      add_word_note(results);
      return results;
    }
    return {{"reader", judge_.name()}, {"why_no_summary", summary.error().message}};
  }

 private:
  // A persona of one word may be an id whose text nobody gave.
  void add_word_note(Json& results) const {
    const auto word = std::ranges::find_if(input_.personas, [](const std::string& persona) {
      return persona.find_first_of(" \t\n") == std::string::npos;
    });
    if (word != input_.personas.end())
      results["notes"].push_back(
          fmt::format("The persona \"{}\" was read as a text of one word: if it is an id, give the "
                      "file of personas (`personas`).",
                      shorten(*word, 60)));
  }

  Task<void> read(std::size_t place) {
    const Text& text = texts_[place];
    const std::size_t persona = text.item->persona;
    Result<judge::PersonaReading> reading =
        co_await judge_.read(session_.chain(), text.item->id.text, text.item->question, text.answer,
                             persona, candidates_[persona]);
    if (!reading && core::is_unfinished(reading.error())) co_return;
    const auto index = static_cast<std::int64_t>(place);
    const auto written = lines_.put(index, render_line(text, input_, reading));
    if (!written) session_.stop().request(written.error());
    core::ItemRecord item;
    item.position = index;
    item.id = render_item_id(text);
    item.cluster = input_.names[persona];
    item.label = name_of(text.kind);
    if (!reading) {
      item.outcome = core::Outcome::Failed;
      item.error = reading.error();
    }
    item.document = {{"question", text.item->question},
                     {"answer", text.answer},
                     {"reading", describe(input_, reading)}};
    if (reading) readings_of(text.kind).push_back(std::move(*reading));
    session_.record(std::move(item));
  }

  std::vector<judge::PersonaReading>& readings_of(Kind kind) {
    if (kind == Kind::Answer) return readings_.answers;
    return kind == Kind::Control ? readings_.control : readings_.content_free;
  }

  Session& session_;
  judge::LikelihoodJudge judge_;
  const LiftInput& input_;
  std::vector<std::vector<std::size_t>> candidates_;
  std::vector<Text> texts_;
  OrderedLines lines_;
  judge::LikelihoodReadings readings_;
  std::size_t next_ = 0;
};

Result<RunSummary> carry_out(const RunEnvironment& environment, const store::RunRecord& run,
                             const LiftPlan& plan, const LiftInput& input,
                             std::unique_ptr<ModelSet> models) {
  ASSIGN_OR_RETURN(auto session, Session::create(environment, run, plan.engine, {},
                                                 std::move(models), ItemIds::Plain));
  ASSIGN_OR_RETURN(llm::Model * model, session->add_model(plan.model, plan.base_url));
  ASSIGN_OR_RETURN(auto judge, judge::LikelihoodJudge::create(*model, input.personas));
  ASSIGN_OR_RETURN(auto output, open_output(environment, plan));
  Lifting lifting(*session, std::move(judge), plan, input, output);
  session->carry_out([&] { return lifting.next(); }, [&] { return lifting.may_begin(); });
  return session->conclude([&](Findings& findings) -> Result<void> {
    if (output) RETURN_IF_ERROR(output->commit());
    findings.results = lifting.summarize();
    findings.headline = find_headline(findings.results);
    return {};
  });
}

}  // namespace

Result<std::unique_ptr<ModelSet>> check_lift_plan(const RunEnvironment& environment,
                                                  const LiftPlan& plan, const LiftInput& input) {
  auto models = std::make_unique<ModelSet>(environment, plan.engine);
  ASSIGN_OR_RETURN(llm::Model * model, models->add(plan.model, plan.base_url));
  RETURN_IF_ERROR(judge::LikelihoodJudge::create(*model, input.personas));
  RETURN_IF_ERROR(open_output(environment, plan));
  return models;
}

Result<Estimate> estimate_lift(const RunEnvironment& environment, const LiftPlan& plan,
                               const LiftInput& input) {
  Estimate estimate;
  const auto add_up = [&](const judge::LikelihoodJudge& judge,
                          const llm::Model& model) -> Result<void> {
    CallEstimator estimator(environment, model, plan.engine);
    RETURN_IF_ERROR(visit_calls(plan, input, judge, [&](const judge::LikelihoodJudge::Ask& ask) {
      return estimator.add(ask.request, ask.draw);
    }));
    const std::size_t texts = list_texts(plan, input, "").size();
    ASSIGN_OR_RETURN(estimate, estimator.finish(static_cast<std::int64_t>(texts), llm::kJudgeRole));
    return {};
  };
  RETURN_IF_ERROR(with_idle_judge(environment, plan, input, add_up));
  return estimate;
}

Result<std::vector<MissExplanation>> explain_lift_misses(const RunEnvironment& environment,
                                                         const store::RunRecord& run,
                                                         const LiftPlan& plan,
                                                         const LiftInput& input,
                                                         const std::optional<std::string>& item) {
  MissFinder finder(environment.store, item);
  const std::string salt = salt_for(std::string(llm::kJudgeRole), {}, plan.engine, run.uid);
  const auto look = [&](const judge::LikelihoodJudge& judge, const llm::Model& model) {
    return visit_calls(plan, input, judge, [&](const judge::LikelihoodJudge::Ask& ask) {
      return finder.visit(model, ask.request, ask.draw, salt);
    });
  };
  RETURN_IF_ERROR(with_idle_judge(environment, plan, input, look));
  return finder.finish(plan.files.answers.path);
}

Result<store::RunRecord> create_lift_run(store::Store& store, const LiftPlan& plan,
                                         const LiftInput& input, std::string_view version,
                                         const ModelSet* models) {
  const std::size_t items = list_texts(plan, input, "").size();
  return create_run(store, "lift", to_json(plan), static_cast<std::int64_t>(items), version,
                    models);
}

Run start_lift_run(const RunEnvironment& environment, store::RunRecord run, LiftPlan plan,
                   LiftInput input, std::unique_ptr<ModelSet> models) {
  const std::int64_t id = run.id;
  return start_run(id, environment,
                   [run = std::move(run), plan = std::move(plan), input = std::move(input),
                    models = std::move(models)](const RunEnvironment& own) mutable {
                     return carry_out(own, run, plan, input, std::move(models));
                   });
}

}  // namespace personascope::run
