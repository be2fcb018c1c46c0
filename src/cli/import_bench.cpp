#include "cli/import_bench.hpp"

#include <fmt/format.h>

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

void print_found(const Json& found) {
  print_files(found);
  fmt::print("\n");
  if (const auto again = find_integer(found, "seen_again"); again.value_or(0) > 0)
    fmt::print("personas and questions that other rows had too: {}\n", render_count(*again));
  print_names("questions are from the column", found["question_columns"]);
  print_names("attributes of the 33 that nobody has", found["missing_attributes"]);
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
  const auto found = app::import_bench(context, command);
  if (!found) return report(found.error(), flags);
  if (flags.json)
    print_json(*found);
  else
    print_found(*found);
  return kDone;
}

}  // namespace personascope::cli
