#include "app/import_bench.hpp"

#include <algorithm>
#include <filesystem>

#include "app/import.hpp"
#include "app/paths.hpp"
#include "base/installed.hpp"
#include "base/text.hpp"
#include "eval/persona_bench/import_data.hpp"
#include "files/row_reader.hpp"
#include "files/text_file.hpp"
#include "run/hub.hpp"
#include "sched/loop.hpp"

namespace personascope::app {

namespace fs = std::filesystem;
namespace bench = eval::persona_bench;

namespace {

constexpr std::size_t kMostFiles = 1000;
// The two that the published package runs with.
constexpr const char* kPublishedSets[] = {"SynthLabsAI/PRISM-Filter",
                                          "SynthLabsAI/Synthetic-Personas"};
constexpr std::string_view kEndings[] = {".parquet", ".jsonl", ".ndjson", ".json", ".csv", ".tsv"};
// What the libraries of the hub leave beside the data.
constexpr std::string_view kNoData[] = {"dataset_infos.json", "dataset_info.json",
                                        "dataset_dict.json", "state.json", "import.json"};

bool is_data_file(const std::string& name) {
  return !name.starts_with('.') && std::ranges::find(kNoData, name) == std::end(kNoData) &&
         std::ranges::any_of(kEndings,
                             [&](std::string_view end) { return lower(name).ends_with(end); });
}

// The training part first: the published package pairs its rows by index.
auto order_of(const std::string& path) {
  return std::pair(path.find("train") == std::string::npos, path);
}

Result<std::vector<std::string>> list_data_files(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code ignored;
    if (name.starts_with('.') && entry->is_directory(ignored))
      entry.disable_recursion_pending();
    else if (is_data_file(name) && entry->is_regular_file(ignored))
      paths.push_back(entry->path().string());
    if (paths.size() > kMostFiles)
      return fail(ErrorKind::Invalid, "{} has more than {} data files; name the ones you mean",
                  printable(folder), kMostFiles);
  }
  if (error)
    return fail(ErrorKind::Invalid, "{} cannot be listed: {}", printable(folder), error.message());
  if (paths.empty())
    return fail(ErrorKind::Invalid, "{} contains no .parquet, .jsonl, .json, .csv or .tsv file",
                printable(folder));
  std::ranges::sort(paths, {}, order_of);
  return paths;
}

Result<std::vector<std::string>> list_sources(const std::vector<std::string>& sources) {
  std::vector<std::string> paths;
  for (const std::string& source : sources) {
    std::error_code ignored;
    if (fs::is_directory(source, ignored)) {
      ASSIGN_OR_RETURN(const auto found, list_data_files(source));
      paths.insert(paths.end(), found.begin(), found.end());
    } else {
      paths.push_back(source);
    }
  }
  return paths;
}

std::string find_parquet_program(const Context& context) {
  if (const auto given = context.environment().find("PERSONASCOPE_PARQUET_ROWS")) return *given;
  const std::string place = "libexec/personascope/parquet_rows";
  return find_installed(place).value_or(describe_installed(place));
}

// Fetches the data sets' data files into the home folder and says what was fetched, with the
// folders.
Result<Json> fetch_from_hub(const Context& context, const BenchImport& command,
                            const HubSink& on_hub) {
  ASSIGN_OR_RETURN(const run::HubAccess access, run::find_hub_access(context.environment()));
  std::vector<std::string> repos = command.sources;
  if (repos.empty()) repos.assign(std::begin(kPublishedSets), std::end(kPublishedSets));
  sched::Loop loop;
  http::Client client(loop);
  Json sets = Json::array();
  for (const std::string& repo : repos) {
    ASSIGN_OR_RETURN(
        const run::HubListing listing,
        sched::run_to_end(loop, run::list_hub_files(client, access, repo, command.revision)));
    const std::string folder =
        fmt::format("{}/hub/{}/{}", context.home(), replace_all(repo, "/", "--"), listing.commit);
    std::size_t count = 0;
    std::size_t fetched = 0;
    std::uint64_t bytes = 0;
    for (const run::HubFile& file : listing.files) {
      if (!is_data_file(fs::path(file.path).filename().string())) continue;
      HubProgress progress{repo + ": " + file.path, 0, file.size, false};
      const auto on_bytes = [&](std::uint64_t so_far) {
        progress.bytes = so_far;
        if (on_hub) on_hub(progress);
      };
      ASSIGN_OR_RETURN(const run::Fetched how,
                       sched::run_to_end(loop, run::fetch_hub_file(client, access, listing, file,
                                                                   folder, on_bytes)));
      progress.is_done = true;
      on_bytes(file.size);
      ++count;
      bytes += file.size;
      if (how == run::Fetched::Now) ++fetched;
    }
    if (count == 0)
      return fail(ErrorKind::Invalid, "{} contains no .parquet, .jsonl, .json, .csv or .tsv file",
                  printable(repo));
    sets.push_back({{"repo", repo},
                    {"commit", listing.commit},
                    {"files", count},
                    {"bytes", bytes},
                    {"fetched", fetched},
                    {"folder", folder}});
  }
  return sets;
}

// One of the folder's files, made when the first line comes.
class ImportFile {
 public:
  ImportFile(const fs::path& folder, const char* name) : path_((folder / name).string()) {}
  const std::string& path() const { return path_; }
  bool is_there() const { return file_.has_value(); }

  Result<void> write(std::string_view text) {
    if (!file_) {
      std::error_code error;
      fs::create_directories(fs::path(path_).parent_path(), error);
      ASSIGN_OR_RETURN(auto created, files::NewFile::create(path_));
      file_.emplace(std::move(created));
    }
    return file_->write(text);
  }
  Result<void> check_free(bool force) const {
    std::error_code ignored;
    if (!file_ || force || !fs::exists(path_, ignored)) return {};
    return fail(ErrorKind::Invalid,
                "{} exists already; `force` replaces it, `output` names another folder",
                printable(path_));
  }
  Result<void> finish() {
    if (file_) return file_->commit();
    return {};
  }

 private:
  std::string path_;
  std::optional<files::NewFile> file_;
};

}  // namespace

Result<Json> import_bench(const Context& context, BenchImport command, const HubSink& on_hub) {
  const std::string name = command.name.empty() ? std::string(kPersonaBench) : command.name;
  RETURN_IF_ERROR(check_pack_name(name));
  Json fetched;
  if (command.from_hub) {
    ASSIGN_OR_RETURN(fetched, fetch_from_hub(context, command, on_hub));
    command.sources.clear();
    for (const Json& set : fetched) command.sources.push_back(set["folder"].get<std::string>());
  }
  if (command.sources.empty())
    return fail(
        ErrorKind::Invalid,
        "what to import is missing; name files or folders, or fetch the published ones with "
        "`hub`");
  ASSIGN_OR_RETURN(const auto paths, list_sources(command.sources));
  const fs::path folder = command.output.value_or(context.home() + "/packs/" + name);
  ImportFile personas(folder, "personas.jsonl");
  ImportFile questions(folder, "questions.jsonl");
  ImportFile report(folder, "import.json");
  for (const std::string& path : paths)
    for (const ImportFile* file : {&personas, &questions, &report})
      RETURN_IF_ERROR(check_not_same_file(file->path(), path));

  bench::DataImport import(
      command.keep_duplicates ? bench::Duplicates::Keep : bench::Duplicates::Drop,
      [&](std::string_view line) { return personas.write(line); },
      [&](std::string_view line) { return questions.write(line); });
  const std::string parquet_program = find_parquet_program(context);
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN(const auto rows, files::RowReader::open(path, parquet_program));
    RETURN_IF_ERROR(import.add(*rows, path));
  }
  Json found = bench::to_json(import.data());
  if (!personas.is_there() && !questions.is_there()) {
    const Json& dropped = found["dropped"];
    return fail(ErrorKind::Invalid,
                "nothing for the bench is in {}: a column \"question\" is needed, or columns named "
                "as the 33 attributes{}",
                printable(join(command.sources, ", ")),
                dropped.empty()
                    ? std::string("; there are no rows")
                    : fmt::format("; {}: {}", printable(dropped[0]["places"][0].get<std::string>()),
                                  printable(dropped[0]["reason"].get<std::string>())));
  }
  if (command.from_hub) found["hub"] = fetched;
  found["folder"] = folder.string();
  if (personas.is_there()) found["personas_file"] = personas.path();
  if (questions.is_there()) found["questions_file"] = questions.path();
  RETURN_IF_ERROR(report.write(render_pretty_json(found) + "\n"));
  for (const ImportFile* file : {&personas, &questions, &report})
    RETURN_IF_ERROR(file->check_free(command.force));
  for (ImportFile* file : {&personas, &questions, &report}) RETURN_IF_ERROR(file->finish());
  return found;
}

}  // namespace personascope::app
