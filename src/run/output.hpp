// Where a run's lines go: a file that appears when it is whole, or standard output.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "files/text_file.hpp"
#include "run/environment.hpp"

namespace personascope::run {

// Standard output, as a file name.
inline constexpr std::string_view kStandardOutput = "-";

class Output {
 public:
  // `path` is kStandardOutput or a file. Fails as Invalid if it cannot be written there; `what` is
  // what would go there ("answers").
  static Result<Output> create(const std::string& path, std::string_view what,
                               const RunEnvironment& environment);

  Result<void> write(std::string_view text);
  Result<void> commit();

 private:
  std::optional<files::NewFile> file_;
  std::function<Result<void>(std::string_view)> write_output_;
};

}  // namespace personascope::run
