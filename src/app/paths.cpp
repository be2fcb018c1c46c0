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

Result<void> check_not_same_file(const std::string& output, const std::string& source) {
  std::error_code ignored;
  if (!std::filesystem::equivalent(output, source, ignored)) return {};
  return fail(ErrorKind::Invalid, "{} is what is read; name another file with -o",
              printable(output));
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
