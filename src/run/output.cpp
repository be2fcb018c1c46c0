#include "run/output.hpp"

namespace personascope::run {

Result<Output> Output::create(const std::string& path, std::string_view what,
                              const RunEnvironment& environment) {
  Output output;
  if (path == kStandardOutput) {
    if (!environment.write_output)
      return fail(ErrorKind::Invalid,
                  "the {} would go to standard output, which is in use; name a file with `output`",
                  what);
    output.write_output_ = environment.write_output;
  } else {
    ASSIGN_OR_RETURN(auto file, files::NewFile::create(path));
    output.file_.emplace(std::move(file));
  }
  return output;
}

Result<void> Output::write(std::string_view text) {
  return file_ ? file_->write(text) : write_output_(text);
}

Result<void> Output::commit() {
  return file_ ? file_->commit() : Result<void>{};
}

}  // namespace personascope::run
