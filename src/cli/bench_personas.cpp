#include "app/bench_personas.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "base/text.hpp"
#include "cli/bench.hpp"
#include "cli/table.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kExamples =
    R"(  personascope bench personas --count 300 --seed 1 -o personas.jsonl
  personascope bench personas --count 5                # to standard output
  personascope bench main --personas personas.jsonl --model openai/gpt-4o-mini --judge openai/gpt-4o

All 33 attributes, drawn from shares, lists and rules in data/bench. The same seed gives the same
personas, and a larger count only adds to them.)";

struct Flags {
  CommonFlags common;
  app::PersonasCommand command;
};

std::string render_share(const Json& row, const char* member) {
  const auto value = find_number(row, member);
  return value ? fmt::format("{:.2f}", *value) : "-";
}

void print_report(const Json& report) {
  using enum Align;
  Table table({"attribute", "values", "possible", "coverage", "evenness"},
              {Left, Right, Right, Right, Right});
  for (const Json& row : report["attributes"]) {
    const auto possible = find_integer(row, "possible");
    table.add({printable(row["attribute"].get<std::string>()),
               render_count(find_integer(row, "distinct").value_or(0)),
               possible ? render_count(*possible) : "-", render_share(row, "coverage"),
               render_share(row, "evenness")});
  }
  std::int64_t anew = 0;
  for (const auto& [rule, count] : report["drawn_anew"].items()) anew += count.get<std::int64_t>();
  fmt::print(stderr,
             "{}{} personas, {} of them duplicates; {} draws broke a rule and were repeated\n",
             table.render(), render_count(find_integer(report, "personas").value_or(0)),
             render_count(find_integer(report, "duplicates").value_or(0)), render_count(anew));
}

Result<void> write_line(std::string_view line) {
  if (std::fwrite(line.data(), 1, line.size(), stdout) == line.size()) return {};
  return fail(ErrorKind::Storage, "standard output cannot be written");
}

int draw(const Flags& flags) {
  if (flags.common.json && flags.command.output.value_or("-") == "-")
    return report({ErrorKind::Invalid, "with --json, name a file for the personas with -o"},
                  flags.common);
  auto context = app::Context::create(flags.common.context);
  if (!context) return report(context.error(), flags.common);
  const auto drawn = app::draw_personas(**context, flags.command, write_line);
  if (!drawn) return report(drawn.error(), flags.common);
  if (flags.common.json)
    print_json(*drawn);
  else if (!flags.common.quiet)
    print_report(*drawn);
  return kDone;
}

}  // namespace

void add_bench_personas(CLI::App& bench) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* command = add_command(bench, "personas", "Draw personas of 33 attributes by lot",
                                  kExamples, [flags] { return draw(*flags); });
  add_flag_with_value(*command, "--count", flags->command.count, "how many (300)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000));
  add_flag_with_value(*command, "--seed", flags->command.seed, "of every draw (0)")->type_name("N");
  add_flag_with_value(*command, "-o,--output", flags->command.output,
                      "a JSONL file; - for standard output (-)")
      ->type_name("FILE");
  add_flag_with_value(*command, "--tables", flags->command.tables,
                      "a folder with tables, lists and rules of your own, as data/bench has them")
      ->type_name("DIR");
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
