#include "eval/input_file.hpp"

#include <algorithm>
#include <compare>
#include <vector>

#include "base/hash.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "files/line_reader.hpp"

namespace personascope::eval {
namespace {

// A hash instead of the id itself keeps a file of a million lines small.
struct IdPlace {
  std::uint64_t hash;
  std::int64_t line;
  auto operator<=>(const IdPlace&) const = default;
};

Result<void> check_ids_differ(const std::string& path, std::vector<IdPlace> ids) {
  std::ranges::sort(ids);
  const auto twin = std::ranges::adjacent_find(ids, {}, &IdPlace::hash);
  if (twin == ids.end()) return {};
  return fail(ErrorKind::Invalid, "{}, line {}: the same id as line {}; ids must differ",
              printable(path), std::next(twin)->line, twin->line);
}

}  // namespace

Json to_json(const InputFile& file) {
  return {{"input", file.path}, {"input_sha256", file.sha256}, {"lines", file.lines}};
}

std::optional<InputFile> find_input_file(const Json& plan) {
  auto path = find_text(plan, "input");
  auto hash = find_text(plan, "input_sha256");
  const auto lines = find_integer(plan, "lines");
  if (!path || !hash || !lines) return std::nullopt;
  return InputFile{std::move(*path), std::move(*hash), *lines};
}

Result<LineId> parse_id(const Json& line, const char* name) {
  const Json* id = find_member(line, name);
  const bool is_text = id && id->is_string() && !id->get<std::string>().empty();
  if (!is_text && !(id && id->is_number_integer()))
    return fail(ErrorKind::Invalid, "every line needs an \"id\" (text or a whole number)");
  const std::string json = render_json(*id);
  return LineId{is_text ? id->get<std::string>() : json, json};
}

Result<InputFile> check_input_file(
    const std::string& path, std::string_view what,
    const std::function<Result<std::string>(std::string_view)>& read) {
  if (path == "-")
    return fail(ErrorKind::Invalid,
                "the {} are read more than once, so they must be in a file, not in a pipe", what);
  ASSIGN_OR_RETURN(auto reader, files::LineReader::open(path));
  InputFile file{.path = path, .sha256 = {}, .lines = 0};
  Sha256 hash;
  std::vector<IdPlace> ids;
  for (;;) {
    ASSIGN_OR_RETURN(const auto line, reader.next());
    if (!line) break;
    const std::int64_t number = reader.line_number();
    const auto id = read(*line);
    const bool is_wrong =
        !id && (id.error().kind == ErrorKind::Invalid || id.error().kind == ErrorKind::Unparsable);
    if (!id && !is_wrong) return std::unexpected(id.error());  // the store's fault, say
    if (!id)
      return fail(ErrorKind::Invalid, "{}, line {}: {}", printable(path), number,
                  id.error().message);
    ids.push_back({Random(0, "id", *id).next(), number});
    hash.update(*line);
    hash.update("\n");
    ++file.lines;
  }
  if (file.lines == 0)
    return fail(ErrorKind::Invalid, "{} contains no {}; write one JSON object per line",
                printable(path), what);
  RETURN_IF_ERROR(check_ids_differ(path, std::move(ids)));
  file.sha256 = render_hex(hash.digest());
  return file;
}

}  // namespace personascope::eval
