#include "eval/exam/exam.hpp"

#include <algorithm>

#include "base/all.hpp"
#include "base/text.hpp"
#include "eval/exam/exam_grade.hpp"
#include "eval/exam/exam_report.hpp"
#include "judge/canary.hpp"
#include "judge/panel.hpp"
#include "judge/summary.hpp"

namespace personascope::eval::exam {
namespace {

// Who speaks? has a scale of its own, which is not looked at.
const judge::Scale& scale_of(const ExamData& data, const ExamItem& item) {
  const judge::Rubric* rubric = find_exam_rubric(data, item);
  return rubric ? rubric->scale : data.who.scale;
}

// What to record of an item that no judge gave a usable verdict on.
core::Verdict find_reason(const std::vector<Sitting>& sittings) {
  std::vector<core::Verdict> verdicts;
  for (const Sitting& sitting : sittings)
    for (const judge::Judgement& judgement : sitting.alone)
      if (!core::is_scored(judgement.verdict)) verdicts.push_back(judgement.verdict);
  if (verdicts.empty()) return core::make_abstention("");
  return judge::combine_panel(verdicts, judge::PanelRule::Mean);
}

Json list_judgements(const std::vector<judge::Judgement>& judgements) {
  Json list = Json::array();
  for (const judge::Judgement& judgement : judgements) list.push_back(judge::to_json(judgement));
  return list;
}

Result<void> check_names(const std::vector<std::string>& wanted, const char* option,
                         const std::vector<ExamCase>& cases, auto name_of_case) {
  for (const std::string& name : wanted)
    if (std::ranges::none_of(cases, [&](const ExamCase& one) { return name_of_case(one) == name; }))
      return fail(ErrorKind::Invalid, "`{}`: the exam has no {}", option, printable(name));
  return {};
}

bool contains(const std::vector<std::string>& wanted, std::string_view name) {
  return wanted.empty() || std::ranges::find(wanted, name) != wanted.end();
}

}  // namespace

Result<void> choose_cases(const ExamPlan& plan, std::vector<ExamCase>& cases) {
  const auto kind_of = [](const ExamCase& one) { return std::string(name_of(one.item.kind)); };
  const auto place_of = [](const ExamCase& one) { return one.item.place(); };
  RETURN_IF_ERROR(check_names(plan.kinds, "kinds", cases, kind_of));
  RETURN_IF_ERROR(check_names(plan.dimensions, "dimensions", cases, place_of));
  std::erase_if(cases, [&](const ExamCase& one) {
    return !contains(plan.kinds, kind_of(one)) || !contains(plan.dimensions, place_of(one));
  });
  if (cases.empty())
    return fail(ErrorKind::Invalid,
                "the exam has no items of these dimensions (`dimensions`) and kinds (`kinds`)");
  if (!plan.limit) return {};
  std::vector<ExamCase> chosen;
  for (const ExamKind kind :
       {ExamKind::WhoSpeaks, ExamKind::Pair, ExamKind::Ladder, ExamKind::Trap}) {
    std::vector<ExamCase*> own;
    for (ExamCase& one : cases)
      if (one.item.kind == kind) own.push_back(&one);
    for (const std::size_t place :
         judge::choose_canary_items(own.size(), static_cast<std::size_t>(*plan.limit),
                                    static_cast<std::uint64_t>(plan.seed)))
      chosen.push_back(std::move(*own[place]));
  }
  cases = std::move(chosen);
  return {};
}

Examination::Examination(ExamPlan plan, ExamData data)
    : plan_(std::move(plan)), data_(std::move(data)), sittings_(data_.cases.size()) {}

Result<std::unique_ptr<Examination>> Examination::create(ExamPlan plan,
                                                         const FindModel& find_model) {
  ASSIGN_OR_RETURN(ExamData data, load_exam_data({.exam = plan.exam_folder,
                                                  .gym = plan.gym_folder,
                                                  .bench = plan.bench_folder,
                                                  .lens = plan.lens_folder}));
  if (data.sha256 != plan.sha256)
    return fail(ErrorKind::Invalid,
                "the exam's data has changed since the run was started; start a new run (unchanged "
                "calls get their stored answers)");
  RETURN_IF_ERROR(choose_cases(plan, data.cases));
  // The constructor is private, so make_unique cannot reach it.
  std::unique_ptr<Examination> exam(new Examination(std::move(plan), std::move(data)));
  for (const std::string& name : exam->plan_.judges) {
    ASSIGN_OR_RETURN(llm::Model * model, find_model(name));
    ASSIGN_OR_RETURN(auto examiner, Examiner::create(*model, exam->data_, exam->plan_));
    exam->examiners_.push_back(std::move(examiner));
  }
  return exam;
}

std::vector<Forecast> Examination::forecast() const {
  std::vector<Forecast> forecasts;
  for (std::size_t judge = 0; judge < examiners_.size(); ++judge) {
    Forecast forecast{.model = plan_.judges[judge], .role = "judge"};
    for (const ExamCase& one : data_.cases) {
      const Examiner::Load load = examiners_[judge]->measure(one);
      forecast.calls += load.calls;
      forecast.input_tokens += tokens_of(load.bytes);
    }
    forecast.max_output_tokens = forecast.calls * plan_.judging.max_tokens;
    forecasts.push_back(std::move(forecast));
  }
  return forecasts;
}

Task<void> Examination::work(ItemContext& context, std::int64_t piece) {
  const auto place = static_cast<std::size_t>(piece);
  std::vector<Task<Result<Sitting>>> tasks;
  for (const auto& examiner : examiners_)
    tasks.push_back(examiner->sit(context.chain, data_.cases[place]));
  std::vector<Result<Sitting>> results = co_await all(std::move(tasks));
  std::vector<Sitting> sittings;
  for (Result<Sitting>& result : results) {
    if (!result) co_return;
    sittings.push_back(std::move(*result));
  }
  record(context, piece, sittings);
  sittings_[place] = std::move(sittings);
}

void Examination::record(ItemContext& context, std::int64_t piece,
                         const std::vector<Sitting>& sittings) const {
  const ExamCase& one = data_.cases[static_cast<std::size_t>(piece)];
  Json by_judge = Json::object();
  Json verdicts = Json::array();
  double sum = 0;
  for (std::size_t judge = 0; judge < sittings.size(); ++judge) {
    const ExamGrade graded = grade_sitting(one, scale_of(data_, one.item), sittings[judge]);
    const std::string name = examiners_[judge]->name();
    verdicts.push_back({{"judge", name},
                        {"credit", graded.credit ? Json(*graded.credit) : Json(nullptr)},
                        {"alone", list_judgements(sittings[judge].alone)},
                        {"paired", list_judgements(sittings[judge].paired)}});
    if (!graded.credit) continue;
    by_judge[name] = *graded.credit;
    sum += *graded.credit;
  }
  const bool is_graded = !by_judge.empty();
  ItemRecord item =
      make_item(piece, one.item.id,
                is_graded ? core::make_score(sum / static_cast<double>(by_judge.size()), "")
                          : find_reason(sittings));
  item.cluster = one.item.person;
  item.label = one.item.place();
  item.judges = std::move(by_judge);
  item.document = {
      {"kind", name_of(one.item.kind)},
      {"flaw", one.item.flaw},
      {"persona", one.person},
      {"question", one.request},
      {"people", one.people},
      {"answers", one.item.answers},
      {"gold", one.item.expected.empty() ? Json(one.item.gold) : Json(one.item.expected)},
      {"verdicts", std::move(verdicts)}};
  context.record(std::move(item));
}

// For every dimension the smallest panels that are licensed for it, one judge included.
Json Examination::list_panels() const {
  constexpr std::size_t kMostJudges = 8;
  Json list = Json::array();
  if (examiners_.size() < 2 || examiners_.size() > kMostJudges) return list;
  struct Best {
    std::size_t size = 0;
    Json panels = Json::array();
  };
  std::map<std::string, Best> best;
  for (std::size_t members = 1; members < (std::size_t{1} << examiners_.size()); ++members) {
    JudgeReport report;
    for (std::size_t place = 0; place < data_.cases.size(); ++place) {
      const ExamCase& one = data_.cases[place];
      std::vector<const Sitting*> chosen;
      for (std::size_t judge = 0; judge < examiners_.size(); ++judge)
        if (members >> judge & 1) chosen.push_back(&sittings_[place][judge]);
      report.add(one.item, grade_sitting(one, scale_of(data_, one.item),
                                         chosen.size() == 1 ? *chosen.front()
                                                            : combine_sittings(chosen, one.item)));
    }
    Json names = Json::array();
    for (std::size_t judge = 0; judge < examiners_.size(); ++judge)
      if (members >> judge & 1) names.push_back(examiners_[judge]->name());
    for (const auto& [dimension, own] : report.dimensions) {
      Best& known = best[dimension];
      if (find_licence(report, dimension, data_.marks).state == LicenceState::Withheld) continue;
      if (known.size != 0 && known.size < names.size()) continue;
      if (known.size > names.size()) known.panels = Json::array();
      known.size = names.size();
      known.panels.push_back(names);
    }
  }
  for (auto& [dimension, known] : best)
    list.push_back({{"dimension", dimension}, {"panels", std::move(known.panels)}});
  return list;
}

Result<Json> Examination::finish() {
  Json judges = Json::array();
  Sample credit;
  for (std::size_t judge = 0; judge < examiners_.size(); ++judge) {
    JudgeReport report;
    for (std::size_t place = 0; place < data_.cases.size(); ++place) {
      if (sittings_[place].size() != examiners_.size())
        return fail(ErrorKind::Internal, "an item of the exam has no outcome");
      const ExamItem& item = data_.cases[place].item;
      report.add(item,
                 grade_sitting(data_.cases[place], scale_of(data_, item), sittings_[place][judge]));
    }
    for (std::size_t i = 0; i < report.credit.values.size(); ++i)
      credit.add(report.credit.values[i], report.credit.people[i]);
    Json described = to_json(report, data_.marks);
    described["judge"] = examiners_[judge]->name();
    judges.push_back(std::move(described));
  }
  const auto mean = credit.estimate(stats::kUnitScale);
  return Json{{"evaluation", "exam"},
              {"data_sha256", data_.sha256},
              {"items", items()},
              {"score", mean ? judge::to_json(*mean) : Json(nullptr)},
              {"judges", std::move(judges)},
              {"panels", list_panels()}};
}

}  // namespace personascope::eval::exam
