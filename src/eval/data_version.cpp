#include "eval/data_version.hpp"

#include <filesystem>
#include <vector>

#include "base/text.hpp"

namespace personascope::eval {

Result<std::string> find_data_version(const std::string& folder, std::int64_t newest,
                                      const std::optional<std::int64_t>& wanted) {
  if (!wanted || *wanted == newest) return folder;
  std::vector<std::string> known;
  for (std::int64_t version = 1; version < newest; ++version) {
    std::string older = fmt::format("{}/v{}", folder, version);
    std::error_code ignored;
    if (!std::filesystem::is_directory(older, ignored)) continue;
    if (version == *wanted) return older;
    known.push_back(std::to_string(version));
  }
  known.push_back(std::to_string(newest));
  return fail(ErrorKind::NotFound, "{} has no version {} of its data (`data_version`); it has {}",
              printable(folder), *wanted, join(known, " and "));
}

}  // namespace personascope::eval
