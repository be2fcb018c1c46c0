#include "report/run_export.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "report/item_export.hpp"
#include "report/parquet_writer.hpp"
#include "report/row_writer.hpp"

namespace personascope::report {
namespace {

// What an item has in every evaluation; the rest are texts and what was made of them.
const std::vector<std::string> kItemColumns{"position", "id",           "cluster",
                                            "label",    "outcome",      "score",
                                            "scores",   "judge_scores", "error_kind"};
const std::vector<std::string> kFindingColumns{
    "run",   "model", "evaluation", "part", "name",     "group", "unit",      "is_difference",
    "value", "low",   "high",       "n",    "clusters", "p",     "adjusted_p"};
const std::vector<std::string> kCallColumns{
    "run",        "item",         "place",         "role",
    "purpose",    "key",          "provider",      "model",
    "request",    "reply",        "thinking",      "finish",
    "error_kind", "input_tokens", "output_tokens", "thinking_tokens",
    "cost_usd",   "latency_s",    "from_journal",  "failed_attempts"};
// Of a call, what a redacted export leaves out.
const std::set<std::string> kCallTexts{"request", "reply", "thinking"};

Json make_item_row(const store::RunEntry& run, const core::ItemRecord& item, Texts texts) {
  Json row = texts == Texts::Keep ? core::to_json(item) : Json::object();
  row["run"] = run.id;
  row["model_under_test"] = run.model;
  row["position"] = item.position;
  row["id"] = item.id;
  row["cluster"] = item.cluster;
  row["label"] = item.label;
  row["outcome"] = core::name_of(item.outcome);
  if (item.score) row["score"] = *item.score;
  row["scores"] = item.scores;
  row["judge_scores"] = item.judges;
  if (item.error) row["error_kind"] = name_of(item.error->kind);
  return row;
}

Json make_call_row(const store::RunEntry& run, const core::ItemRecord& item,
                   const store::ItemCall& call) {
  const auto endpoint = parse_json(call.endpoint);
  const auto request = parse_json(call.request);
  Json row = {{"run", run.id},
              {"item", item.id},
              {"place", call.place},
              {"role", call.role},
              {"purpose", call.purpose},
              {"key", render_hex(call.key)},
              {"request", request ? *request : Json(call.request)},
              {"latency_s", static_cast<double>(call.latency_us) / 1e6},
              {"from_journal", !call.is_paid_here},
              {"failed_attempts", call.attempts}};
  if (endpoint) {
    row["provider"] = find_text(*endpoint, "provider").value_or("");
    row["model"] = find_text(*endpoint, "model").value_or("");
  }
  if (call.cost_usd) row["cost_usd"] = *call.cost_usd;
  if (call.answer) {
    row["reply"] = call.answer->text;
    row["finish"] = core::name_of(call.answer->finish);
    if (call.answer->usage.input_tokens) row["input_tokens"] = *call.answer->usage.input_tokens;
    if (call.answer->usage.output_tokens) row["output_tokens"] = *call.answer->usage.output_tokens;
    if (call.answer->usage.thinking_tokens)
      row["thinking_tokens"] = *call.answer->usage.thinking_tokens;
    if (!call.answer->thinking.empty()) row["thinking"] = call.answer->thinking;
  } else {
    row["error_kind"] = name_of(call.answer.error().kind);
  }
  return row;
}

Json make_finding_row(const store::RunEntry& run, const std::string& evaluation,
                      const core::NamedMetric& named) {
  const core::Metric& metric = named.metric;
  Json row = {{"run", run.id},
              {"model", run.model},
              {"evaluation", evaluation},
              {"part", named.part},
              {"name", metric.name},
              {"group", metric.group},
              {"unit", metric.unit},
              {"is_difference", metric.is_difference},
              {"n", metric.n},
              {"clusters", metric.clusters}};
  if (metric.value) row["value"] = *metric.value;
  if (metric.interval) row["low"] = metric.interval->low;
  if (metric.interval) row["high"] = metric.interval->high;
  if (metric.p) row["p"] = *metric.p;
  if (metric.adjusted_p) row["adjusted_p"] = *metric.adjusted_p;
  return row;
}

class Export {
 public:
  Export(store::Reader& reader, const ExportOptions& options, RowFormat format, WriteText write)
      : reader_(reader), options_(options), format_(format), write_(std::move(write)) {}

  Result<std::int64_t> carry_out() {
    std::vector<store::RunRecord> runs;
    for (const std::int64_t id : options_.runs) {
      ASSIGN_OR_RETURN(store::RunRecord run, reader_.load_run(id));
      runs.push_back(std::move(run));
    }
    ASSIGN_OR_RETURN(auto columns, list_columns(runs));
    if (format_ == RowFormat::Parquet) {
      ASSIGN_OR_RETURN(writer_, make_parquet_writer(columns, write_, options_.parquet_program));
    } else {
      writer_ = make_row_writer(format_, std::move(columns), write_);
    }
    for (const store::RunRecord& run : runs) RETURN_IF_ERROR(write_run(run));
    RETURN_IF_ERROR(writer_->finish());
    return rows_;
  }

 private:
  // Tables for print have the small columns only.
  bool is_for_print() const {
    return format_ == RowFormat::Markdown || format_ == RowFormat::Latex;
  }

  Result<std::vector<std::string>> list_columns(const std::vector<store::RunRecord>& runs) {
    if (options_.what == ExportWhat::Findings) return kFindingColumns;
    if (options_.what == ExportWhat::Calls) {
      std::vector<std::string> columns = kCallColumns;
      std::erase_if(columns, [&](const std::string& column) {
        return (options_.texts == Texts::LeaveOut || is_for_print()) && kCallTexts.contains(column);
      });
      return columns;
    }
    if (is_for_print())
      return std::vector<std::string>{"id", "cluster", "label", "outcome", "score"};
    std::vector<std::string> columns = kItemColumns;
    // Of a single run, they would only make equal items differ.
    if (runs.size() > 1) columns.insert(columns.begin(), {"run", "model_under_test"});
    if (options_.texts == Texts::LeaveOut) return columns;
    // Items of one evaluation have the same members, so the first one of each run tells them.
    std::set<std::string> more;
    for (const store::RunRecord& run : runs) {
      store::ItemFilter first;
      first.limit = 1;
      RETURN_IF_ERROR(visit_items(reader_, run.id, first,
                                  [&](const store::ItemDetails& details) -> Result<void> {
                                    const Json row = make_item_row(run, details.item, Texts::Keep);
                                    for (const auto& [name, value] : row.items()) more.insert(name);
                                    return {};
                                  }));
    }
    for (const std::string& name : more)
      if (std::ranges::find(columns, name) == columns.end() && name != "run" &&
          name != "model_under_test")
        columns.push_back(name);
    return columns;
  }

  Result<void> write(const Json& row) {
    ++rows_;
    return writer_->write(row);
  }

  Result<void> write_run(const store::RunRecord& run) {
    if (options_.what == ExportWhat::Findings) {
      const core::Findings findings = options_.describe(run.results);
      for (const core::NamedMetric& named : core::list_metrics(findings))
        RETURN_IF_ERROR(write(make_finding_row(run, findings.evaluation, named)));
      return {};
    }
    return visit_items(reader_, run.id, options_.filter,
                       [&](const store::ItemDetails& details) -> Result<void> {
                         if (options_.what == ExportWhat::Items)
                           return write(make_item_row(run, details.item, options_.texts));
                         for (const store::ItemCall& call : details.calls)
                           RETURN_IF_ERROR(write(make_call_row(run, details.item, call)));
                         return {};
                       });
  }

  store::Reader& reader_;
  const ExportOptions& options_;
  RowFormat format_;
  WriteText write_;
  std::unique_ptr<RowWriter> writer_;
  std::int64_t rows_ = 0;
};

}  // namespace

Result<std::int64_t> export_runs(store::Reader& reader, const ExportOptions& options,
                                 RowFormat format, WriteText write) {
  return Export(reader, options, format, std::move(write)).carry_out();
}

}  // namespace personascope::report
