#include "eval/long_text.hpp"

#include "base/text.hpp"

namespace personascope::eval {
namespace {

constexpr std::size_t kLongText = 40'000;      // bytes
constexpr std::int64_t kLongRequest = 10'000;  // tokens
constexpr std::int64_t kTimesTheOthers = 10;
constexpr std::size_t kMostNamed = 3;

void name_below(const Json& value, const std::string& path, std::vector<std::string>& notes) {
  if (notes.size() >= kMostNamed) return;
  if (value.is_object())
    for (const auto& [name, member] : value.items())
      name_below(member, path.empty() ? name : path + "." + name, notes);
  if (value.is_array())
    for (std::size_t i = 0; i < value.size(); ++i)
      name_below(value[i], fmt::format("{}[{}]", path, i), notes);
  if (!value.is_string()) return;
  const auto& text = value.get_ref<const std::string&>();
  if (text.size() < kLongText) return;
  notes.push_back(fmt::format(
      "{} (\"{}\") has {} kB: every call with it has about {} more input tokens", printable(path),
      printable(shorten(text, 60)), text.size() / 1000, text.size() / 4));
}

}  // namespace

std::vector<std::string> name_long_texts(const Json& plan) {
  std::vector<std::string> notes;
  name_below(plan, "", notes);
  return notes;
}

void LongestRequest::add(const std::string& id, std::int64_t input_tokens) {
  ++requests_;
  tokens_ += input_tokens;
  if (input_tokens <= longest_) return;
  longest_ = input_tokens;
  id_ = id;
}

std::vector<std::string> LongestRequest::describe() const {
  const std::int64_t others = requests_ > 1 ? (tokens_ - longest_) / (requests_ - 1) : 0;
  if (longest_ < kLongRequest || longest_ < kTimesTheOthers * others) return {};
  return {fmt::format("the {} \"{}\" has about {} input tokens{}", what_,
                      printable(shorten(id_, 60)), longest_,
                      requests_ > 1 ? fmt::format(", the others {} on average", others) : "")};
}

}  // namespace personascope::eval
