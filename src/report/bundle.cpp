#include "report/bundle.hpp"

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "files/zip_file.hpp"
#include "report/bundle_rows.hpp"

namespace personascope::report {
namespace {

constexpr std::string_view kFormat = "personascope-bundle";
constexpr std::int64_t kVersion = 1;
constexpr std::size_t kLargestSmall = std::size_t{64} << 20;  // bundle.json and run.json
const std::string kHead = "bundle.json";
const std::string kRun = "run.json";
const std::string kCalls = "calls.jsonl";
const std::string kAttempts = "attempts.jsonl";
const std::string kItems = "items.jsonl";
const std::vector<std::string> kMembers{kRun, kCalls, kAttempts, kItems, kHead};

// What bundle.json says of a member.
struct Summary {
  std::int64_t lines = 0;
  Sha256 hash;
  void add(std::string_view line) {
    ++lines;
    hash.update(line);
    hash.update("\n");
  }
};

class BundleWriter {
 public:
  BundleWriter(store::RunSource& source, Texts texts) : source_(source), texts_(texts) {}

  Result<BundleCounts> write(const std::string& path) {
    std::vector<files::NewMember> members;
    members.push_back(make_member(kRun, [this, done = false]() mutable {
      return std::exchange(done, true) ? Line{} : Line(render_json(render_run(take_run())));
    }));
    if (texts_ == Texts::Keep) {
      members.push_back(make_member(kCalls, [this] { return next_call(); }));
      members.push_back(make_member(kAttempts, [this]() -> Result<Line> {
        ASSIGN_OR_RETURN(const auto attempt, source_.next_attempt());
        return attempt ? Line(render_json(render_attempt(*attempt))) : Line{};
      }));
    }
    members.push_back(make_member(kItems, [this] { return next_item(); }));
    // Last, when the others are summed up.
    members.push_back({kHead, [this, done = false]() mutable -> Result<Line> {
                         if (std::exchange(done, true)) return Line{};
                         return Line(render_head());
                       }});
    RETURN_IF_ERROR(files::write_zip(path, std::move(members)));
    return counts_;
  }

 private:
  using Line = std::optional<std::string>;

  files::NewMember make_member(const std::string& name, std::function<Result<Line>()> next) {
    auto& summary = summaries_.emplace_back(name, std::make_unique<Summary>()).second;
    return {name, [next = std::move(next), summary = summary.get()]() -> Result<Line> {
              ASSIGN_OR_RETURN(Line line, next());
              if (!line) return line;
              summary->add(*line);
              *line += '\n';
              return line;
            }};
  }

  store::RunRecord take_run() const {
    store::RunRecord run = source_.run();
    if (texts_ == Texts::Keep) return run;
    run.plan = Json::object();
    run.note.clear();
    return run;
  }

  Result<Line> next_call() {
    ASSIGN_OR_RETURN(const auto call, source_.next_call());
    if (!call) return Line{};
    ++counts_.calls;
    return Line(render_json(render_call(*call)));
  }

  Result<Line> next_item() {
    ASSIGN_OR_RETURN(auto item, source_.next_item());
    if (!item) return Line{};
    ++counts_.items;
    if (texts_ == Texts::LeaveOut) {
      item->calls.clear();
      item->item.document = nullptr;
      if (item->item.error) item->item.error->message.clear();
    }
    return Line(render_json(render_item(*item)));
  }

  std::string render_head() {
    Json members = Json::object();
    for (auto& [name, summary] : summaries_)
      members[name] = {{"lines", summary->lines}, {"sha256", render_hex(summary->hash.digest())}};
    return render_pretty_json({{"format", kFormat},
                               {"version", kVersion},
                               {"redacted", texts_ == Texts::LeaveOut},
                               {"members", std::move(members)}}) +
           "\n";
  }

  store::RunSource& source_;
  Texts texts_;
  std::vector<std::pair<std::string, std::unique_ptr<Summary>>> summaries_;
  BundleCounts counts_;
};

// Reads the lines of one member and checks them against what bundle.json says.
class MemberReader {
 public:
  static Result<MemberReader> open(files::ZipReader& zip, const std::string& path, const Json& head,
                                   const std::string& name) {
    MemberReader reader;
    reader.where_ = fmt::format("{}: {}", printable(path), name);
    const Json* members = find_member(head, "members");
    const Json* said = members ? find_member(*members, name) : nullptr;
    if (!said || !zip.has(name))
      return fail(ErrorKind::Invalid, "{} is missing or not listed in {}", reader.where_, kHead);
    reader.lines_said_ = find_integer(*said, "lines").value_or(-1);
    reader.hash_said_ = find_text(*said, "sha256").value_or("");
    ASSIGN_OR_RETURN(auto lines, zip.lines_of(name));
    reader.lines_.emplace(std::move(lines));
    return reader;
  }

  // The next line, parsed.
  template <class Record>
  Result<std::optional<Record>> next(Result<Record> (*parse)(const Json&)) {
    ASSIGN_OR_RETURN(const auto line, lines_->next());
    if (!line) {
      RETURN_IF_ERROR(check_end());
      return std::nullopt;
    }
    summary_->add(*line);
    const auto fail_here = [&](const Error& error) {
      return fail(ErrorKind::Invalid, "{}, line {}: {}", where_, summary_->lines, error.message);
    };
    const auto value = parse_json(*line);
    if (!value) return fail_here(value.error());
    if (!value->is_object()) return fail_here({ErrorKind::Invalid, "it must be a JSON object"});
    auto record = parse(*value);
    if (!record) return fail_here(record.error());
    return std::move(*record);
  }

 private:
  Result<void> check_end() {
    if (summary_->lines == lines_said_ && render_hex(summary_->hash.digest()) == hash_said_)
      return {};
    return fail(ErrorKind::Invalid, "{} was changed: its checksum is not the one in {}", where_,
                kHead);
  }

  std::string where_;
  std::int64_t lines_said_ = 0;
  std::string hash_said_;
  std::optional<files::ZipReader::Lines> lines_;
  std::unique_ptr<Summary> summary_ = std::make_unique<Summary>();
};

class BundleFile final : public Bundle {
 public:
  BundleFile(std::string path, files::ZipReader zip)
      : path_(std::move(path)), zip_(std::move(zip)) {}

  Result<void> begin() {
    if (!zip_.has(kHead))
      return fail(ErrorKind::Invalid, "{} is not a bundle of a run: it has no {}", printable(path_),
                  kHead);
    ASSIGN_OR_RETURN(const std::string text, zip_.load(kHead, kLargestSmall));
    auto head = parse_json(text);
    if (!head || find_text(*head, "format") != kFormat)
      return fail(ErrorKind::Invalid, "{} is not a bundle of a run: {} says otherwise",
                  printable(path_), kHead);
    head_ = std::move(*head);
    const auto version = find_integer(head_, "version");
    if (!version || *version < 1)
      return fail(ErrorKind::Invalid, "{} does not say the version of its form", printable(path_));
    if (*version > kVersion)
      return fail(ErrorKind::Invalid,
                  "{} was written by a newer version of this program (form {}; this one knows {}): "
                  "update the program",
                  printable(path_), *version, kVersion);
    const Json* redacted = find_member(head_, "redacted");
    is_redacted_ = redacted && redacted->is_boolean() && redacted->get<bool>();
    ASSIGN_OR_RETURN(MemberReader member, open_member(kRun));
    ASSIGN_OR_RETURN(auto run, member.next(parse_run));
    if (!run) return fail(ErrorKind::Invalid, "{}: {} is empty", printable(path_), kRun);
    ASSIGN_OR_RETURN(const auto more, member.next(parse_run));  // checks its end
    if (more) return fail(ErrorKind::Invalid, "{}: {} has two lines", printable(path_), kRun);
    run_ = std::move(*run);
    return {};
  }

  const store::RunRecord& run() const override { return run_; }
  Json& plan() override { return run_.plan; }
  bool is_redacted() const override { return is_redacted_; }

  Result<std::optional<store::SourceCall>> next_call() override {
    if (is_redacted_) return std::nullopt;
    return next(calls_, kCalls, parse_call);
  }
  Result<std::optional<store::AttemptRecord>> next_attempt() override {
    if (is_redacted_) return std::nullopt;
    return next(attempts_, kAttempts, parse_attempt);
  }
  Result<std::optional<store::SourceItem>> next_item() override {
    return next(items_, kItems, parse_item);
  }

 private:
  Result<MemberReader> open_member(const std::string& name) {
    return MemberReader::open(zip_, path_, head_, name);
  }

  template <class Record>
  Result<std::optional<Record>> next(std::optional<MemberReader>& member, const std::string& name,
                                     Result<Record> (*parse)(const Json&)) {
    if (!member) {
      ASSIGN_OR_RETURN(MemberReader opened, open_member(name));
      member.emplace(std::move(opened));
    }
    return member->next(parse);
  }

  std::string path_;
  files::ZipReader zip_;
  Json head_;
  bool is_redacted_ = false;
  store::RunRecord run_;
  std::optional<MemberReader> calls_;
  std::optional<MemberReader> attempts_;
  std::optional<MemberReader> items_;
};

}  // namespace

Result<BundleCounts> write_bundle(store::RunSource& source, Texts texts, const std::string& path) {
  return BundleWriter(source, texts).write(path);
}

Result<std::unique_ptr<Bundle>> Bundle::open(const std::string& path) {
  ASSIGN_OR_RETURN(auto zip, files::ZipReader::open(path, kMembers));
  auto bundle = std::make_unique<BundleFile>(path, std::move(zip));
  RETURN_IF_ERROR(bundle->begin());
  return bundle;
}

}  // namespace personascope::report
