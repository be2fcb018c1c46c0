#include "app/paths.hpp"

#include "base/text.hpp"

namespace personascope::app {

Result<std::string> choose_new_output(std::int64_t run, const std::string& old,
                                      const std::optional<std::string>& wanted) {
  if (wanted) return make_absolute(*wanted);
  if (old == files::kStandardOutput) return old;
  return fail(ErrorKind::Invalid,
              "run {} has written {}; name another file with `output` (or - for standard output)",
              run, printable(old));
}

}  // namespace personascope::app
