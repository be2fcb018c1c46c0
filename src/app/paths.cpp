#include "app/paths.hpp"

#include <filesystem>

#include "base/text.hpp"
#include "run/output.hpp"

namespace personascope::app {

std::string make_absolute(const std::string& path) {
  if (path == run::kStandardOutput) return path;
  std::error_code ignored;
  return std::filesystem::absolute(path, ignored).lexically_normal().string();
}

Result<void> check_not_same_file(const std::string& output, const std::string& source,
                                 std::string_view flag) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (output == run::kStandardOutput || !fs::exists(output, ignored)) return {};
  const bool is_same = fs::equivalent(output, source, ignored);
  const fs::path inside = fs::canonical(output, ignored)
                              .lexically_relative(fs::canonical(
                                  fs::is_directory(source, ignored) ? source : output, ignored));
  const bool is_inside =
      !inside.empty() && *inside.begin() != ".." && inside != "." && inside.extension() != ".jsonl";
  if (!is_same && !is_inside) return {};
  return fail(ErrorKind::Invalid, "{} is what is read; name another file with {}",
              printable(output), flag);
}

Result<std::string> choose_new_output(std::int64_t run, const std::string& old,
                                      const std::optional<std::string>& wanted) {
  if (wanted) return make_absolute(*wanted);
  if (old == run::kStandardOutput) return old;
  return fail(ErrorKind::Invalid,
              "run {} has written {}; name another file with -o (or - for standard output)", run,
              printable(old));
}

}  // namespace personascope::app
