#include "app/doctor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/table.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kExamples =
    R"(  personascope doctor
  personascope doctor --model openai/gpt-4o    # also sends one tiny request)";

struct DoctorFlags {
  CommonFlags common;
  std::optional<std::string> model;
  std::optional<std::string> base_url;
};

Cell mark_of(app::Health health) {
  switch (health) {
    case app::Health::Good:
      return {"ok", Colour::Green};
    case app::Health::Note:
      return {"note", Colour::Yellow};
    case app::Health::Bad:
      return {"bad", Colour::Red};
  }
  return {"bad", Colour::Red};
}

int examine(const DoctorFlags& flags) {
  const auto findings = app::examine(flags.common.context, flags.model, flags.base_url);
  const bool bad = std::ranges::any_of(
      findings, [](const app::Finding& finding) { return finding.health == app::Health::Bad; });
  if (flags.common.json) {
    Json list = Json::array();
    for (const app::Finding& finding : findings) list.push_back(app::to_json(finding));
    print_json({{"healthy", !bad}, {"findings", list}});
    return bad ? kNotDone : kDone;
  }
  Table table({"", "what", "found"});
  for (const app::Finding& finding : findings)
    table.add({mark_of(finding.health), printable(finding.what),
               printable(finding.detail) + (finding.remedy.empty() ? "" : "; " + finding.remedy)});
  fmt::print("{}", table.render());
  return bad ? kNotDone : kDone;
}

}  // namespace

void add_doctor(CLI::App& program) {
  const auto flags = std::make_shared<DoctorFlags>();
  CLI::App* command =
      add_command(program, "doctor", "Say what works on this machine and how to mend the rest",
                  kExamples, [flags] { return examine(*flags); });
  add_flag_with_value(*command, "-m,--model", flags->model,
                      "also try this model with one tiny request")
      ->type_name("MODEL");
  add_flag_with_value(*command, "--base-url", flags->base_url, "another address for the provider")
      ->type_name("URL");
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
