#include "eval/personagym/reference_text.hpp"

#include <algorithm>
#include <optional>

#include "base/text.hpp"

namespace personascope::eval::personagym {
namespace {

constexpr std::string_view kClosing = "Therefore, the final score is";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
// What Python's \s and strip() take for blank, of ASCII.
bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || (c >= '\x1c' && c <= '\x1f');
}

std::size_t skip_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}
std::size_t skip(std::string_view text, std::size_t at, char c) {
  while (at < text.size() && text[at] == c) ++at;
  return at;
}

struct Match {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view number;
};

// The next `before`, digits, `after`.
std::optional<Match> find_numbered(std::string_view text, std::size_t from, std::string_view before,
                                   std::string_view after) {
  for (std::size_t at = text.find(before, from); at != std::string_view::npos;
       at = text.find(before, at + 1)) {
    const std::size_t digits = at + before.size();
    const std::size_t end = skip_digits(text, digits);
    if (end > digits && text.substr(end).starts_with(after))
      return Match{at, end + after.size(), text.substr(digits, end - digits)};
  }
  return std::nullopt;
}

// "Score 3:  Response -", with any number of blanks where two are.
std::optional<Match> find_score_head(std::string_view text, std::size_t from) {
  for (auto match = find_numbered(text, from, "Score ", ":"); match;
       match = find_numbered(text, match->begin + 1, "Score ", ":")) {
    const std::size_t word = skip(text, match->end, ' ');
    constexpr std::string_view kResponse = "Response -";
    if (!text.substr(word).starts_with(kResponse)) continue;
    match->end = word + kResponse.size();
    return match;
  }
  return std::nullopt;
}

// The bytes of the blank at the front, 0 if there is none: what Python's \\s takes for one.
std::size_t blank_at_front(std::string_view text) {
  if (!text.empty() && is_blank(text.front())) return 1;
  for (const std::string_view blank :
       {"\u0085", "\u00a0", "\u1680", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"})
    if (text.starts_with(blank)) return blank.size();
  const bool in_range = text.size() >= 3 && text.starts_with("\xE2\x80") &&
                        static_cast<unsigned char>(text[2]) <= 0x8a;  // U+2000 to U+200A
  return in_range ? 3 : 0;
}

std::string_view strip(std::string_view text) {
  while (const std::size_t blank = blank_at_front(text)) text.remove_prefix(blank);
  for (std::size_t end = text.size(); end > 0;) {
    std::size_t start = end - 1;
    while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xc0u) == 0x80u) --start;
    if (blank_at_front(text.substr(start, end - start)) == 0) return text.substr(0, end);
    end = start;
  }
  return {};
}

// Of a response, only the lines that begin with "Score" are kept: in effect its first line.
std::string render_examples(std::string_view text) {
  std::string all;
  for (auto head = find_score_head(text, 0); head;) {
    const auto next = find_score_head(text, head->end);
    std::string_view response =
        text.substr(head->end, (next ? next->begin : text.size()) - head->end);
    response.remove_prefix(std::min(skip(response, 0, ' '), response.size()));
    if (response.starts_with('"')) response.remove_prefix(1);
    if (next) {
      while (response.ends_with('\n')) response.remove_suffix(1);
    } else if (response.ends_with('\n')) {
      response.remove_suffix(1);
    }
    if (response.ends_with('"')) response.remove_suffix(1);
    if (!all.empty()) all += "\n\n";
    all += fmt::format("Score {}: \"{}\"", head->number, strip(response));
    head = next;
  }
  std::vector<std::string> lines;
  for (const std::string_view line : split(all, '\n'))
    if (line.starts_with("Score")) lines.emplace_back(line);
  return join(lines, "\n\n");
}

}  // namespace

std::vector<double> read_grades(std::string_view reply) {
  std::vector<double> grades;
  for (auto block = find_numbered(reply, 0, "(", ") Evaluation:"); block;) {
    const auto next = find_numbered(reply, block->end, "(", ") Evaluation:");
    const std::string_view text =
        reply.substr(block->end, (next ? next->begin : reply.size()) - block->end);
    double grade = 0;
    for (std::size_t at = text.find(kClosing); at != std::string_view::npos;
         at = text.find(kClosing, at + 1)) {
      std::size_t digits = at + kClosing.size();
      while (const std::size_t blank = blank_at_front(text.substr(digits))) digits += blank;
      const std::size_t end = skip_digits(text, digits);
      if (end == digits) continue;
      // More digits than any score has; such a number is kept as one that no average survives.
      grade = static_cast<double>(
          find_integer_in(text.substr(digits, std::min<std::size_t>(end - digits, 9))).value_or(0));
      break;
    }
    grades.push_back(grade);
    block = next;
  }
  return grades;
}

std::vector<std::string> read_examples(std::string_view reply, std::size_t count) {
  std::vector<std::string_view> parts;
  for (auto head = find_numbered(reply, 0, "Rubric ", " Examples:"); head;) {
    const auto next = find_numbered(reply, head->end, "Rubric ", " Examples:");
    parts.push_back(reply.substr(head->end, (next ? next->begin : reply.size()) - head->end));
    head = next;
  }
  if (parts.size() != count) return std::vector<std::string>(count, render_examples(reply));
  std::vector<std::string> examples;
  for (const std::string_view part : parts) examples.push_back(render_examples(strip(part)));
  return examples;
}

std::vector<std::string> read_examples_as_published(std::string_view reply, std::size_t count) {
  const std::string all = render_examples(reply);
  std::vector<std::string> examples(count);
  std::size_t at = 0;
  for (std::size_t i = 0; i < count && at < all.size(); ++i) {
    std::size_t end = at + 1;
    while (end < all.size() && (static_cast<unsigned char>(all[end]) & 0xc0u) == 0x80u) ++end;
    examples[i] = all.substr(at, end - at);
    at = end;
  }
  return examples;
}

double average_of_read(const std::vector<double>& scores) {
  double sum = 0;
  int read = 0;
  for (const double score : scores) {
    sum += score;
    if (score != 0) ++read;
  }
  return read > 0 ? sum / read : sum;
}

double score_of(const Batch& batch) {
  std::vector<double> means;
  for (const std::vector<double>& scores : batch.scores) means.push_back(average_of_read(scores));
  return plain_mean(means);
}

double plain_mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

}  // namespace personascope::eval::personagym
