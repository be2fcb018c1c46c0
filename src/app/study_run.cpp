#include "app/study_run.hpp"

#include <algorithm>
#include <filesystem>
#include <thread>
#include <utility>

#include "app/batch.hpp"
#include "app/runs.hpp"
#include "base/text.hpp"
#include "files/text_file.hpp"

namespace personascope::app {
namespace {

std::string render_file_name(std::size_t number, const StudyCell& cell) {
  std::string name = fmt::format("{:02}-{}", number + 1, cell.name);
  for (char& letter : name) {
    const bool is_plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                          (letter >= '0' && letter <= '9') || letter == '.' || letter == '-';
    if (!is_plain) letter = '-';
  }
  return name.substr(0, 120) + ".jsonl";
}

// What is left of the study's limits for one run, whose own earlier sessions count against it.
class StudyBudget {
 public:
  explicit StudyBudget(const StudyHead& head) : head_(head) {}

  void add(const Spending& spending) {
    cost_usd_ += std::max(spending.cost_usd, spending.max_cost_usd);
    calls_ += spending.calls;
    tokens_ += std::max(spending.input_tokens + spending.output_tokens, spending.max_tokens);
  }

  // A limit of 0 is for what costs nothing.
  Result<void> check() const {
    if ((head_.max_cost_usd && cost_usd_ >= *head_.max_cost_usd && *head_.max_cost_usd > 0) ||
        (head_.max_calls && calls_ >= *head_.max_calls) ||
        (head_.max_tokens && tokens_ >= *head_.max_tokens))
      return fail(ErrorKind::BudgetExhausted,
                  "the study has used up its limit: {} calls, {} tokens, ${:.4g}", calls_, tokens_,
                  cost_usd_);
    return {};
  }

  // The smaller of the study's and the run's own.
  void limit(Json& given) const {
    const auto lower_to = [&](const char* name, double left) {
      const auto own = find_number(given, name);
      if (!own || left < *own) given[name] = left;
    };
    if (head_.max_cost_usd) lower_to("max_cost", std::max(0.0, *head_.max_cost_usd - cost_usd_));
    const auto lower_count = [&](const char* name, std::int64_t left) {
      const auto own = find_integer(given, name);
      if (!own || left < *own) given[name] = std::max<std::int64_t>(0, left);
    };
    if (head_.max_calls) lower_count("max_calls", *head_.max_calls - calls_);
    if (head_.max_tokens) lower_count("max_tokens", *head_.max_tokens - tokens_);
  }

 private:
  const StudyHead& head_;
  double cost_usd_ = 0;
  std::int64_t calls_ = 0;
  std::int64_t tokens_ = 0;
};

// The options of a new run: tags, the file of its items, and what is left to spend.
Json make_given(const Study& study, std::size_t number, const StudyBudget& budget) {
  const StudyCell& cell = study.cells[number];
  Json given = cell.given;
  Json tags = given.contains("tags") ? given["tags"] : Json::array();
  for (const std::string& tag : study.head.tags) tags.push_back(tag);
  if (!study.head.name.empty()) {
    tags.push_back(study.head.name);
    tags.push_back(cell_tag_of(study, cell));
  }
  if (!tags.empty()) given["tags"] = tags;
  if (study.head.output && !given.contains("output"))
    given["output"] =
        (std::filesystem::path(*study.head.output) / render_file_name(number, cell)).string();
  budget.limit(given);
  return given;
}

// The newest run of the cell.
Result<std::optional<RunRecord>> find_cell_run(Context& context, const Study& study,
                                               const StudyCell& cell) {
  std::optional<RunRecord> found;
  if (study.head.name.empty() || !context.has_store()) return found;
  ASSIGN_OR_RETURN(store::Store * store, context.store());
  RunFilter filter;
  filter.tag = cell_tag_of(study, cell);
  filter.limit = 1;
  ASSIGN_OR_RETURN(const std::vector<RunEntry> listed, store->reader().load_runs(filter));
  if (listed.empty()) return found;
  ASSIGN_OR_RETURN(found, store->reader().load_run(listed.front().id));
  return found;
}

bool is_complete(const RunRecord& run) {
  return run.state == RunState::Done && run.outcomes[core::Outcome::Failed] == 0;
}

RunSummary summarize(const RunRecord& run) {
  RunSummary summary;
  summary.run = run;
  summary.spending = run.spending;
  summary.progress.outcomes = run.outcomes;
  summary.results = run.results;
  return summary;
}

Result<RunSummary> wait_for_end(const run::Run& run, std::stop_token stop) {
  const std::stop_callback forward(stop, [&run] { run.stop(); });
  return run.wait();
}

Result<void> make_output_folder(const Study& study) {
  if (!study.head.output) return {};
  std::error_code error;
  std::filesystem::create_directories(*study.head.output, error);
  if (error)
    return fail(ErrorKind::Invalid, "the folder {} cannot be made: {}",
                printable(*study.head.output), error.message());
  return {};
}

Result<void> save_boards(const Study& study, const std::optional<Leaderboards>& boards) {
  if (!study.head.output || !boards) return {};
  const auto path = std::filesystem::path(*study.head.output) / "leaderboard.json";
  ASSIGN_OR_RETURN(files::NewFile file, files::NewFile::create(path.string()));
  RETURN_IF_ERROR(file.write(render_json(to_json(*boards)) + "\n"));
  return file.commit();
}

// One run of the study.
class CellWork {
 public:
  CellWork(Context& context, const Study& study, const StudyRequest& request,
           const StudyListener& listener, std::stop_token stop)
      : context_(context),
        study_(study),
        request_(request),
        listener_(listener),
        stop_(std::move(stop)),
        budget_(study.head) {}

  Result<CellEnd> carry_out(std::size_t number) {
    const StudyCell& cell = study_.cells[number];
    CellEnd end;
    end.cell = number;
    ASSIGN_OR_RETURN(const auto before, find_cell_run(context_, study_, cell));
    if (before && !request_.again)
      end.start = is_complete(*before) ? CellStart::DoneBefore : CellStart::Resumed;
    if (listener_.on_start) listener_.on_start(cell, end.start);
    if (end.start == CellStart::DoneBefore) {
      end.summary = summarize(*before);
    } else {
      RETURN_IF_ERROR(budget_.check());
      ASSIGN_OR_RETURN(const run::Run run,
                       end.start == CellStart::New ? start(number) : resume(before->id));
      ASSIGN_OR_RETURN(end.summary, wait_for_end(run, stop_));
      ASSIGN_OR_RETURN(store::Store * store, context_.store());
      ASSIGN_OR_RETURN(end.summary.run, store->reader().load_run(run.id()));
    }
    budget_.add(end.summary.spending);
    if (cell.gates.any()) {
      ASSIGN_OR_RETURN(end.gates, check_run(context_, cell.gates, end.summary));
    }
    if (listener_.on_end) listener_.on_end(cell, end);
    return end;
  }

 private:
  Result<run::Run> start(std::size_t number) {
    return command_named(study_.cells[number].command)
        .start(context_, make_given(study_, number, budget_), listener_.run);
  }

  Result<run::Run> resume(std::int64_t run) {
    Json limits = Json::object();
    budget_.limit(limits);
    ASSIGN_OR_RETURN(const run::EngineOptions over, run::engine_options().parse(limits));
    return resume_run(context_, run, over, std::nullopt, listener_.run);
  }

  Context& context_;
  const Study& study_;
  const StudyRequest& request_;
  const StudyListener& listener_;
  std::stop_token stop_;
  StudyBudget budget_;
};

Result<std::optional<Leaderboards>> rank_runs(Context& context, const StudyEnd& end) {
  LeaderboardRequest wanted;
  wanted.options.threads = std::max(1u, std::thread::hardware_concurrency());
  for (const CellEnd& cell : end.ended)
    if (!cell.summary.stopped) wanted.runs.push_back(cell.summary.run.id);
  if (wanted.runs.empty()) return std::optional<Leaderboards>{};
  auto boards = make_leaderboards(context, wanted);
  if (boards) return std::optional(std::move(*boards));
  if (boards.error().kind == ErrorKind::Invalid) return std::optional<Leaderboards>{};
  return std::unexpected(boards.error());
}

}  // namespace

std::string_view name_of(CellStart start) {
  switch (start) {
    case CellStart::New:
      return "new";
    case CellStart::Resumed:
      return "resumed";
    case CellStart::DoneBefore:
      return "done before";
  }
  return "";
}

Result<std::vector<std::vector<Estimate>>> estimate_study(Context& context, const Study& study) {
  std::vector<std::vector<Estimate>> all;
  for (const StudyCell& cell : study.cells) {
    auto estimates = command_named(cell.command).estimate(context, cell.given);
    if (!estimates)
      return fail(estimates.error().kind, "{}: {}", printable(cell.name),
                  estimates.error().message);
    all.push_back(std::move(*estimates));
  }
  return all;
}

Result<StudyEnd> carry_out_study(Context& context, const Study& study, const StudyRequest& request,
                                 const StudyListener& listener, std::stop_token stop) {
  RETURN_IF_ERROR(check_tags(study.head.tags));
  RETURN_IF_ERROR(estimate_study(context, study));
  RETURN_IF_ERROR(make_output_folder(study));
  StudyEnd end;
  CellWork work(context, study, request, listener, stop);
  for (std::size_t i = 0; i < study.cells.size() && !end.stopped; ++i) {
    if (stop.stop_requested()) {
      end.stopped = Error{ErrorKind::Cancelled, "the study was stopped"};
      break;
    }
    auto ended = work.carry_out(i);
    if (!ended && ended.error().kind == ErrorKind::BudgetExhausted) {
      end.stopped = ended.error();
    } else if (!ended) {
      return fail(ended.error().kind, "{}: {}", printable(study.cells[i].name),
                  ended.error().message);
    } else {
      end.stopped = ended->summary.stopped;
      end.ended.push_back(std::move(*ended));
    }
  }
  ASSIGN_OR_RETURN(end.boards, rank_runs(context, end));
  RETURN_IF_ERROR(save_boards(study, end.boards));
  return end;
}

Json to_json(const Study& study, const StudyEnd& end) {
  Json cells = Json::array();
  for (std::size_t i = 0; i < study.cells.size(); ++i) {
    const StudyCell& cell = study.cells[i];
    const auto found = std::ranges::find(end.ended, i, &CellEnd::cell);
    Json row{{"name", cell.name}, {"command", cell.command}, {"options", cell.given},
             {"start", nullptr},  {"run", nullptr},          {"gates", Json::array()}};
    if (found != end.ended.end()) {
      row["start"] = std::string(name_of(found->start));
      row["run"] = to_json(static_cast<const RunEntry&>(found->summary.run));
      row["gates"] = report::to_json(found->gates);
    }
    cells.push_back(std::move(row));
  }
  Json stopped = nullptr;
  if (end.stopped)
    stopped = {{"kind", std::string(name_of(end.stopped->kind))},
               {"message", end.stopped->message}};
  return {{"study", study.head.name.empty() ? Json(nullptr) : Json(study.head.name)},
          {"runs", cells},
          {"stopped", stopped},
          {"leaderboards", end.boards ? to_json(*end.boards) : Json(nullptr)}};
}

}  // namespace personascope::app
