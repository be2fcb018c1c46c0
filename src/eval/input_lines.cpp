#include "eval/input_lines.hpp"

#include "base/text.hpp"

namespace personascope::eval {

Result<std::string> InputLines::read(std::int64_t place) {
  if (!reader_ || place < next_) {
    ASSIGN_OR_RETURN(reader_, files::LineReader::open(file_.path));
    next_ = 0;
  }
  for (;;) {
    ASSIGN_OR_RETURN(auto line, reader_->next());
    if (!line)
      return fail(ErrorKind::Invalid, "{} has changed: it has {} lines instead of {}",
                  printable(file_.path), next_, file_.lines);
    if (next_++ == place) return std::move(*line);
  }
}

Error InputLines::make_change_error(const std::string& why) const {
  return {ErrorKind::Invalid,
          fmt::format("line {} of {} has changed: {}", reader_ ? reader_->line_number() : 0,
                      printable(file_.path), why)};
}

}  // namespace personascope::eval
