// A file of JSON lines that a run works through: checked as a whole before anything is spent.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "base/result.hpp"

namespace personascope::eval {

struct InputFile {
  std::string path;
  std::string sha256;
  std::int64_t lines = 0;
};

// As plans store it; other members may stand beside it.
Json to_json(const InputFile& file);
std::optional<InputFile> find_input_file(const Json& plan);

struct LineId {
  std::string text;
  std::string json;  // as the line has it: "7" and 7 are the same id, and come back as they were
};

// The line's id under that name: text or a whole number, which means itself.
Result<LineId> parse_id(const Json& line, const char* name);

// Reads the file once; `read` checks a line and gives its id. The first line that is wrong, an id
// that is there twice, or a file without lines fails as Invalid, with its place; `what` is what the
// file should hold ("requests").
Result<InputFile> check_input_file(
    const std::string& path, std::string_view what,
    const std::function<Result<std::string>(std::string_view)>& read);

}  // namespace personascope::eval
