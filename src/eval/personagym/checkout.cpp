#include "eval/personagym/checkout.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/text.hpp"
#include "files/python_string.hpp"
#include "files/text_file.hpp"

namespace personascope::eval::personagym {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestFile = 4u << 20;

}  // namespace

Result<std::string> Checkout::load(const std::string& name) const {
  const std::string path = folder_ + "/" + name;
  std::error_code error;
  if (!fs::exists(path, error))
    return fail(ErrorKind::NotFound, "{}: does not exist", printable(name));
  // A pipe would be waited for.
  if (!fs::is_regular_file(path, error))
    return fail(ErrorKind::Invalid, "{}: not a file", printable(name));
  const auto text = files::load_text(path, kLargestFile);
  if (!text)
    return fail(ErrorKind::Invalid, "{}: larger than {} MB or not readable", printable(name),
                kLargestFile >> 20);
  if (!is_utf8(*text)) return fail(ErrorKind::Invalid, "{}: not UTF-8", printable(name));
  return files::make_python_newlines(*text);
}

Result<Json> Checkout::load_json(const std::string& name) const {
  ASSIGN_OR_RETURN(const std::string text, load(name));
  auto value = parse_json(text);
  if (!value) return fail(ErrorKind::Invalid, "{}: {}", printable(name), value.error().message);
  if (!value->is_object())
    return fail(ErrorKind::Invalid, "{}: not a JSON object", printable(name));
  return value;
}

Result<std::vector<files::PythonAssignment>> Checkout::load_literals(
    const std::string& name, std::string_view variable) const {
  ASSIGN_OR_RETURN(const std::string text, load(name));
  const auto source = files::parse_python_source(text);
  if (!source) return fail(ErrorKind::Invalid, "{}: {}", name, source.error().message);
  std::vector<files::PythonAssignment> found;
  for (const files::PythonAssignment& assignment : source->assignments)
    if (assignment.name == variable) found.push_back(assignment);
  if (!found.empty()) return found;
  const auto gap = std::ranges::find(source->gaps, variable, &files::PythonGap::name);
  if (gap != source->gaps.end())
    return fail(ErrorKind::Invalid, "{}, line {}: {} is {}", name, gap->line, variable,
                gap->reason);
  return fail(ErrorKind::NotFound, "{}: no {} that can be read", name, variable);
}

std::vector<std::string> Checkout::list(const std::string& name) const {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder_ + "/" + name, error), end; !error && entry != end;
       entry.increment(error)) {
    std::string found = entry->path().filename().string();
    if (!found.starts_with('.')) names.push_back(std::move(found));
  }
  std::ranges::sort(names);
  return names;
}

bool Checkout::has(const std::string& name) const {
  std::error_code error;
  return fs::exists(folder_ + "/" + name, error);
}

Result<std::vector<std::string_view>> find_unused_names(
    std::string_view text, const std::vector<std::string_view>& names) {
  std::set<std::string_view> seen;
  for (std::size_t at = text.find_first_of("{}"); at != std::string_view::npos;
       at = text.find_first_of("{}", at)) {
    if (text.substr(at, 2) == "{{" || text.substr(at, 2) == "}}") {
      at += 2;
      continue;
    }
    const std::size_t end = text.find('}', at);
    if (text[at] == '}' || end == std::string_view::npos)
      return fail(ErrorKind::Invalid, "a brace has no counterpart");
    const std::string_view name = text.substr(at + 1, end - at - 1);
    if (std::ranges::find(names, name) == names.end())
      return fail(ErrorKind::Invalid, "{{{}}} is not one of its placeholders",
                  printable(shorten(name, 40)));
    seen.insert(name);
    at = end + 1;
  }
  std::vector<std::string_view> unused;
  for (const std::string_view name : names)
    if (!seen.contains(name)) unused.push_back(name);
  return unused;
}

}  // namespace personascope::eval::personagym
