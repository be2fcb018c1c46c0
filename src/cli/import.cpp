#include "app/import.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/table.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kExamples = R"(  personascope import
  personascope import personagym ~/PersonaGym
  personascope import personagym ~/PersonaGym --name mine --force --json
  personascope import personalens ~/PersonaLens)";

struct ImportFlags {
  CommonFlags common;
  app::ImportCommand command;
};

int list_kinds(const CommonFlags& flags) {
  if (flags.json) {
    Json kinds = Json::array();
    for (const app::ImportKind& kind : app::kImportKinds)
      kinds.push_back({{"kind", kind.name}, {"takes", kind.takes}, {"pack", kind.default_name}});
    print_json({{"kinds", kinds}});
    return kDone;
  }
  Table table({"import", "takes", "as pack"});
  for (const app::ImportKind& kind : app::kImportKinds)
    table.add({std::string(kind.name), std::string(kind.takes), std::string(kind.default_name)});
  fmt::print("{}\n`personascope import KIND FOLDER` imports one; nothing of it is run.\n",
             table.render());
  return kDone;
}

void print_lines(std::string_view heading, const std::vector<std::string>& lines, Colour colour) {
  if (lines.empty()) return;
  fmt::print("\n{}\n", paint(stdout, colour, heading));
  for (const std::string& line : lines) fmt::print("  {}\n", printable(line));
}

void print_import(const app::Import& imported) {
  using enum Align;
  Table table({"found", ""}, {Left, Right});
  for (const app::FoundCount& found : imported.found)
    table.add({Cell(std::string(found.label)), render_count(static_cast<long long>(found.count))});
  fmt::print("{}", table.render());
  print_lines("missing", imported.missing, Colour::Yellow);
  print_lines("odd", imported.odd, Colour::Yellow);
  fmt::print("\npack {} is in {}\n", imported.name, printable(imported.folder));
}

int run_import(const ImportFlags& flags) {
  if (flags.command.kind.empty()) return list_kinds(flags.common);
  auto context = app::Context::create(flags.common.context);
  if (!context) return report(context.error(), flags.common);
  return show(app::import(**context, flags.command), flags.common, print_import);
}

}  // namespace

void add_import(CLI::App& program) {
  const auto flags = std::make_shared<ImportFlags>();
  CLI::App* command = add_command(program, "import", "Make a pack of a published benchmark's files",
                                  kExamples, [flags] { return run_import(*flags); });
  command->add_option("kind", flags->command.kind, "what to import; none: list what can be")
      ->type_name("KIND");
  command->add_option("folder", flags->command.source, "where it is: your own copy")
      ->type_name("FOLDER");
  add_flag_with_value(*command, "--name", flags->command.name,
                      "of the pack (personagym: benchmark-v1; personalens: personalens)")
      ->type_name("NAME");
  command->add_flag("--force", flags->command.force, "replace a pack of that name")
      ->envname(variable_of("--force"));
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
