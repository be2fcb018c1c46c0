#include "files/python_source.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "files/line_reader.hpp"
#include "files/python_literal.hpp"
#include "files/python_string.hpp"

namespace personascope::files {
namespace {

constexpr std::size_t kLargestSource = 4u << 20;
constexpr std::size_t kMostTargets = 8;  // each gets a copy of the value
constexpr std::size_t kMostGaps = 1000;

class Walker {
 public:
  explicit Walker(std::string_view text) : text_(text) {}

  PythonSource walk() {
    while (at_ < text_.size()) walk_statement();
    return std::move(source_);
  }

 private:
  struct Target {
    std::string name;
    int line = 0;
  };

  void walk_statement() {
    skip_blanks();
    std::vector<Target> targets;
    while (auto target = take_target()) targets.push_back(std::move(*target));
    if (!targets.empty() && targets.size() <= kMostTargets && begins_literal()) {
      std::size_t end = at_;
      const auto literal = read_python_literal(text_, end);
      for (Target& target : targets) {
        if (literal)
          source_.assignments.push_back(
              {std::move(target.name), literal->value, literal->is_template, target.line});
        else
          add_gap(std::move(target.name), target.line, literal.error().message);
      }
      if (literal) at_ = end;
    }
    skip_statement();
  }

  void add_gap(std::string name, int line, std::string reason) {
    if (source_.gaps.size() < kMostGaps)
      source_.gaps.push_back({std::move(name), line, std::move(reason)});
  }

  // `name =` or `name: type =`, of which the last character is the sign, with the blanks after it.
  std::optional<Target> take_target() {
    std::size_t at = at_;
    const auto take_name = [&] {
      const std::size_t start = at;
      if (at < text_.size() && is_python_name_start(text_[at]))
        while (at < text_.size() && is_python_name_part(text_[at])) ++at;
      return at > start;
    };
    const auto pass = [&](std::string_view characters) {
      at = std::min(text_.find_first_not_of(characters, at), text_.size());
    };
    do {
      if (!take_name()) return std::nullopt;
    } while (at < text_.size() && text_[at] == '.' && ++at);
    const std::string_view name = text_.substr(at_, at - at_);
    pass(" \t");
    if (at < text_.size() && text_[at] == ':' && name != "else" && name != "try" &&
        name != "finally") {
      ++at;
      while (at < text_.size() &&
             (is_python_name_part(text_[at]) ||
              std::string_view(" \t.,|[]").find(text_[at]) != std::string_view::npos))
        ++at;
    }
    if (at >= text_.size() || text_[at] != '=' || text_.substr(at, 2) == "==") return std::nullopt;
    Target target{std::string(name), line_at(at_)};
    at_ = at + 1;
    skip_blanks();
    return target;
  }

  // Calls and names are no literals, and no gaps either.
  bool begins_literal() const {
    const std::string_view rest = text_.substr(at_);
    if (rest.empty() || rest.front() == '\n') return false;
    if (find_python_string(rest) || !is_python_name_start(rest.front())) return true;
    return rest.starts_with("True") || rest.starts_with("False") || rest.starts_with("None");
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\f')
        ++at_;
      else if (text_.substr(at_, 2) == "\\\n")
        at_ += 2;
      else
        return;
    }
  }

  // To behind the line end or semicolon that ends the statement, past strings, brackets, comments.
  void skip_statement() {
    int depth = 0;
    std::size_t opened = at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (const auto token = find_python_string(text_.substr(at_))) {
        if (!token->is_closed) add_gap({}, line_at(at_), "a string that is never closed");
        at_ += token->length;
      } else if (is_python_name_start(c)) {
        while (at_ < text_.size() && is_python_name_part(text_[at_])) ++at_;
      } else if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        ++at_;
        if (c == '\\' && at_ < text_.size()) ++at_;
        if ((c == '[' || c == '(' || c == '{') && depth++ == 0) opened = at_ - 1;
        if ((c == ']' || c == ')' || c == '}') && depth > 0) --depth;
        if ((c == '\n' || c == ';') && depth == 0) return;
        if (c == '\n' && begins_definition()) break;
      }
    }
    if (depth > 0) add_gap({}, line_at(opened), "a bracket that is never closed");
  }

  // No bracket holds a definition: one that is still open before it is a mistake.
  bool begins_definition() const {
    const std::size_t start = text_.find_first_not_of(" \t", at_);
    if (start == std::string_view::npos) return false;
    const std::string_view line = text_.substr(start, 6);
    return line.starts_with("def ") || line.starts_with("class ");
  }

  // Positions must not be asked for out of order by more than a statement.
  int line_at(std::size_t position) {
    const auto count = [&](std::size_t from, std::size_t to) {
      return static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(from),
                                         text_.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
    };
    if (position >= counted_)
      line_ += count(counted_, position);
    else
      line_ -= count(position, counted_);
    counted_ = position;
    return line_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t counted_ = 0;
  int line_ = 1;  // of counted_
  PythonSource source_;
};

}  // namespace

Result<PythonSource> parse_python_source(std::string_view text) {
  if (text.size() > kLargestSource)
    return fail(ErrorKind::TooLarge, "Python source larger than {} MB", kLargestSource >> 20);
  if (!is_utf8(text)) return fail(ErrorKind::Unparsable, "Python source that is not UTF-8");
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::string source = make_python_newlines(text);
  return Walker(source).walk();
}

}  // namespace personascope::files
