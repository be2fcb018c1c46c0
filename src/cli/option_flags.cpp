#include "cli/option_flags.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "app/catalog.hpp"
#include "base/text.hpp"

namespace personascope::cli {
namespace {

// Flags of commands that are not in the catalog and are named in messages of other layers.
constexpr std::array<std::string_view, 23> kFlagsWithoutRow{
    "allow_cached", "anyway",     "ask",   "prices",     "between", "cluster", "columns",
    "correlation",  "difference", "force", "half_width", "hub",     "human",   "id",
    "judge",        "output",     "scale", "score",      "since",   "store",   "trust_addresses",
    "unscored",     "within"};

using core::OptionKind;
using core::OptionSpec;

std::string list_names(const OptionSpec& spec) {
  if (spec.positional) return spec.value;
  const std::string flag = core::flag_of(spec);
  return spec.short_flag.empty() ? flag : fmt::format("-{},{}", spec.short_flag, flag);
}

CLI::Validator make_check(const OptionSpec& spec) {
  return {[spec](std::string& text) -> std::string {
            const auto value = core::parse_option_text(spec, text, "");
            return value ? "" : std::string(trim(value.error().message));
          },
          ""};
}

// Several models under test make a study of one run each.
bool makes_study(const OptionSpec& spec) {
  return spec.name == "model" && spec.kind == OptionKind::Text && !spec.positional;
}

CLI::Option* add_names(CLI::App& command, const std::string& names, const OptionSpec& spec,
                       const std::string& help, const TakeValue& take) {
  if (spec.kind == OptionKind::Switch)
    return command.add_flag_function(
        names, [spec, take](std::int64_t count) { take(spec, count > 0); }, help);
  const bool is_list = spec.kind == OptionKind::Texts || makes_study(spec);
  const CLI::callback_t callback = [spec, take, is_list](const CLI::results_t& results) {
    Json all = Json::array();
    for (const std::string& text : results) {
      const auto value = core::parse_option_text(spec, text, "");
      if (!value) return false;
      all.push_back(is_list ? Json(text) : *value);
    }
    if (spec.kind == OptionKind::Texts || all.size() > 1)
      take(spec, std::move(all));
    else
      take(spec, all[0]);
    return true;
  };
  CLI::Option* option = command.add_option(names, callback, help)->check(make_check(spec));
  if (is_list) option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  option->type_name(spec.kind == OptionKind::Choice ? join(spec.choices, "|") : spec.value);
  return option;
}

}  // namespace

void add_option_flags(CLI::App& command, const std::vector<OptionSpec>& options,
                      const TakeValue& take) {
  std::map<std::string, CLI::Option*> added;
  for (const OptionSpec& spec : options) {
    const std::string help = name_flags(core::describe(spec), options);
    CLI::Option* option = add_names(command, list_names(spec), spec, help, take);
    if (spec.required) option->required();
    if (spec.positional) option->type_name("");
    if (spec.from_variable && !spec.positional) option->envname(core::variable_of(spec));
    if (spec.hidden)
      option->group("");
    else if (!spec.group.empty())
      option->group(spec.group);
    for (const std::string& alias : spec.aliases)
      add_names(command, alias, spec, "", take)->group("");
    added[spec.name] = option;
  }
  for (const OptionSpec& spec : options)
    for (const std::string& other : spec.excludes)
      if (const auto found = added.find(other); found != added.end())
        added[spec.name]->excludes(found->second);
}

void add_option_flags(CLI::App& command, const std::vector<OptionSpec>& options, Json& given) {
  add_option_flags(command, options, [&given](const OptionSpec& spec, Json value) {
    Json& member = given[spec.name];
    // Of two spellings of the same list, both count.
    if (member.is_array() && value.is_array())
      member.insert(member.end(), value.begin(), value.end());
    else
      member = std::move(value);
  });
}

std::string name_flags(std::string_view text, const std::vector<OptionSpec>& options) {
  return core::rename_options(text, [&](std::string_view name) -> std::optional<std::string> {
    const auto own = std::ranges::find(options, name, &OptionSpec::name);
    if (own != options.end()) return core::flag_of(*own);
    if (const auto other = app::find_option(name)) return core::flag_of(*other);
    if (std::ranges::find(kFlagsWithoutRow, name) != kFlagsWithoutRow.end())
      return "--" + replace_all(name, "_", "-");
    return std::nullopt;
  });
}

}  // namespace personascope::cli
