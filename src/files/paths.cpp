#include "files/paths.hpp"

#include <filesystem>

#include "base/text.hpp"

namespace personascope::files {

std::string make_absolute(const std::string& path) {
  if (path == kStandardOutput) return path;
  std::error_code ignored;
  return std::filesystem::absolute(path, ignored).lexically_normal().string();
}

Result<void> check_not_same_file(const std::string& output, const std::string& source,
                                 std::string_view option) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (output == kStandardOutput || !fs::exists(output, ignored)) return {};
  const bool is_same = fs::equivalent(output, source, ignored);
  const fs::path inside = fs::canonical(output, ignored)
                              .lexically_relative(fs::canonical(
                                  fs::is_directory(source, ignored) ? source : output, ignored));
  const bool is_inside =
      !inside.empty() && *inside.begin() != ".." && inside != "." && inside.extension() != ".jsonl";
  if (!is_same && !is_inside) return {};
  return fail(ErrorKind::Invalid, "{} is an input of this run; name another file with `{}`",
              printable(output), option);
}

}  // namespace personascope::files
