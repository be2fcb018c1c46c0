#include "app/import.hpp"

#include <fmt/format.h>

#include "app/bundle.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/import_bench.hpp"
#include "cli/table.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kImportExamples = R"(  personascope import
  personascope import personagym ~/PersonaGym
  personascope import personagym ~/PersonaGym --name mine --force --json
  personascope import personalens ~/PersonaLens
  personascope import persona-bench prism.parquet personas.csv -o my-bench
  personascope import persona-bench --hub                     # the published sets; HF_TOKEN
  personascope import persona-bench --hub SynthLabsAI/PERSONA --revision main
  personascope import bundle run.zip               # a run, written by `personascope export --bundle`)";

struct ImportFlags {
  CommonFlags common;
  std::string kind;
  std::string name;
  bool force = false;
  app::BenchImport bench;  // its sources are also the other kinds'
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
  table.may_wrap(1);
  for (const app::ImportKind& kind : app::kImportKinds)
    table.add({std::string(kind.name), std::string(kind.takes), std::string(kind.default_name)});
  fmt::print(
      "{}\n`personascope import KIND PATH` imports one.\nImported files are read, never "
      "executed.\n",
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

Result<app::ImportCommand> folder_command(const ImportFlags& flags) {
  if (flags.bench.output || flags.bench.keep_duplicates || flags.bench.from_hub ||
      flags.bench.sources.size() > 1)
    return fail(ErrorKind::Invalid,
                "{} is imported from one folder, without --output, --keep-duplicates and --hub",
                flags.kind);
  return app::ImportCommand{flags.kind,
                            flags.bench.sources.empty() ? "" : flags.bench.sources.front(),
                            flags.name, flags.force};
}

void print_bundle(const app::BundleImport& imported) {
  if (imported.was_there) {
    fmt::print("The run is stored already, as run {}.\n", imported.run);
    return;
  }
  fmt::print("run {}: {}, {}{}\n", imported.run, imported.command,
             render_count(imported.items, "item"), imported.is_redacted ? ", without texts" : "");
  if (imported.differing_answers > 0)
    fmt::print(
        "{} of it have other answers in this store, which stay; its items keep their own "
        "texts.\n",
        render_count(imported.differing_answers, "call"));
}

int run_import_bundle(app::Context& context, const ImportFlags& flags) {
  if (flags.bench.sources.size() != 1 || flags.bench.output || flags.bench.keep_duplicates ||
      flags.bench.from_hub || flags.force || !flags.name.empty())
    return report({ErrorKind::Invalid,
                   "a bundle is imported from one file, without further flags: `personascope "
                   "import bundle FILE`"},
                  flags.common);
  return show(app::import_bundle(context, flags.bench.sources.front()), flags.common, print_bundle);
}

int run_import(const ImportFlags& flags) {
  if (flags.kind.empty()) return list_kinds(flags.common);
  if (const auto kind = app::find_import_kind(flags.kind); !kind)
    return report(kind.error(), flags.common);
  auto context = app::Context::create(flags.common.context);
  if (!context) return report(context.error(), flags.common);
  if (flags.kind == app::kBundle) return run_import_bundle(**context, flags);
  if (flags.kind == app::kPersonaBench) {
    app::BenchImport command = flags.bench;
    command.name = flags.name;
    command.force = flags.force;
    return run_import_bench(**context, command, flags.common);
  }
  const auto command = folder_command(flags);
  if (!command) return report(command.error(), flags.common);
  return show(app::import(**context, *command), flags.common, print_import);
}

}  // namespace

void add_import(CLI::App& program) {
  const auto flags = std::make_shared<ImportFlags>();
  CLI::App* command =
      add_command(program, "import",
                  "Import the files of a published benchmark as a pack, or a run from a bundle",
                  kImportExamples, [flags] { return run_import(*flags); });
  command->add_option("kind", flags->kind, "what to import (default: list what can be imported)")
      ->type_name("KIND");
  command
      ->add_option("path", flags->bench.sources,
                   "your own copy of it (persona-bench: files and folders)")
      ->type_name("PATH...");
  add_flag_with_value(*command, "--name", flags->name,
                      "name of the pack (default: benchmark-v1 for personagym, else the kind)")
      ->type_name("NAME");
  add_flag_with_value(*command, "-o,--output", flags->bench.output,
                      "persona-bench: folder to write to, instead of a pack")
      ->type_name("DIR");
  command->add_flag("--force", flags->force, "replace an existing pack or existing files")
      ->envname(variable_of("--force"));
  command
      ->add_flag("--keep-duplicates", flags->bench.keep_duplicates,
                 "persona-bench: keep repeated rows, so that row numbers stay the same")
      ->envname(variable_of("--keep-duplicates"));
  command->add_flag("--hub", flags->bench.from_hub,
                    "persona-bench: fetch data sets (OWNER/NAME) from the Hugging Face hub; none "
                    "named: PRISM-Filter and Synthetic-Personas");
  add_flag_with_value(*command, "--revision", flags->bench.revision,
                      "with --hub: a branch, tag or commit (main)")
      ->type_name("NAME");
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
