#include "cli/lens_words.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/text.hpp"

namespace personascope::cli {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kShort{{
    {"-s3", "--sample=30"},
    {"-s5", "--sample=50"},
    {"-s10", "--sample=100"},
    {"--sample_30", "--sample=30"},
    {"--sample_50", "--sample=50"},
    {"--sample_100", "--sample=100"},
    {"-sample_30", "--sample=30"},
    {"-sample_50", "--sample=50"},
    {"-sample_100", "--sample=100"},
    {"-si", "--situation"},
    {"-md", "--multi_domain"},
}};

constexpr std::array<std::string_view, 13> kLong{
    "start_index",   "end_index",     "bedrock_region", "model_id_user",
    "model_id_asst", "model_id_eval", "demographic",    "past_interaction_summary",
    "situation",     "multi_domain",  "eval_dimension", "assistant",
    "file_ext"};

std::string rewrite_flag(const std::string& word) {
  for (const auto& [short_form, long_form] : kShort)
    if (word == short_form) return std::string(long_form);
  // "-s4" is no sample, and hardly meant as "-s 4", which begins 132,633 dialogues.
  if (word.starts_with("-s") && find_integer_in(std::string_view(word).substr(2)))
    return "-" + word;
  if (word.size() > 2 && word[0] == '-' && word[1] != '-') {
    const std::string_view name = std::string_view(word).substr(1, word.find('=') - 1);
    if (std::ranges::find(kLong, name) != kLong.end()) return "-" + word;
  }
  return word;
}

}  // namespace

std::vector<std::string> rewrite_lens_words(std::vector<std::string> words) {
  if (words.size() < 2 || words[0] != "lens") return words;
  for (std::size_t i = 2; i < words.size(); ++i) words[i] = rewrite_flag(words[i]);
  const std::string command = words[1];
  if (command != "gather" && command != "gather_evaluation")
    for (std::size_t i = 2; i < words.size(); ++i)
      if (words[i] == "-a" || words[i] == "--assistant") words[i] = "--side=assistant";
  if (command == "generate_dialogue" || command == "generate_dialogue_md") words[1] = "generate";
  if (command == "generate_dialogue_md") words.insert(words.begin() + 2, "--multi_domain");
  if (command == "evaluate_dialogue") words[1] = "evaluate";
  if (command == "gather_evaluation") {
    words[1] = "gather";
    if (std::ranges::find(words, "--multi_domain") == words.end())
      words.insert(words.begin() + 2, "--single-domain");
  }
  return words;
}

}  // namespace personascope::cli
