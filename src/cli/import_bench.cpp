#include "cli/import_bench.hpp"

#include <fmt/format.h>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "cli/table.hpp"

namespace personascope::cli {
namespace {

constexpr std::size_t kPlacesInALine = 3;

std::string count_of(const Json& holder, const char* member) {
  return render_count(find_integer(holder, member).value_or(0));
}

void print_files(const Json& found) {
  using enum Align;
  Table table({"file", "rows", "personas", "questions"}, {Left, Right, Right, Right});
  for (const Json& file : found["files"])
    table.add({printable(file["path"].get<std::string>()), count_of(file, "rows"),
               count_of(file, "personas"), count_of(file, "questions")});
  if (found["files"].size() > 1)
    table.add({std::string("all"), std::string(), count_of(found, "personas"),
               count_of(found, "questions")});
  fmt::print("{}", table.render());
}

void print_names(std::string_view heading, const Json& names) {
  if (names.empty()) return;
  std::vector<std::string> shown;
  for (const Json& name : names) shown.push_back(printable(name.get<std::string>()));
  fmt::print("{}: {}\n", heading, join(shown, ", "));
}

void print_notes(std::string_view heading, const Json& notes) {
  if (notes.empty()) return;
  fmt::print("\n{}\n", paint(stdout, Colour::Yellow, heading));
  for (const Json& note : notes) {
    std::vector<std::string> places;
    for (const Json& place : note["places"])
      if (places.size() < kPlacesInALine) places.push_back(printable(place.get<std::string>()));
    const std::int64_t rest =
        find_integer(note, "count").value_or(0) - static_cast<std::int64_t>(places.size());
    fmt::print("  {} × {} ({}{})\n", count_of(note, "count"),
               printable(note["reason"].get<std::string>()), join(places, "; "),
               rest > 0 ? fmt::format("; and {} more", render_count(rest)) : "");
  }
}

// A download on standard error: a live line on a terminal, a line a file elsewhere.
class FetchLine {
 public:
  explicit FetchLine(bool quiet) : quiet_(quiet), live_(has_escapes(stderr)) {}

  void show(const app::HubProgress& progress) {
    if (quiet_) return;
    const std::string text =
        fmt::format("{} {} of {}", printable(progress.file), render_megabytes(progress.bytes),
                    render_megabytes(progress.size));
    if (progress.is_done) {
      clear();
      say("{}\n", text);
    } else if (live_ && SteadyClock::now() >= next_) {
      next_ = SteadyClock::now() + kEvery;
      say("\r\033[K{} {}", render_gauge(progress), shorten(text, columns(stderr) - 26));
      is_drawn_ = true;
    }
  }

  void clear() {
    if (is_drawn_) say("\r\033[K");
    is_drawn_ = false;
  }

 private:
  static constexpr milliseconds kEvery{100};
  static constexpr std::uint64_t kGaugeCells = 20;

  static std::string render_megabytes(std::uint64_t bytes) {
    return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
  }
  static std::string render_gauge(const app::HubProgress& progress) {
    const std::uint64_t full = progress.size ? kGaugeCells * progress.bytes / progress.size : 0;
    std::string gauge = "[";
    for (std::uint64_t i = 0; i < kGaugeCells; ++i) gauge += i < full ? "█" : "·";
    return gauge + "]";
  }

  bool quiet_;
  bool live_;
  bool is_drawn_ = false;
  TimePoint next_{};
};

void print_found(const Json& found) {
  print_files(found);
  fmt::print("\n");
  if (const auto again = find_integer(found, "seen_again"); again.value_or(0) > 0)
    fmt::print("repeated personas and questions: {}\n", render_count(*again));
  print_names("questions are from the column", found["question_columns"]);
  print_names("attributes of the 33 that no persona has", found["missing_attributes"]);
  print_names("further columns, kept as attributes", found["further_attributes"]);
  print_names("columns not used", found["unused_columns"]);
  print_notes("dropped", found["dropped"]);
  print_notes("odd, but kept", found["odd"]);
  std::string flags;
  if (const auto file = find_text(found, "personas_file"))
    flags += " --personas " + printable(*file);
  if (const auto file = find_text(found, "questions_file"))
    flags += " --questions " + printable(*file);
  fmt::print("\nTo use them: personascope bench main{}\n", flags);
}

}  // namespace

int run_import_bench(const app::Context& context, const app::BenchImport& command,
                     const CommonFlags& flags) {
  FetchLine line(flags.quiet);
  const auto found = app::import_bench(
      context, command, [&](const app::HubProgress& progress) { line.show(progress); });
  line.clear();
  if (!found) return report(found.error(), flags);
  if (flags.json)
    print_json(*found);
  else
    print_found(*found);
  return kDone;
}

}  // namespace personascope::cli
