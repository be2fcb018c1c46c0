#include "app/doctor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/option_flags.hpp"
#include "cli/table.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kDoctorExamples =
    R"(  personascope doctor
  personascope doctor --model openai/gpt-4o          # is its key there, its address in order?
  personascope doctor --model openai/gpt-4o --ask    # and does it answer? Sends one tiny request)";

struct DoctorFlags {
  CommonFlags common;
  std::optional<std::string> model;
  std::optional<std::string> base_url;
  bool ask = false;
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
  if (flags.ask && !flags.model)
    return report({ErrorKind::Invalid, "--ask needs a model; name it with --model"}, flags.common);
  std::optional<app::ModelCheck> check;
  if (flags.model) check = app::ModelCheck{*flags.model, flags.base_url, flags.ask};
  auto findings = app::examine(flags.common.context, check);
  for (app::Finding& finding : findings) {
    finding.detail = name_flags(finding.detail, {});
    finding.remedy = name_flags(finding.remedy, {});
  }
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
  table.may_wrap(2);
  fmt::print("{}", table.render());
  return bad ? kNotDone : kDone;
}

}  // namespace

void add_doctor(CLI::App& program) {
  const auto flags = std::make_shared<DoctorFlags>();
  CLI::App* command = add_command(program, "doctor",
                                  "Check what works on this machine, and say how to fix the rest",
                                  kDoctorExamples, [flags] { return examine(*flags); });
  add_flag_with_value(*command, "-m,--model", flags->model,
                      "also check whether this model could be asked")
      ->type_name("MODEL");
  add_flag_with_value(*command, "--base-url", flags->base_url,
                      "address of the model, if not its provider's usual one")
      ->type_name("URL");
  // No variable: what is paid for is typed.
  command->add_flag("--ask", flags->ask,
                    "send the model one tiny request, which its provider may charge for");
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
