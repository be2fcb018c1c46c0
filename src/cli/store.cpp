#include <fmt/format.h>

#include "app/store_care.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kStoreExamples =
    R"(  personascope store check       # is every stored answer what it was?
  personascope store compact     # give the space of deleted runs back)";
constexpr const char* kCheckExamples = R"(  personascope store check
  personascope store check --store results.db --json)";
constexpr const char* kCompactExamples = R"(  personascope store compact)";

std::string render_size(std::int64_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

int check(const CommonFlags& flags) {
  auto context = app::Context::create(flags.context);
  if (!context) return report(context.error(), flags);
  const bool is_live = is_terminal(stderr) && !flags.quiet;
  const auto found = app::check_store(**context, [&](std::int64_t answers) {
    if (is_live) say("\r{} answers checked\x1b[K", render_count(answers));
  });
  if (is_live) say("\r\x1b[K");
  if (!found) return report(found.error(), flags);
  if (flags.json) {
    print_json(app::to_json(*found));
    return found->is_sound() ? kDone : kNotDone;
  }
  for (const std::string& fault : found->faults) fmt::print("the file: {}\n", printable(fault));
  for (const std::string& item : found->damaged_items)
    fmt::print("damaged: the answer for {}\n", printable(item));
  fmt::print("{}: {}\n", render_count(found->answers, "answer"),
             found->is_sound() ? "all sound"
                               : render_count(found->damaged_items.size()) +
                                     " damaged; runs that need them will ask again");
  if (found->without_checksum > 0)
    fmt::print("{} of version 0.1 have no checksum, so only their format was checked\n",
               render_count(found->without_checksum));
  return found->is_sound() ? kDone : kNotDone;
}

int compact(const CommonFlags& flags) {
  auto context = app::Context::create(flags.context);
  if (!context) return report(context.error(), flags);
  const auto done = app::compact_store(**context);
  if (!done) return report(done.error(), flags);
  if (flags.json)
    print_json({{"bytes_before", done->before}, {"bytes_after", done->after}});
  else
    fmt::print("{} before, {} now\n", render_size(done->before), render_size(done->after));
  return kDone;
}

}  // namespace

void add_store(CLI::App& program) {
  CLI::App* group = add_group(program, "store", "Verify or compact the store", kStoreExamples);
  const auto checking = std::make_shared<CommonFlags>();
  add_common_flags(*add_command(*group, "check", "Verify every stored answer by its checksum",
                                kCheckExamples, [checking] { return check(*checking); }),
                   *checking);
  const auto compacting = std::make_shared<CommonFlags>();
  add_common_flags(*add_command(*group, "compact", "Rewrite the file without deleted data",
                                kCompactExamples, [compacting] { return compact(*compacting); }),
                   *compacting);
}

}  // namespace personascope::cli
