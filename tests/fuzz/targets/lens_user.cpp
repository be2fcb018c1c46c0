// A lens user's profile and tasks, as files of other people's hold them.
#include "eval/personalens/user.hpp"

#include "property.hpp"

using namespace personascope;
namespace lens = personascope::eval::personalens;

FUZZ_TARGET(lens_user, bytes) {
  const auto [profile, tasks] = fuzz::cut(bytes);
  const auto user = lens::parse_user(profile, "profile.json", 1);
  if (fuzz::succeeds(user)) {
    const std::string written = lens::render_user(*user);
    const auto again = lens::parse_user(written, "profile.json", 1);
    fuzz::require(again && lens::render_user(*again) == written, "a user reads back the same");
  }
  for (const lens::Span span : {lens::Span::Single, lens::Span::Multi}) {
    const auto list = lens::parse_tasks(tasks, "tasks.json", span);
    if (!fuzz::succeeds(list)) continue;
    const std::string written = lens::render_tasks(*list);
    const auto again = lens::parse_tasks(written, "tasks.json", span);
    fuzz::require(again && lens::render_tasks(*again) == written, "tasks read back the same");
  }
}
