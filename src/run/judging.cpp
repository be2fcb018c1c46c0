#include "run/judging.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "eval/evaluation.hpp"
#include "files/line_reader.hpp"
#include "judge/summary.hpp"
#include "llm/thinking.hpp"
#include "run/headline.hpp"
#include "run/judge_calls.hpp"
#include "run/judge_line.hpp"
#include "run/ordered_lines.hpp"
#include "run/output.hpp"
#include "run/run_id.hpp"
#include "run/session.hpp"

namespace personascope::run {
namespace {

constexpr const char* kUsualCluster = "persona";

Result<void> check_names(const JudgePlan& plan) {
  const std::vector<std::string> names = list_judges(plan);
  if (plan.judges.empty()) return fail(ErrorKind::Invalid, "name a judge (`judges`)");
  if (plan.escalate && plan.judges.size() < 2)
    return fail(ErrorKind::Invalid, "`escalate` needs two judges");
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (std::ranges::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i),
                          names[i]) != names.begin() + static_cast<std::ptrdiff_t>(i))
      return fail(ErrorKind::Invalid,
                  "{} is named twice; to ask it several times use `judge_repeats`",
                  printable(names[i]));
    if (plan.base_url &&
        names[i].substr(0, names[i].find('/')) != names[0].substr(0, names[0].find('/')))
      return fail(ErrorKind::Invalid,
                  "`base_url` is one address, but the judges are of several providers; give the "
                  "address in the provider's variable instead (see `personascope models`)");
  }
  return {};
}

// What was judged, and what each judge said.
Json make_document(const JudgeLine& line, const std::vector<judge::Judgement>& judgements) {
  Json document = {{"fields", line.fields}, {"judges", Json::array()}};
  for (const judge::Judgement& judgement : judgements)
    document["judges"].push_back(judge::to_json(judgement));
  return document;
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
        needed_(list_judged_fields(rubric)),
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
    judge::Tally tally(rubric_, list_judges(plan_), plan_.rule, plan_.cluster.value_or(""));
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
    core::ItemRecord item = eval::make_item(index, line.id, verdict);
    item.cluster = cluster.value_or("");
    item.judges = judge::list_scores(judgements);
    item.document = make_document(line, judgements);
    session_.record(std::move(item));
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
    std::vector<judge::Judgement> judgements;
    for (std::size_t judge = 0; judge < plan_.judges.size(); ++judge) {
      Result<judge::Judgement> judgement =
          co_await judges_[judge].judge(session_.chain(), line.id, line.fields);
      if (!judgement) co_return;
      judgements.push_back(std::move(*judgement));
    }
    std::vector<core::Verdict> verdicts = verdicts_of(judgements);
    core::Verdict verdict = judge::combine_panel(verdicts, plan_.rule);
    // A judge that gives no readable verdict on a worthless answer has not failed; it is counted
    // with the canaries.
    if (verdict.fault.kind == ErrorKind::Unparsable) verdict = core::make_abstention("");
    core::ItemRecord item =
        eval::make_item(plan_.input.lines + static_cast<std::int64_t>(place), line.id, verdict);
    item.label = "canary";
    item.document = make_document(line, judgements);
    session_.record(std::move(item));
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

Result<RunSummary> carry_out(const RunEnvironment& environment, const store::RunRecord& run,
                             const JudgePlan& plan, const judge::Rubric& rubric,
                             std::unique_ptr<ModelSet> models) {
  ASSIGN_OR_RETURN(auto session,
                   Session::create(environment, run, plan.engine, {}, std::move(models)));
  ASSIGN_OR_RETURN(auto judges, make_judges(plan, rubric, [&](const std::string& name) {
                     return session->add_model(name, plan.base_url);
                   }));
  ASSIGN_OR_RETURN(auto output, Output::create(plan.output, "verdicts", environment));
  ASSIGN_OR_RETURN(auto reader, files::LineReader::open(plan.input.path));

  Judging judging(*session, std::move(judges), plan, rubric, std::move(reader), output);
  session->carry_out([&] { return judging.next(); }, [&] { return judging.may_begin(); });
  return session->conclude([&](Findings& findings) -> Result<void> {
    RETURN_IF_ERROR(output.commit());
    findings.results = judging.summarize();
    findings.headline = find_headline(findings.results);
    return {};
  });
}

}  // namespace

Result<judge::Rubric> fill_judge_plan(JudgePlan& plan, const std::string& input) {
  RETURN_IF_ERROR(check_names(plan));
  ASSIGN_OR_RETURN(judge::Rubric rubric, judge::load_rubric(plan.rubric));
  plan.rubric_sha256 = rubric.sha256;
  if (const auto [low, high] = rubric.scale.bounds();
      plan.escalate && high - low < judge::kWideDifference)
    return fail(
        ErrorKind::Invalid,
        "`escalate` asks a third judge where two differ by {} or more, which cannot happen on "
        "the rubric's scale of {} to {}; leave it out",
        judge::kWideDifference, low, high);
  const std::vector<std::string> needed = list_judged_fields(rubric);
  bool all_have_cluster = true;
  ASSIGN_OR_RETURN(
      plan.input,
      check_input_file(input, "answers", [&](std::string_view text) -> Result<std::string> {
        ASSIGN_OR_RETURN(JudgeLine line, parse_judge_line(text, needed));
        if (plan.cluster && !line.fields.contains(*plan.cluster))
          return fail(ErrorKind::Invalid, "it has no text \"{}\", by which `cluster` groups lines",
                      printable(*plan.cluster));
        all_have_cluster = all_have_cluster && line.fields.contains(kUsualCluster);
        return std::move(line.id);
      }));
  if (!plan.cluster && all_have_cluster) plan.cluster = kUsualCluster;
  return rubric;
}

Result<std::unique_ptr<ModelSet>> check_judge_plan(const RunEnvironment& environment,
                                                   const JudgePlan& plan,
                                                   const judge::Rubric& rubric) {
  auto models = std::make_unique<ModelSet>(environment, plan.engine);
  RETURN_IF_ERROR(make_judges(
      plan, rubric, [&](const std::string& name) { return models->add(name, plan.base_url); }));
  RETURN_IF_ERROR(Output::create(plan.output, "verdicts", environment));
  return models;
}

Result<std::vector<Estimate>> estimate_judging(const RunEnvironment& environment,
                                               const JudgePlan& plan, const judge::Rubric& rubric) {
  IdleJudges judges;
  RETURN_IF_ERROR(judges.add(environment, plan, rubric));
  std::vector<CallEstimator> estimators;
  for (std::size_t i = 0; i < plan.judges.size(); ++i)
    estimators.emplace_back(environment, judges.get()[i].model(), plan.engine);
  RETURN_IF_ERROR(visit_judge_calls(plan, rubric, judges.get(),
                                    [&](std::size_t judge, const judge::Judge::Ask& ask) {
                                      return estimators[judge].add(ask.request, ask.draw);
                                    }));
  std::vector<Estimate> estimates;
  for (const CallEstimator& estimator : estimators) {
    ASSIGN_OR_RETURN(Estimate estimate, estimator.finish(plan.input.lines, llm::kJudgeRole));
    estimates.push_back(std::move(estimate));
  }
  return estimates;
}

Result<std::vector<MissExplanation>> explain_judge_misses(const RunEnvironment& environment,
                                                          const store::RunRecord& run,
                                                          const JudgePlan& plan,
                                                          const judge::Rubric& rubric,
                                                          const std::optional<std::string>& item) {
  IdleJudges judges;
  RETURN_IF_ERROR(judges.add(environment, plan, rubric));
  MissFinder finder(environment.store, item);
  const std::string salt = salt_for(std::string(llm::kJudgeRole), {}, plan.engine, run.uid);
  RETURN_IF_ERROR(visit_judge_calls(
      plan, rubric, judges.get(), [&](std::size_t judge, const judge::Judge::Ask& ask) {
        core::Request request = ask.request;
        llm::add_thinking(request, thinking_of(plan.engine, llm::kJudgeRole));
        return finder.visit(judges.get()[judge].model(), request, ask.draw, salt);
      }));
  return finder.finish(plan.input.path);
}

Result<store::RunRecord> create_judge_run(store::Store& store, const JudgePlan& plan,
                                          std::string_view version, const ModelSet* models) {
  const std::int64_t units = plan.input.lines + static_cast<std::int64_t>(judge::kCanaryKinds) *
                                                    std::min(plan.canaries, plan.input.lines);
  return create_run(store, "judge", to_json(plan), units, version, models);
}

Run start_judge_run(const RunEnvironment& environment, store::RunRecord run, JudgePlan plan,
                    judge::Rubric rubric, std::unique_ptr<ModelSet> models) {
  const std::int64_t id = run.id;
  return start_run(id, environment,
                   [run = std::move(run), plan = std::move(plan), rubric = std::move(rubric),
                    models = std::move(models)](const RunEnvironment& own) mutable {
                     return carry_out(own, run, plan, rubric, std::move(models));
                   });
}

}  // namespace personascope::run
