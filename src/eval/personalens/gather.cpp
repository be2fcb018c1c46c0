#include "eval/personalens/gather.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <thread>
#include <unordered_map>

#include "base/text.hpp"
#include "eval/personalens/dimension.hpp"
#include "eval/personalens/folder_users.hpp"
#include "files/folder.hpp"
#include "files/text_file.hpp"

namespace personascope::eval::personalens {
namespace {

constexpr std::size_t kLargestGatheredFile = 1u << 20;
constexpr std::size_t kMostFaults = 20;
constexpr std::string_view kEnding = ".txt";

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

// What one thread found.
struct Harvest {
  struct Key {
    std::string assistant, dimension, suffix, judge;
    auto operator<=>(const Key&) const = default;
  };
  std::map<Key, std::vector<GatheredRow>> groups;
  std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> tasks;
  std::int64_t other_files = 0;
  std::vector<std::string> faults;

  std::uint32_t place_of(std::string_view task) {
    const auto known = tasks.find(task);
    if (known != tasks.end()) return known->second;
    const auto place = static_cast<std::uint32_t>(tasks.size());
    tasks.emplace(task, place);
    return place;
  }
  void note(std::string sentence) {
    if (faults.size() < kMostFaults) faults.push_back(std::move(sentence));
  }
};

struct Wanted {
  const Dimension* dimension;
  VerdictFileReader reader;
};

class Harvester {
 public:
  Harvester(const GatherWishes& wishes, const std::vector<Wanted>& wanted, Harvest& harvest)
      : wishes_(wishes), wanted_(wanted), harvest_(harvest) {}

  void take_user(const files::Folder& root, int number) {
    user_ = static_cast<std::uint32_t>(number);
    const std::string name = fmt::format("user{}", number);
    const auto user = root.open_folder(name);
    if (!user) return harvest_.note(user.error().message);
    for (const std::string& assistant : list(*user)) {
      if (wishes_.assistant && assistant != *wishes_.assistant) continue;
      const auto dimensions = user->open_folder(assistant);
      if (!dimensions) {
        ++harvest_.other_files;
        note_closed(dimensions.error(), {name});
        continue;
      }
      for (const std::string& dimension : list(*dimensions)) {
        if (!is_wanted(dimension)) continue;
        const auto judges = dimensions->open_folder(dimension);
        if (!judges) {
          note_closed(judges.error(), {name, assistant});
          continue;
        }
        for (const std::string& judge : list(*judges)) {
          if (wishes_.judge && judge != *wishes_.judge) continue;
          const auto verdicts = judges->open_folder(judge);
          if (verdicts)
            take_files(*verdicts, assistant, dimension, judge);
          else
            note_closed(verdicts.error(), {name, assistant, dimension});
        }
      }
    }
  }

 private:
  static std::vector<std::string> list(const files::Folder& folder) {
    std::vector<std::string> names;
    if (!folder.list(names)) names.clear();
    return names;
  }

  // What is no folder is left alone; one that cannot be opened is said.
  void note_closed(const Error& error, const std::vector<std::string>& folders) {
    if (error.kind != ErrorKind::NotFound)
      harvest_.note(fmt::format("{}: {}", printable(join(folders, "/")), error.message));
  }

  bool is_wanted(std::string_view dimension) const {
    return std::ranges::any_of(
        wanted_, [&](const Wanted& wanted) { return wanted.dimension->id == dimension; });
  }

  // The dimension of that folder whose files end so. Where it has sides, a file without one is read
  // as the user's: the published program writes it so.
  const Wanted* find_wanted(std::string_view id, std::string_view suffix) const {
    for (const Wanted& wanted : wanted_)
      if (wanted.dimension->id == id && wanted.dimension->suffix == suffix) return &wanted;
    return nullptr;
  }

  void take_files(const files::Folder& folder, const std::string& assistant,
                  const std::string& dimension, const std::string& judge) {
    if (!folder.list(names_)) return;
    std::vector<GatheredRow>* rows = nullptr;
    std::string_view rows_suffix;
    for (const std::string& name : names_) {
      std::string_view stem = name;
      if (!stem.ends_with(kEnding)) {
        ++harvest_.other_files;
        continue;
      }
      stem.remove_suffix(kEnding.size());
      std::string_view suffix;
      for (const std::string_view known : {"_user", "_asst"})
        if (stem.ends_with(known)) suffix = known;
      stem.remove_suffix(suffix.size());
      if (wishes_.ending && *wishes_.ending != suffix) continue;
      const Wanted* wanted = find_wanted(dimension, suffix);
      if (!wanted) {
        harvest_.other_files += wishes_.dimension == "all" ? 1 : 0;
        continue;
      }
      if (!rows || rows_suffix != suffix) {
        rows = &harvest_.groups[{assistant, dimension, std::string(suffix), judge}];
        rows_suffix = suffix;
      }
      GatheredRow& row = rows->emplace_back();
      row.user = user_;
      row.task = harvest_.place_of(stem);
      const auto text = folder.read(name, buffer_, kLargestGatheredFile);
      if (!text) {
        harvest_.note(fmt::format("user{}/{}/{}/{}: {}", user_, printable(assistant), dimension,
                                  printable(judge), text.error().message));
        if (wanted->dimension->is_published())
          row.published = read_as_published(*wanted->dimension, "");
        continue;
      }
      row.ours = wanted->reader.read(*text);
      if (!row.ours) row.cannot_assess = wanted->reader.says_cannot_assess(*text);
      if (!row.ours || wanted->dimension->is_low(*row.ours)) row.reason = reason_in(*text);
      if (wanted->dimension->is_published())
        row.published = read_as_published(*wanted->dimension, *text);
    }
  }

  const GatherWishes& wishes_;
  const std::vector<Wanted>& wanted_;
  Harvest& harvest_;
  std::uint32_t user_ = 0;
  std::vector<std::string> names_;
  std::vector<char> buffer_;
};

struct Tree {
  std::string path;
  std::vector<int> users;
};

Result<Tree> find_tree(const std::string& folder) {
  for (const std::string& path : {folder + "/output/evaluation", folder + "/evaluation", folder}) {
    const auto root = files::Folder::open(path);
    if (!root) continue;
    std::vector<std::string> names;
    RETURN_IF_ERROR(root->list(names));
    Tree tree{path, {}};
    for (const std::string& name : names)
      if (const auto number = find_user_number(name)) tree.users.push_back(*number);
    std::ranges::sort(tree.users);
    if (!tree.users.empty()) return tree;
  }
  return fail(ErrorKind::NotFound,
              "{} has no evaluations: it should hold folders user0, user1, …, itself or in "
              "evaluation/ or output/evaluation/",
              printable(folder));
}

// Which models the folders stand for, by the index that a run leaves beside them; none without it.
std::map<std::string, std::string> load_model_names(const std::string& tree) {
  std::map<std::string, std::string> names;
  const auto text = files::load_text(tree + "/../models.json", kLargestGatheredFile);
  if (!text) return names;
  const auto index = parse_json(*text);
  if (!index || !index->is_object()) return names;
  for (const auto& [label, model] : index->items())
    if (model.is_string()) names[label] = model.get<std::string>();
  return names;
}

// Puts the threads' findings together, in an order that does not depend on them.
Gathered merge(std::vector<Harvest> harvests, std::string folder) {
  Gathered all;
  all.folder = std::move(folder);
  for (const Harvest& harvest : harvests)
    for (const auto& [task, place] : harvest.tasks) all.tasks.push_back(task);
  std::ranges::sort(all.tasks);
  all.tasks.erase(std::unique(all.tasks.begin(), all.tasks.end()), all.tasks.end());
  std::map<Harvest::Key, std::vector<GatheredRow>> groups;
  for (Harvest& harvest : harvests) {
    std::vector<std::uint32_t> places(harvest.tasks.size());
    for (const auto& [task, place] : harvest.tasks)
      places[place] =
          static_cast<std::uint32_t>(std::ranges::lower_bound(all.tasks, task) - all.tasks.begin());
    for (auto& [key, rows] : harvest.groups) {
      for (GatheredRow& row : rows) row.task = places[row.task];
      auto& known = groups[key];
      known.insert(known.end(), rows.begin(), rows.end());
    }
    all.other_files += harvest.other_files;
    for (std::string& fault : harvest.faults)
      if (all.faults.size() < kMostFaults) all.faults.push_back(std::move(fault));
  }
  std::ranges::sort(all.faults);
  for (auto& [key, rows] : groups) {
    std::ranges::sort(rows, {},
                      [](const GatheredRow& row) { return std::pair(row.user, row.task); });
    all.groups.push_back({key.assistant, key.dimension, key.suffix, key.judge, std::move(rows)});
  }
  return all;
}

}  // namespace

Result<Gathered> gather(const GatherWishes& wishes) {
  ASSIGN_OR_RETURN(const auto dimensions, choose_dimensions(wishes.dimension, std::nullopt));
  std::vector<Wanted> wanted;
  for (const Dimension* dimension : dimensions)
    if (dimension->scope != Scope::EachTurn)
      wanted.push_back({dimension, VerdictFileReader(*dimension)});
  ASSIGN_OR_RETURN(Tree tree, find_tree(wishes.folder));
  if (wishes.users)
    std::erase_if(tree.users,
                  [&](int user) { return !std::ranges::binary_search(*wishes.users, user); });
  ASSIGN_OR_RETURN(const files::Folder root, files::Folder::open(tree.path));
  const std::size_t threads = std::max(1u, wishes.threads);
  std::vector<Harvest> harvests(threads);
  std::atomic<std::size_t> next{0};
  const auto work = [&](Harvest& harvest) {
    Harvester harvester(wishes, wanted, harvest);
    for (std::size_t i = next++; i < tree.users.size(); i = next++)
      harvester.take_user(root, tree.users[i]);
  };
  {
    std::vector<std::jthread> pool;
    for (std::size_t i = 1; i < threads; ++i) pool.emplace_back([&, i] { work(harvests[i]); });
    work(harvests[0]);
  }
  Gathered gathered = merge(std::move(harvests), tree.path);
  gathered.models = load_model_names(tree.path);
  return gathered;
}

}  // namespace personascope::eval::personalens
