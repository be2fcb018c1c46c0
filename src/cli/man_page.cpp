#include "cli/man_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "base/text.hpp"

namespace personascope::cli {
namespace {

constexpr std::string_view kOwnGroup = "Options";

// The code point at the start of the text, which is UTF-8, and how many bytes it takes.
std::pair<std::uint32_t, std::size_t> read_code_point(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t bytes = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  std::uint32_t code = bytes == 1 ? first : first & (0xFFu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes && i < text.size(); ++i)
    code = (code << 6) | (static_cast<unsigned char>(text[i]) & 0x3Fu);
  return {code, std::min(bytes, text.size())};
}

std::string render_flag(const FlagNode& flag) {
  std::vector<std::string> names;
  for (const std::string& name : flag.names) names.push_back("\\fB" + escape_roff(name) + "\\fR");
  std::string text = join(names, ", ");
  if (!flag.value.empty() && flag.names.front() != flag.value)
    text += " \\fI" + escape_roff(flag.value) + "\\fR";
  return text;
}

std::string render_entry(const FlagNode& flag) {
  return fmt::format(".TP\n{}\n{}{}\n", render_flag(flag), escape_roff(flag.help),
                     flag.required && flag.names.front().starts_with('-') ? "; required" : "");
}

// Flags that are the same everywhere are explained once.
bool is_common(const FlagNode& flag) {
  return std::ranges::any_of(flag.names, [](const std::string& name) {
    return name == "--store" || name == "--prices" || name == "--json" || name == "--quiet" ||
           name == "--help";
  });
}

void add_missing(std::vector<FlagNode>& flags, const FlagNode& flag) {
  const bool known =
      std::ranges::any_of(flags, [&](const FlagNode& other) { return other.names == flag.names; });
  if (!known) flags.push_back(flag);
}

std::string render_footer(const std::string& footer) {
  std::string text = ".PP\n.nf\n";
  for (const std::string_view line : split(footer, '\n')) text += escape_roff(line) + "\n";
  return text + ".fi\n";
}

std::string render_command(const CommandNode& node) {
  std::string text = fmt::format(".SS \"personascope {}\"\n{}.\n", escape_roff(node.path),
                                 escape_roff(node.summary));
  for (const FlagNode& argument : node.arguments) text += render_entry(argument);
  bool has_engine_flags = false;
  for (const FlagNode& flag : node.flags) {
    if (flag.group != kOwnGroup) has_engine_flags = true;
    if (flag.group == kOwnGroup && !is_common(flag)) text += render_entry(flag);
  }
  if (has_engine_flags) text += ".PP\nAlso the options that say how calls are made, see below.\n";
  if (!node.footer.empty()) text += render_footer(node.footer);
  return text;
}

constexpr std::string_view kExitStatus = R"(.SH EXIT STATUS
.TP
0
done
.TP
1
not done: a limit, a failure on the way, or more failed items than allowed
.TP
2
wrong use or bad input
.TP
100
done, but a threshold is missed
.TP
130
interrupted
)";

constexpr std::string_view kEnvironment = R"(.SH ENVIRONMENT
Every option is also a variable: \fB\-\-max\-cost\fR is \fBPERSONASCOPE_MAX_COST\fR.
.TP
\fBPERSONASCOPE_HOME\fR
the folder of the store, of imported packs and of prices.yaml
.TP
\fBPERSONASCOPE_DATA\fR, \fBPERSONASCOPE_MODELS\fR
other folders of the program's data and of embedded models
.TP
\fBOPENAI_API_KEY\fR and the like
keys of providers; \fBpersonascope models\fR lists them
)";

}  // namespace

std::string escape_roff(std::string_view text) {
  // A line that begins with a dot or an apostrophe would be a request.
  std::string escaped = !text.empty() && (text[0] == '.' || text[0] == '\'') ? "\\&" : "";
  while (!text.empty()) {
    const auto [code, bytes] = read_code_point(text);
    if (code >= 0x80)
      escaped += fmt::format("\\[u{:04X}]", code);
    else if (text[0] == '\\')
      escaped += "\\e";
    else if (text[0] == '-')
      escaped += "\\-";
    else if (text[0] == '"')
      escaped += "\\(dq";  // so that it is nothing special in the argument of a request
    else
      escaped += text[0];
    text.remove_prefix(bytes);
  }
  return escaped;
}

std::string render_man_page(const CommandNode& program, std::string_view version) {
  std::string text = fmt::format(
      ".TH PERSONASCOPE 1 \"\" \"personascope {}\" \"User Commands\"\n"
      ".SH NAME\npersonascope \\- measure how well models play, answer for and serve personas\n"
      ".SH SYNOPSIS\n.B personascope\n\\fICOMMAND\\fR [\\fICOMMAND\\fR] [\\fIoptions\\fR]\n"
      ".SH DESCRIPTION\n{}\n",
      escape_roff(version), escape_roff(program.summary));
  text += ".SH COMMANDS\n";
  std::vector<FlagNode> common;
  std::vector<FlagNode> engine;
  for (const CommandNode* node : list_nodes(program)) {
    for (const FlagNode& flag : node->flags)
      if (is_common(flag))
        add_missing(common, flag);
      else if (flag.group != kOwnGroup)
        add_missing(engine, flag);
    if (node != &program) text += render_command(*node);
  }
  text += ".SH OPTIONS OF EVERY COMMAND\n";
  for (const FlagNode& flag : common) text += render_entry(flag);
  text += ".SH HOW CALLS ARE MADE\n";
  for (const FlagNode& flag : engine) text += render_entry(flag);
  text += kExitStatus;
  text += kEnvironment;
  return text;
}

}  // namespace personascope::cli
