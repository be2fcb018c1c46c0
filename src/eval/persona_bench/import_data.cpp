#include "eval/persona_bench/import_data.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "files/python_literal.hpp"

namespace personascope::eval::persona_bench {
namespace {

constexpr std::size_t kMostColumns = 1000;
constexpr std::size_t kLongestName = 100;
constexpr std::size_t kLongValue = 4000;
constexpr std::size_t kFewestWords = 5;  // as the published questions were filtered
constexpr double kOldest = 120;
// With a question in the row, so many of the 33 make a persona of the other columns.
constexpr std::size_t kEnoughAttributes = 3;

// Best first.
constexpr std::array<std::string_view, 5> kQuestionColumns{"question", "instruction", "prompt",
                                                           "query", "questiontext"};
constexpr std::array<std::string_view, 4> kPersonaColumns{"persona", "personatext", "demographic",
                                                          "profile"};
// Row numbers that libraries leave in files.
constexpr std::array<std::string_view, 5> kRowNumbers{"", "index", "unnamed0", "indexlevel0",
                                                      "level0"};

// "Big_Five Scores" and "bigfivescores" are the same name.
std::string key_of(std::string_view name) {
  std::string key;
  for (const char c : lower(name))
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80)
      key += c;
  return key;
}

const std::map<std::string, std::string_view>& known_keys() {
  static const auto known = [] {
    std::map<std::string, std::string_view> keys;
    for (const std::string_view attribute : kAttributes) {
      const std::string key = key_of(attribute);
      keys.emplace(key, attribute);
      if (key.ends_with('s')) keys.emplace(key.substr(0, key.size() - 1), attribute);
    }
    keys.emplace("bigfive", "big five scores");
    return keys;
  }();
  return known;
}

bool is_known(std::string_view attribute) {
  return std::ranges::find(kAttributes, attribute) != kAttributes.end();
}

template <std::size_t N>
std::optional<std::size_t> find_rank(const std::array<std::string_view, N>& names,
                                     std::string_view key) {
  const auto found = std::ranges::find(names, key);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

std::size_t count_words(std::string_view text) {
  const auto words = split(text, ' ');
  return static_cast<std::size_t>(
      std::ranges::count_if(words, [](std::string_view word) { return !word.empty(); }));
}

// All of a persona that is written in one cell.
std::vector<std::pair<std::string, std::string>> read_persona_text(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> found;
  if (trim(text).starts_with('{')) {
    auto value = parse_json(trim(text));
    if (!value) value = files::parse_python_literal(trim(text));
    if (value && value->is_object())
      for (const auto& [name, part] : value->items())
        found.emplace_back(name, files::cell_text(part));
    return found;
  }
  for (std::string_view line : split(text, '\n')) {
    line = trim(line);
    if (line.starts_with("- ")) line.remove_prefix(2);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    found.emplace_back(line.substr(0, colon), line.substr(colon + 1));
  }
  return found;
}

}  // namespace

std::string attribute_of_column(std::string_view column) {
  const auto known = known_keys().find(key_of(column));
  if (known != known_keys().end()) return std::string(known->second);
  std::string name = replace_all(shorten(make_utf8(column), kLongestName), "_", " ");
  return std::string(trim(printable(name)));
}

struct DataImport::Parts {
  std::vector<std::pair<std::string, std::string>> attributes;
  std::size_t known = 0;  // columns that are one of the 33, filled or not
  std::string persona_text;
  std::string question;
  std::optional<std::size_t> question_rank;
  std::string question_column;
  std::string id;
  std::string persona_id;
  std::string question_id;
  std::vector<std::string> others;  // columns that may become further attributes

  bool has_question() const { return question_rank.has_value(); }
  bool has_persona() const {
    return !persona_text.empty() || known >= (has_question() ? kEnoughAttributes : 1);
  }
};

DataImport::DataImport(Duplicates duplicates, Write write_persona, Write write_question)
    : duplicates_(duplicates),
      write_persona_(std::move(write_persona)),
      write_question_(std::move(write_question)) {}

Result<void> DataImport::add(files::RowReader& rows, const std::string& path) {
  data_.files.push_back({path, 0, 0, 0});
  const std::size_t personas = data_.personas;
  const std::size_t questions = data_.questions;
  files::Row row;
  for (;;) {
    const auto more = rows.next(row);
    if (!more) return std::unexpected(more.error());
    if (!*more) break;
    ++data_.files.back().rows;
    const std::string place = fmt::format("{}, {} {}", path, rows.unit(), row.number);
    RETURN_IF_ERROR(add_row(row, place));
  }
  data_.files.back().personas = data_.personas - personas;
  data_.files.back().questions = data_.questions - questions;
  return {};
}

Result<void> DataImport::add_row(const files::Row& row, const std::string& place) {
  if (!row.fault.empty()) {
    data_.dropped.add(row.fault, place);
    return {};
  }
  Parts parts;
  RETURN_IF_ERROR(sort_columns(row, place, parts));
  const bool has_persona = parts.has_persona();
  if (!has_persona && !parts.has_question()) {
    data_.dropped.add("neither a question nor one of the 33 attributes", place);
    return {};
  }
  if (has_persona) RETURN_IF_ERROR(add_persona(parts, place));
  if (parts.has_question()) RETURN_IF_ERROR(add_question(parts, place));
  return {};
}

Result<void> DataImport::sort_columns(const files::Row& row, const std::string& place,
                                      Parts& parts) {
  if (row.cells.size() > kMostColumns || data_.further.size() > kMostColumns ||
      data_.unused.size() > kMostColumns)
    return fail(ErrorKind::Invalid, "{}: more than {} different columns; is it a table?",
                printable(place), kMostColumns);
  for (const auto& [column, cell] : row.cells) {
    const std::string key = key_of(column);
    const auto rank = find_rank(kQuestionColumns, key);
    if (rank) {
      if (!parts.question_rank || *rank < *parts.question_rank) {
        if (parts.question_rank) data_.unused.insert(parts.question_column);
        parts.question_rank = rank;
        parts.question = cell;
        parts.question_column = attribute_of_column(column);
      } else {
        data_.unused.insert(attribute_of_column(column));
      }
    } else if (find_rank(kPersonaColumns, key)) {
      parts.persona_text = cell;
    } else if (key == "personaid") {
      parts.persona_id = cell;
    } else if (key == "questionid") {
      parts.question_id = cell;
    } else if (key == "id" || key == "uuid") {
      parts.id = cell;
    } else if (!find_rank(kRowNumbers, key)) {
      const std::string name = attribute_of_column(column);
      parts.attributes.emplace_back(name, cell);
      if (is_known(name))
        ++parts.known;
      else
        parts.others.push_back(name);
    }
  }
  // Beside a question, unknown columns are about the question or its answers.
  if (parts.has_question() || !parts.persona_text.empty()) {
    data_.unused.insert(parts.others.begin(), parts.others.end());
    std::erase_if(parts.attributes, [](const auto& entry) { return !is_known(entry.first); });
    if (!parts.has_persona()) {
      for (const auto& [name, cell] : parts.attributes) data_.unused.insert(name);
    }
  } else if (parts.has_persona()) {
    data_.further.insert(parts.others.begin(), parts.others.end());
  }
  for (const auto& [name, cell] : read_persona_text(parts.persona_text)) {
    parts.attributes.emplace_back(attribute_of_column(name), cell);
    if (!is_known(parts.attributes.back().first))
      data_.further.insert(parts.attributes.back().first);
  }
  if (parts.has_question() && parts.question_column != "question")
    data_.question_from.insert(parts.question_column);
  return {};
}

std::string DataImport::clean(std::string_view text, const std::string& place) {
  std::string value(trim(text));
  if (!is_utf8(value)) {
    data_.odd.add("bytes that are not UTF-8, replaced", place);
    value = make_utf8(value);
  }
  if (lower(value) == "nan") {
    data_.odd.add("\"nan\", treated as empty", place);
    return "";
  }
  if (value.size() > kLongValue)
    data_.odd.add(fmt::format("a text of more than {} bytes", kLongValue), place);
  return value;
}

bool DataImport::is_repeated(const std::string& content, const Parts& parts, std::string_view what,
                             const std::string& place) {
  const Digest digest = sha256(fmt::format("{}\n{}", what, content));
  if (seen_.emplace(bytes_of(digest).substr(0, 16)).second) return false;
  if (parts.has_question() && parts.has_persona()) {
    ++data_.seen_again;
    return true;
  }
  if (duplicates_ == Duplicates::Keep) {
    data_.odd.add(fmt::format("the {} is repeated", what), place);
    return false;
  }
  data_.dropped.add(fmt::format("the {} is repeated", what), place);
  return true;
}

std::string DataImport::choose_id(const std::string& given, char letter, std::size_t number,
                                  const std::string& place) {
  const auto take = [&](const std::string& id) {
    return seen_.emplace(fmt::format("id {}{}", letter, id)).second;
  };
  std::string id = shorten(replace_all(clean(given, place), "\n", " "), kLongestName);
  if (!id.empty()) {
    if (take(id)) return id;
    data_.odd.add("a repeated id, replaced", place);
  }
  // Numbers below the last one that was free are taken.
  std::size_t& next = next_number_[letter];
  next = std::max(next, number);
  do id = fmt::format("{}{}", letter, next++);
  while (!take(id));
  return id;
}

Result<void> DataImport::add_persona(Parts& parts, const std::string& place) {
  Persona persona;
  for (const auto& [name, cell] : parts.attributes) {
    // A value is one line of a prompt.
    std::string value = replace_all(replace_all(clean(cell, place), "\r", ""), "\n", " ");
    if (value.empty() || name.empty()) continue;
    if (persona.find(name)) {
      data_.odd.add(fmt::format("\"{}\" twice, the first is used", name), place);
      continue;
    }
    persona.attributes.emplace_back(name, std::move(value));
  }
  sort_attributes(persona);
  const bool has_known = std::ranges::any_of(
      persona.attributes, [](const auto& entry) { return is_known(entry.first); });
  if (!has_known) {
    data_.dropped.add("a persona without any of the 33 attributes", place);
    return {};
  }
  if (is_repeated(render_persona(persona), parts, "persona", place)) return {};
  if (const std::string* age = persona.find("age")) {
    const auto years = find_first_number(*age);
    if (!years || *years > kOldest)
      data_.odd.add(fmt::format("an age that is not a number from 0 to {}", kOldest), place);
  }
  for (const auto& [name, value] : persona.attributes)
    if (is_known(name)) data_.attributes.insert(name);
  const std::string& given =
      parts.persona_id.empty() && !parts.has_question() ? parts.id : parts.persona_id;
  persona.id = choose_id(given, 'u', ++data_.personas, place);
  return write_persona_(render_line(persona));
}

Result<void> DataImport::add_question(Parts& parts, const std::string& place) {
  const std::string text = clean(parts.question, place);
  if (text.empty()) {
    data_.dropped.add("an empty question", place);
    return {};
  }
  if (is_repeated(text, parts, "question", place)) return {};
  if (text.find('?') == std::string::npos) data_.odd.add("a question without \"?\"", place);
  if (count_words(text) < kFewestWords)
    data_.odd.add(fmt::format("a question of fewer than {} words", kFewestWords), place);
  const std::string& given =
      parts.question_id.empty() && !parts.has_persona() ? parts.id : parts.question_id;
  const std::string id = choose_id(given, 'q', ++data_.questions, place);
  return write_question_(
      fmt::format("{{\"id\": {}, \"question\": {}}}\n", render_json(id), render_json(text)));
}

}  // namespace personascope::eval::persona_bench
