#include "cli/unknown_flag.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "base/text.hpp"

namespace personascope::cli {
namespace {

// Flags that other programs have, and what this one has for the same purpose.
struct Guess {
  std::string_view flag;
  std::string_view instead;  // a flag; if it is not empty, only for commands that have it
  std::string_view sentence;
};

constexpr std::string_view kConnections =
    "--max-connections N limits how many calls are in flight at once";
constexpr std::string_view kFresh = "--fresh asks again instead of re-using stored answers";
constexpr std::string_view kFormat =
    "the ending of a file decides its format (.jsonl, .json, .csv, .md, .tex, .parquet): "
    "`personascope export RUN -o FILE.csv`; --json prints JSON";
constexpr std::string_view kVerbose =
    "progress and a summary are shown unless --quiet is given, and `personascope show RUN "
    "--prompts` shows every message that was sent";
constexpr std::string_view kCost = "--max-cost USD stops the run before it costs more";
constexpr std::string_view kKey =
    "keys are read from the environment or a .env file, never from the command line: "
    "`personascope models` names the variables";

constexpr Guess kGuesses[] = {
    {"--workers", "--max-connections", kConnections},
    {"--concurrency", "--max-connections", kConnections},
    {"--parallel", "--max-connections", kConnections},
    {"--jobs", "--max-connections", kConnections},
    {"--no-cache", "--fresh", kFresh},
    {"--force", "--fresh", kFresh},
    {"--format", "", kFormat},
    {"--output-format", "", kFormat},
    {"--csv", "", kFormat},
    {"--verbose", "", kVerbose},
    {"--debug", "", kVerbose},
    {"-v", "", kVerbose},
    {"--budget", "--max-cost", kCost},
    {"--api-key", "", kKey},
    {"--key", "", kKey},
};

std::vector<std::string> list_flags(const CLI::App& command) {
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    for (const std::string& name : option->get_snames()) known.push_back("-" + name);
  }
  return known;
}

bool contains(const std::vector<std::string>& known, std::string_view flag) {
  return std::ranges::find(known, flag) != known.end();
}

bool looks_like_flag(std::string_view word) {
  if (word.starts_with("--")) return word.size() > 2;
  return word.size() == 2 && word[0] == '-' && std::isalpha(static_cast<unsigned char>(word[1]));
}

// "--cost" is part of "--max-cost".
std::optional<std::string> find_longer(const std::string& flag,
                                       const std::vector<std::string>& known) {
  constexpr std::size_t kShortest = 6;  // with its dashes
  if (flag.size() < kShortest) return std::nullopt;
  std::vector<std::string> longer;
  for (const std::string& candidate : known)
    if (candidate.find(flag.substr(2)) != std::string::npos) longer.push_back(candidate);
  if (longer.empty()) return std::nullopt;
  return *std::ranges::min_element(longer, {}, &std::string::size);
}

// The command below this one that has the flag.
const CLI::App* find_below(const CLI::App& command, const std::string& flag) {
  for (const CLI::App* below : command.get_subcommands([](const CLI::App*) { return true; }))
    if (contains(list_flags(*below), flag)) return below;
  return nullptr;
}

std::string advise(const CLI::App& command, const std::string& flag,
                   const std::vector<std::string>& known) {
  for (const Guess& guess : kGuesses)
    if (guess.flag == flag && (guess.instead.empty() || contains(known, guess.instead)))
      return fmt::format("; {}", guess.sentence);
  if (flag.starts_with("--")) {
    std::vector<std::string> names = known;
    std::erase_if(names, [](const std::string& name) { return !name.starts_with("--"); });
    if (const auto near = near_matches(flag, names); !near.empty())
      return fmt::format("; did you mean {}?", near.front());
    if (const auto longer = find_longer(flag, known))
      return fmt::format("; did you mean {}?", *longer);
  }
  if (const CLI::App* below = find_below(command, flag))
    return fmt::format("; {} has it", full_name_of(*below));
  return "";
}

}  // namespace

std::string full_name_of(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent ? full_name_of(*parent) + " " + command.get_name() : command.get_name();
}

std::optional<std::string> find_unknown_flag(const CLI::App& command,
                                             const std::vector<std::string>& words) {
  const std::vector<std::string> known = list_flags(command);
  for (const std::string& word : words) {
    if (word == "--") break;  // no flags follow
    const std::string flag = word.substr(0, word.find('='));
    if (!looks_like_flag(flag) || contains(known, flag)) continue;
    return fmt::format("{} has no flag {}{}", full_name_of(command), flag,
                       advise(command, flag, known));
  }
  return std::nullopt;
}

}  // namespace personascope::cli
