#include "base/text.hpp"
#include "eval/personalens/dimension.hpp"
#include "eval/personalens/gather.hpp"
#include "eval/personalens/score_summary.hpp"
#include "eval/personalens/user.hpp"

namespace personascope::eval::personalens {
namespace {

constexpr std::size_t kLongestReason = 400;

// The published program takes what stands between the first two dashes.
std::string published_domain_of(std::string_view task_id) {
  const auto parts = split(task_id, '-');
  return std::string(parts.size() > 1 ? parts[1] : task_id);
}

// Verdicts, and the files that hold them.
class VerdictList {
 public:
  VerdictList(const Gathered& gathered, const GatheredGroup& group)
      : gathered_(gathered), group_(group) {}
  void add(const GatheredRow& row) {
    Json& verdict = verdicts_.emplace_back(
        Json{{"user", row.user}, {"task", gathered_.tasks[row.task]}, {"reason", row.reason}});
    if (row.ours)
      verdict["score"] = *row.ours;
    else
      verdict["verdict"] = row.cannot_assess ? "cannot assess" : "unreadable";
    files_.push_back(fmt::format("user{}/{}/{}/{}/{}{}.txt", row.user, group_.assistant,
                                 group_.dimension, group_.judge, gathered_.tasks[row.task],
                                 group_.suffix));
  }
  std::size_t count() const { return verdicts_.size(); }
  const Json& files() const { return files_; }
  // [{"user", "task", "reason", "score" or "verdict"}], of the same files.
  const Json& verdicts() const { return verdicts_; }

 private:
  const Gathered& gathered_;
  const GatheredGroup& group_;
  Json files_ = Json::array();
  Json verdicts_ = Json::array();
};

// The model of a folder; what an assistant knew ("_dp") stays behind its name.
std::optional<std::string> find_name(const Gathered& gathered, const std::string& folder) {
  for (const auto& [label, model] : gathered.models)
    if (folder == label || folder.starts_with(label + "_"))
      return model + folder.substr(label.size());
  return std::nullopt;
}

}  // namespace

std::string reason_in(std::string_view reply) {
  std::string words(reply);
  if (const auto object = parse_json(trim(reply)))
    if (const auto rationale = find_text(*object, "rationale")) words = *rationale;
  std::string line;
  for (const char c : words) {
    const bool is_space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!is_space)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  return shorten(trim(line), kLongestReason);
}

Json describe_group(const Gathered& gathered, const GatheredGroup& group) {
  const Dimension& dimension = *find_dimension(group.dimension, group.suffix);
  const ScoreScale scale{dimension.low, dimension.high};
  std::vector<ScoreRow> ours;
  std::vector<ScoreRow> published;
  VerdictList unread(gathered, group);
  VerdictList low(gathered, group);
  std::size_t published_unread = 0;
  std::size_t cannot_assess = 0;
  for (const GatheredRow& row : group.rows) {
    if (row.ours) {
      ours.push_back({row.user, row.task, *row.ours});
      if (dimension.is_low(*row.ours)) low.add(row);
    } else {
      unread.add(row);
      cannot_assess += row.cannot_assess ? 1 : 0;
    }
    if (row.published)
      published.push_back({row.user, row.task, *row.published});
    else
      ++published_unread;
  }
  std::vector<std::string> domains;
  std::vector<std::string> published_domains;
  for (const std::string& task : gathered.tasks) {
    domains.push_back(domain_of(task));
    published_domains.push_back(published_domain_of(task));
  }
  Json value = summarize_scores(ours, scale);
  value["assistant"] = group.assistant;
  value["dimension"] = group.dimension;
  if (!group.suffix.empty()) value["side"] = group.suffix == "_user" ? "user" : "assistant";
  value["judge"] = group.judge;
  if (const auto name = find_name(gathered, group.assistant)) value["assistant_name"] = *name;
  if (const auto name = find_name(gathered, group.judge)) value["judge_name"] = *name;
  value["files"] = group.rows.size();
  value["unread"] = unread.count();
  value["cannot_assess"] = cannot_assess;
  value["unread_files"] = unread.files();
  value["by_domain"] = summarize_by_domain(ours, scale, domains);
  value["unread_verdicts"] = unread.verdicts();
  value["low_rated"] = {
      {"count", low.count()}, {"files", low.files()}, {"verdicts", low.verdicts()}};
  if (!dimension.is_published()) return value;
  // The published numbers may lie off the scale, so they have no interval.
  Json reference = summarize_scores(published, scale);
  for (const char* member : {"ci95", "caveats", "method", "standard_error", "clusters"})
    reference.erase(member);
  reference["dimension"] = group.dimension;
  reference["files"] = group.rows.size();
  reference["unread"] = published_unread;
  reference["by_domain"] = summarize_by_domain(published, scale, published_domains);
  value["reference"] = std::move(reference);
  return value;
}

Json to_json(const Gathered& gathered) {
  Json notes = Json::array();
  if (gathered.other_files > 0)
    notes.push_back(fmt::format("{} other files or folders were left alone", gathered.other_files));
  for (const std::string& fault : gathered.faults) notes.push_back(fault);
  Json value;
  if (gathered.groups.size() == 1) {
    value = describe_group(gathered, gathered.groups.front());
  } else {
    value["groups"] = Json::array();
    for (const GatheredGroup& group : gathered.groups)
      value["groups"].push_back(describe_group(gathered, group));
  }
  value["folder"] = gathered.folder;
  value["notes"] = std::move(notes);
  return value;
}

}  // namespace personascope::eval::personalens
