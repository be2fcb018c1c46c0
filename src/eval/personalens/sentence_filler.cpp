#include "eval/personalens/sentence_filler.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "eval/fill.hpp"

namespace personascope::eval::personalens {

std::string join_spoken(const std::vector<std::string>& texts) {
  if (texts.size() == 1) return texts.front();
  const std::vector<std::string> head(texts.begin(), texts.end() - 1);
  return join(head, ", ") + " and " + texts.back();
}

std::string SentenceFiller::fill_own(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> texts;
  std::vector<std::size_t> spoken;
  for (std::size_t i = 0; i < likes_.size(); ++i) {
    std::string name = replace_all(likes_[i].name, " ", "_");
    if (text.find("{" + name + "}") == std::string::npos) continue;
    if (is_spoken(i)) return "";
    spoken.push_back(i);
    texts.emplace_back(std::move(name), say_(i));
  }
  spoken_.insert(spoken_.end(), spoken.begin(), spoken.end());
  Values values{{"domain", domain_.spoken}};
  for (const auto& [name, value] : texts) values.emplace_back(name, value);
  return fill(text, values);
}

std::string SentenceFiller::fill_general(const std::string& text) {
  const bool wants_one = text.find("{value}") != std::string::npos;
  const bool wants_list = text.find("{values}") != std::string::npos;
  const bool wants_name = text.find("{attribute}") != std::string::npos;
  if (!wants_one && !wants_list && !wants_name) return fill(text, {{"domain", domain_.spoken}});
  const std::size_t start = random_.below(likes_.size());
  for (std::size_t k = 0; k < likes_.size(); ++k) {
    const std::size_t i = (start + k) % likes_.size();
    const AffinityChoice& choice = domain_.affinities[i];
    if (is_spoken(i) || choice.only_own || (wants_one && choice.is_list) ||
        (wants_list && !choice.is_list))
      continue;
    spoken_.push_back(i);
    const std::string joined = say_(i);
    return fill(text, {{"domain", domain_.spoken},
                       {"attribute", choice.spoken},
                       {"value", joined},
                       {"values", joined}});
  }
  return "";
}

bool SentenceFiller::is_spoken(std::size_t i) const {
  return std::ranges::find(spoken_, i) != spoken_.end();
}

}  // namespace personascope::eval::personalens
