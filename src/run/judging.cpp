#include "run/judging.hpp"

#include <algorithm>
#include <functional>
#include <memory>

#include "base/text.hpp"
#include "files/line_reader.hpp"
#include "judge/canary.hpp"
#include "judge/summary.hpp"
#include "llm/providers/catalog.hpp"
#include "run/judge_line.hpp"
#include "run/ordered_lines.hpp"
#include "run/output.hpp"
#include "run/run_id.hpp"

namespace personascope::run {
namespace {

constexpr const char* kUsualCluster = "persona";

// What lines must have, whichever of the rubric's prompts a judge is asked with.
std::vector<std::string> list_fields(const judge::Rubric& rubric) {
  std::vector<std::string> fields = judge::list_needed_fields(rubric.prompt);
  for (const std::string& field : judge::list_needed_fields(rubric.score_prompt))
    if (std::ranges::find(fields, field) == fields.end()) fields.push_back(field);
  return fields;
}

// The panel, and the judge for escalations behind it if there is one.
std::vector<std::string> list_judges(const JudgePlan& plan) {
  std::vector<std::string> names = plan.judges;
  if (plan.escalate) names.push_back(*plan.escalate);
  return names;
}

Result<void> check_names(const JudgePlan& plan) {
  const std::vector<std::string> names = list_judges(plan);
  if (plan.judges.empty()) return fail(ErrorKind::Invalid, "name a judge with --judge");
  if (plan.escalate && plan.judges.size() < 2)
    return fail(ErrorKind::Invalid, "--escalate needs two judges that may differ");
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (std::ranges::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i),
                          names[i]) != names.begin() + static_cast<std::ptrdiff_t>(i))
      return fail(ErrorKind::Invalid,
                  "{} is named twice; to ask it several times use --judge-repeats",
                  printable(names[i]));
    if (plan.base_url &&
        names[i].substr(0, names[i].find('/')) != names[0].substr(0, names[0].find('/')))
      return fail(ErrorKind::Invalid,
                  "--base-url is one address, but the judges are of several providers; give the "
                  "address in the provider's variable instead (see `personascope models`)");
  }
  return {};
}

using MakeModel = std::function<Result<llm::Model*>(const std::string&)>;

Result<std::vector<judge::Judge>> make_judges(const JudgePlan& plan, const judge::Rubric& rubric,
                                              const MakeModel& make_model) {
  std::vector<judge::Judge> judges;
  for (const std::string& name : list_judges(plan)) {
    ASSIGN_OR_RETURN(llm::Model * model, make_model(name));
    ASSIGN_OR_RETURN(judge::Judge judge, judge::Judge::create(*model, rubric, plan.options));
    judges.push_back(std::move(judge));
  }
  return judges;
}

// Judges that are asked nothing: for checks and estimates.
class IdleJudges {
 public:
  Result<void> add(const Surroundings& surroundings, const JudgePlan& plan,
                   const judge::Rubric& rubric) {
    ASSIGN_OR_RETURN(judges_, make_judges(plan, rubric, [&](const std::string& name) {
                       return make_one(surroundings, plan, name);
                     }));
    return {};
  }
  const std::vector<judge::Judge>& get() const { return judges_; }

 private:
  Result<llm::Model*> make_one(const Surroundings& surroundings, const JudgePlan& plan,
                               const std::string& name) {
    ASSIGN_OR_RETURN(auto model, llm::make_model(name, {plan.base_url, {}, {}},
                                                 surroundings.environment, client_));
    RETURN_IF_ERROR(check_price(plan.engine, surroundings.prices, *model));
    models_.push_back(std::move(model));
    return models_.back().get();
  }

  sched::Loop loop_;
  http::Client client_{loop_};
  std::vector<std::unique_ptr<llm::Model>> models_;
  std::vector<judge::Judge> judges_;
};

// The canary answers about the chosen items, made while the items go by.
class CanaryLines {
 public:
  CanaryLines(const JudgePlan& plan, const judge::Rubric& rubric)
      : canaries_(judge::make_canaries(rubric)),
        judged_(rubric.prompt.judged),
        chosen_(judge::choose_canary_items(static_cast<std::size_t>(plan.input.lines),
                                           static_cast<std::size_t>(plan.canaries))) {}

  void see(std::int64_t index, const JudgeLine& line) {
    if (!std::ranges::binary_search(chosen_, static_cast<std::size_t>(index))) return;
    for (const judge::Canary& canary : canaries_) {
      JudgeLine copy = line;
      copy.id = "canary/" + canary.name + "/" + line.id;
      copy.fields[judged_] = canary.answer;
      lines_.push_back({canary.name, std::move(copy)});
    }
  }

  struct Line {
    std::string canary;
    JudgeLine line;
  };
  const std::vector<Line>& lines() const { return lines_; }
  std::int64_t expected() const {
    return static_cast<std::int64_t>(chosen_.size() * judge::kCanaryKinds);
  }

 private:
  std::vector<judge::Canary> canaries_;
  std::string judged_;
  std::vector<std::size_t> chosen_;
  std::vector<Line> lines_;
};

store::UnitRecord make_unit(std::int64_t index, const std::string& id,
                            const core::Verdict& verdict) {
  store::UnitRecord unit{index, id, core::Outcome::Ok, ""};
  if (verdict.kind == core::VerdictKind::Refused) unit.outcome = core::Outcome::Refused;
  if (verdict.kind == core::VerdictKind::Failed) {
    unit.outcome = core::Outcome::Failed;
    unit.detail = fmt::format("{}: {}", name_of(verdict.fault.kind), verdict.fault.message);
  }
  return unit;
}

std::optional<ErrorKind> find_fault(const core::Verdict& verdict) {
  if (verdict.kind != core::VerdictKind::Failed) return std::nullopt;
  return verdict.fault.kind;
}

std::vector<core::Verdict> verdicts_of(const std::vector<judge::Judgement>& judgements) {
  std::vector<core::Verdict> verdicts;
  for (const judge::Judgement& judgement : judgements) verdicts.push_back(judgement.verdict);
  return verdicts;
}

// Hands out the lines of the input, then the canaries, and takes the verdicts in.
class Judging {
 public:
  Judging(Session& session, std::vector<judge::Judge> judges, const JudgePlan& plan,
          const judge::Rubric& rubric, files::LineReader reader, Output& output)
      : session_(session),
        judges_(std::move(judges)),
        plan_(plan),
        rubric_(rubric),
        needed_(list_fields(rubric)),
        reader_(std::move(reader)),
        lines_([&output](std::string_view text) { return output.write(text); }),
        canaries_(plan, rubric),
        items_(static_cast<std::size_t>(plan.input.lines)),
        canary_verdicts_(static_cast<std::size_t>(canaries_.expected())) {}

  Result<std::optional<Session::Work>> next() {
    ASSIGN_OR_RETURN(const auto text, reader_.next());
    if (!text) return next_canary();
    auto line = parse_judge_line(*text, needed_);
    if (!line || next_index_ >= plan_.input.lines)
      return fail(ErrorKind::Invalid, "line {} of the input has changed", reader_.line_number());
    const std::int64_t index = next_index_++;
    canaries_.see(index, *line);
    return std::optional<Session::Work>([this, index, line = std::move(*line)]() mutable {
      return judge_line(index, std::move(line));
    });
  }

  bool may_begin() const { return !lines_.is_full(); }

  // In the order of the file, whatever the order of the answers was.
  Json summarize() const {
    judge::Tally tally(rubric_, list_judges(plan_), plan_.rule);
    for (const judge::Tally::Item& item : items_) tally.add(item);
    for (std::size_t i = 0; i < canary_verdicts_.size(); ++i)
      for (std::size_t judge = 0; judge < canary_verdicts_[i].size(); ++judge)
        tally.add_canary(canaries_.lines()[i].canary, judge, canary_verdicts_[i][judge]);
    return tally.summarize();
  }

 private:
  std::optional<Session::Work> next_canary() {
    if (next_canary_ >= canaries_.lines().size()) return std::nullopt;
    const std::size_t place = next_canary_++;
    return Session::Work([this, place] { return judge_canary(place); });
  }

  bool is_escalation(std::size_t place) const { return place >= plan_.judges.size(); }

  Task<void> judge_line(std::int64_t index, JudgeLine line) {
    std::vector<judge::Judgement> judgements;
    for (std::size_t place = 0; place < judges_.size(); ++place) {
      if (is_escalation(place) && !judge::differs_widely(verdicts_of(judgements))) break;
      Result<judge::Judgement> judgement =
          co_await judges_[place].judge(session_.chain(), line.id, line.fields);
      if (!judgement) co_return;
      judgements.push_back(std::move(*judgement));
    }
    const core::Verdict verdict = judge::combine_panel(verdicts_of(judgements), plan_.rule);
    std::optional<std::string> cluster;
    if (plan_.cluster) cluster = line.fields[*plan_.cluster];
    const auto written = lines_.put(index, render_verdict_line(line, verdict, cluster, judgements));
    if (!written) session_.stop().request(written.error());
    session_.record(make_unit(index, line.id, verdict), find_fault(verdict));
    keep(index, line, verdict, cluster, std::move(judgements));
  }

  void keep(std::int64_t index, const JudgeLine& line, const core::Verdict& verdict,
            const std::optional<std::string>& cluster, std::vector<judge::Judgement> judgements) {
    judge::Tally::Item& item = items_[static_cast<std::size_t>(index)];
    item.cluster = cluster.value_or("");
    if (const auto model = line.fields.find("model"); model != line.fields.end())
      item.model = model->second;
    item.verdict = verdict;
    item.verdict.text.clear();
    for (std::size_t place = 0; place < judgements.size(); ++place) {
      judgements[place].readings.clear();
      judgements[place].verdict.text.clear();
      item.escalated = item.escalated || is_escalation(place);
      item.judgements.emplace_back(place, std::move(judgements[place]));
    }
  }

  Task<void> judge_canary(std::size_t place) {
    const JudgeLine& line = canaries_.lines()[place].line;
    std::vector<core::Verdict> verdicts;
    for (std::size_t judge = 0; judge < plan_.judges.size(); ++judge) {
      const Result<judge::Judgement> judgement =
          co_await judges_[judge].judge(session_.chain(), line.id, line.fields);
      if (!judgement) co_return;
      verdicts.push_back(judgement->verdict);
    }
    core::Verdict verdict = judge::combine_panel(verdicts, plan_.rule);
    // A judge at a loss for words about nothing has not failed; its verdict is counted all the
    // same.
    if (verdict.fault.kind == ErrorKind::Unparsable) verdict = core::make_abstention("");
    session_.record(
        make_unit(plan_.input.lines + static_cast<std::int64_t>(place), line.id, verdict),
        find_fault(verdict));
    canary_verdicts_[place] = std::move(verdicts);
  }

  Session& session_;
  std::vector<judge::Judge> judges_;
  const JudgePlan& plan_;
  const judge::Rubric& rubric_;
  std::vector<std::string> needed_;
  files::LineReader reader_;
  OrderedLines lines_;
  CanaryLines canaries_;
  std::vector<judge::Tally::Item> items_;
  std::vector<std::vector<core::Verdict>> canary_verdicts_;
  std::int64_t next_index_ = 0;
  std::size_t next_canary_ = 0;
};

}  // namespace

Result<judge::Rubric> fill_judge_plan(JudgePlan& plan, const std::string& input) {
  RETURN_IF_ERROR(check_names(plan));
  ASSIGN_OR_RETURN(judge::Rubric rubric, judge::load_rubric(plan.rubric));
  plan.rubric_sha256 = rubric.sha256;
  std::vector<std::string> needed = list_fields(rubric);
  if (plan.cluster && std::ranges::find(needed, *plan.cluster) == needed.end())
    needed.push_back(*plan.cluster);
  bool all_have_cluster = true;
  ASSIGN_OR_RETURN(
      plan.input,
      check_input_file(input, "answers", [&](std::string_view text) -> Result<std::string> {
        ASSIGN_OR_RETURN(JudgeLine line, parse_judge_line(text, needed));
        all_have_cluster = all_have_cluster && line.fields.contains(kUsualCluster);
        return std::move(line.id);
      }));
  if (!plan.cluster && all_have_cluster) plan.cluster = kUsualCluster;
  return rubric;
}

Result<std::unique_ptr<ModelSet>> check_judge_plan(const Surroundings& surroundings,
                                                   const JudgePlan& plan,
                                                   const judge::Rubric& rubric) {
  auto models =
      std::make_unique<ModelSet>(surroundings.environment, surroundings.prices, plan.engine);
  RETURN_IF_ERROR(make_judges(
      plan, rubric, [&](const std::string& name) { return models->add(name, plan.base_url); }));
  RETURN_IF_ERROR(Output::create(plan.output, "verdicts", surroundings));
  return models;
}

Result<std::vector<Estimate>> estimate_judging(const Surroundings& surroundings,
                                               const JudgePlan& plan, const judge::Rubric& rubric) {
  IdleJudges judges;
  RETURN_IF_ERROR(judges.add(surroundings, plan, rubric));
  std::vector<CallEstimator> estimators;
  for (std::size_t i = 0; i < plan.judges.size(); ++i)
    estimators.emplace_back(surroundings, judges.get()[i].model(), plan.engine);
  const auto add = [&](const JudgeLine& line) -> Result<void> {
    for (std::size_t i = 0; i < estimators.size(); ++i)
      for (const judge::Judge::Ask& ask : judges.get()[i].list_asks(line.id, line.fields))
        RETURN_IF_ERROR(estimators[i].add(ask.request, ask.draw));
    return {};
  };
  CanaryLines canaries(plan, rubric);
  const std::vector<std::string> needed = list_fields(rubric);
  ASSIGN_OR_RETURN(auto reader, files::LineReader::open(plan.input.path));
  for (std::int64_t index = 0;; ++index) {
    ASSIGN_OR_RETURN(const auto text, reader.next());
    if (!text) break;
    ASSIGN_OR_RETURN(const JudgeLine line, parse_judge_line(*text, needed));
    canaries.see(index, line);
    RETURN_IF_ERROR(add(line));
  }
  for (const CanaryLines::Line& canary : canaries.lines()) RETURN_IF_ERROR(add(canary.line));
  std::vector<Estimate> estimates;
  for (const CallEstimator& estimator : estimators) {
    ASSIGN_OR_RETURN(Estimate estimate, estimator.finish(plan.input.lines, llm::kJudgeRole));
    estimates.push_back(std::move(estimate));
  }
  return estimates;
}

Result<store::RunRecord> create_judge_run(store::Store& store, const JudgePlan& plan,
                                          std::string_view version, const ModelSet* models) {
  const std::int64_t units = plan.input.lines + static_cast<std::int64_t>(judge::kCanaryKinds) *
                                                    std::min(plan.canaries, plan.input.lines);
  return create_run(store, "judge", to_json(plan), units, version, models);
}

Result<RunSummary> carry_out_judging(const Surroundings& surroundings, const store::RunRecord& run,
                                     const JudgePlan& plan, const judge::Rubric& rubric,
                                     std::unique_ptr<ModelSet> models) {
  ASSIGN_OR_RETURN(auto session,
                   Session::create(surroundings, run, plan.engine, {}, std::move(models)));
  ASSIGN_OR_RETURN(auto judges, make_judges(plan, rubric, [&](const std::string& name) {
                     return session->add_model(name, plan.base_url);
                   }));
  ASSIGN_OR_RETURN(auto output, Output::create(plan.output, "verdicts", surroundings));
  ASSIGN_OR_RETURN(auto reader, files::LineReader::open(plan.input.path));

  Judging judging(*session, std::move(judges), plan, rubric, std::move(reader), output);
  session->carry_out([&] { return judging.next(); }, [&] { return judging.may_begin(); });
  if (!session->stop().requested()) {
    if (auto committed = output.commit(); !committed)
      session->stop().request(std::move(committed).error());
  }
  const bool is_whole = !session->stop().requested();
  Json results;
  if (is_whole) {
    results = judging.summarize();
    if (auto kept = surroundings.store.save_results(run.id, results); !kept)
      session->stop().request(std::move(kept).error());
  }
  RunSummary summary = session->finish();
  summary.results = std::move(results);
  return summary;
}

}  // namespace personascope::run
