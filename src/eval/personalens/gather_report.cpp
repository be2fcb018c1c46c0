#include "base/text.hpp"
#include "eval/personalens/dimension.hpp"
#include "eval/personalens/gather.hpp"
#include "eval/personalens/score_summary.hpp"
#include "eval/personalens/user.hpp"

namespace personascope::eval::personalens {
namespace {

constexpr std::size_t kMostListed = 100;

// The published program takes what stands between the first two dashes.
std::string published_domain_of(std::string_view task_id) {
  const auto parts = split(task_id, '-');
  return std::string(parts.size() > 1 ? parts[1] : task_id);
}

// A list of files, with how many there are in all.
class FileList {
 public:
  FileList(const Gathered& gathered, const GatheredGroup& group)
      : gathered_(gathered), group_(group) {}
  void add(const GatheredRow& row) {
    if (++count_ > kMostListed) return;
    verdicts_.push_back({{"user", row.user}, {"task", gathered_.tasks[row.task]}});
    if (row.ours) verdicts_.back()["score"] = *row.ours;
    files_.push_back(fmt::format("user{}/{}/{}/{}/{}{}.txt", row.user, group_.assistant,
                                 group_.dimension, group_.judge, gathered_.tasks[row.task],
                                 group_.suffix));
  }
  std::size_t count() const { return count_; }
  const Json& files() const { return files_; }
  // [{"user", "task", "score"}], of the same files.
  const Json& verdicts() const { return verdicts_; }

 private:
  const Gathered& gathered_;
  const GatheredGroup& group_;
  std::size_t count_ = 0;
  Json files_ = Json::array();
  Json verdicts_ = Json::array();
};

}  // namespace

Json describe_group(const Gathered& gathered, const GatheredGroup& group) {
  const Dimension& dimension = *find_dimension(group.dimension, group.suffix);
  const ScoreScale scale{dimension.low, dimension.high};
  std::vector<ScoreRow> ours;
  std::vector<ScoreRow> published;
  FileList unread(gathered, group);
  FileList low(gathered, group);
  std::size_t published_unread = 0;
  for (const GatheredRow& row : group.rows) {
    if (row.ours) {
      ours.push_back({row.user, row.task, *row.ours});
      if (*row.ours < dimension.low_rated + .5) low.add(row);
    } else {
      unread.add(row);
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
  value["files"] = group.rows.size();
  value["unread"] = unread.count();
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
