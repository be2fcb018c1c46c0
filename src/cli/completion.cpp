#include "cli/completion.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace personascope::cli {
namespace {

// For all three shells: what is in single quotes is taken as it is.
std::string quote(const std::string& text) {
  return "'" + replace_all(text, "'", "'\\''") + "'";
}

std::string quote_for_fish(const std::string& text) {
  return "'" + replace_all(replace_all(text, "\\", "\\\\"), "'", "\\'") + "'";
}

std::vector<std::string> child_names(const CommandNode& node) {
  std::vector<std::string> names;
  for (const CommandNode& child : node.children) names.push_back(child.name);
  return names;
}

std::vector<std::string> flag_names(const CommandNode& node) {
  std::vector<std::string> names;
  for (const FlagNode& flag : node.flags)
    names.insert(names.end(), flag.names.begin(), flag.names.end());
  return names;
}

// What stands before the last word, and the word: " gym", "gym run". The shells follow the command
// line with them.
std::vector<std::string> list_steps(const CommandNode& program) {
  std::vector<std::string> steps;
  for (const CommandNode* node : list_nodes(program))
    for (const CommandNode& child : node->children) steps.push_back(node->path + " " + child.name);
  return steps;
}

std::string estimated() {
  std::vector<std::string> names;
  for (const std::string_view name : kEstimatedCommands) names.emplace_back(name);
  return join(names, " ");
}

// The two parts that bash and zsh write alike. `word` is the shell's name for the word at hand.
std::string render_steps(const CommandNode& program, std::string_view word) {
  std::vector<std::string> steps;
  for (const std::string& step : list_steps(program)) steps.push_back(quote(step));
  return fmt::format("      {})\n        where=\"${{where:+$where }}{}\" ;;\n    esac\n  done\n",
                     join(steps, "|"), word);
}

using RenderAction = std::string (*)(const FlagNode& flag, const ModelNames& models);

std::string render_flag_values(const CommandNode& program, const ModelNames& models,
                               RenderAction render_action) {
  std::string text = "  if [[ $before != help ]]; then\n    case \"$where:$prev\" in\n";
  for (const CommandNode* node : list_nodes(program))
    for (const FlagNode& flag : node->flags) {
      if (flag.value.empty()) continue;
      std::vector<std::string> patterns;
      for (const std::string& name : flag.names) patterns.push_back(quote(node->path + ":" + name));
      text += fmt::format("      {}) {}; return ;;\n", join(patterns, "|"),
                          render_action(flag, models));
    }
  return text + "    esac\n  fi\n";
}

// ---- bash ----

std::string render_bash_action(const FlagNode& flag, const ModelNames& models) {
  switch (flag.kind) {
    case ValueKind::File:
      return "_personascope_files -f";
    case ValueKind::Folder:
      return "_personascope_files -d";
    case ValueKind::Choice:
      return "_personascope_words " + quote(join(flag.choices, " "));
    case ValueKind::Model:
      return "_personascope_words " + quote(join(models, " "));
    case ValueKind::None:
    case ValueKind::Text:
      break;
  }
  return ":";
}

constexpr std::string_view kBashHead =
    R"(# bash completion for personascope, made by `personascope completion bash`

_personascope_words() {
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
}

_personascope_files() {
  local IFS=$'\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen "$1" -- "$cur"))
}

_personascope() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} where= before= i
  COMPREPLY=()
  # --flag=value is three words here.
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ $i == 1 && ${COMP_WORDS[i]} == @(estimate|help) ]]; then
      before=${COMP_WORDS[i]}
      continue
    fi
    case "$where ${COMP_WORDS[i]}" in
)";

}  // namespace

std::string render_bash_completion(const CommandNode& program, const ModelNames& models) {
  std::string text{kBashHead};
  text += render_steps(program, "${COMP_WORDS[i]}");
  text += render_flag_values(program, models, render_bash_action);
  text += fmt::format(
      "  if [[ $before == estimate && -z $where ]]; then\n"
      "    _personascope_words {}\n    return\n  fi\n",
      quote(estimated()));
  // Flags, commands and arguments.
  text += "  case \"$where\" in\n";
  for (const CommandNode* node : list_nodes(program)) {
    text += fmt::format("    {})\n", quote(node->path));
    text += fmt::format(
        "      if [[ $cur == -* && $before != help ]]; then\n"
        "        _personascope_words {}\n",
        quote(join(flag_names(*node), " ")));
    if (!node->children.empty())
      text += fmt::format("      else\n        _personascope_words {}\n",
                          quote(join(child_names(*node), " ")));
    else if (!node->arguments.empty())
      text += fmt::format("      elif [[ $before != help ]]; then\n        {}\n",
                          render_bash_action(node->arguments.front(), models));
    text += "      fi ;;\n";
  }
  return text + "  esac\n}\n\ncomplete -F _personascope personascope\n";
}

// ---- zsh ----

namespace {

std::string render_zsh_action(const FlagNode& flag, const ModelNames& models) {
  switch (flag.kind) {
    case ValueKind::File:
      return "_files";
    case ValueKind::Folder:
      return "_files -/";
    case ValueKind::Choice:
      return "compadd -- " + join(flag.choices, " ");
    case ValueKind::Model: {
      std::vector<std::string> names;
      for (const std::string& name : models) names.push_back(quote(name));
      return "compadd -- " + join(names, " ");
    }
    case ValueKind::None:
    case ValueKind::Text:
      break;
  }
  return "_message " + quote(flag.value);
}

// 'name:what it does', as _describe takes it.
std::string describe(const std::string& name, const std::string& help) {
  return quote(replace_all(name, ":", "\\:") + ":" + help);
}

constexpr std::string_view kZshHead = R"(#compdef personascope
# zsh completion for personascope, made by `personascope completion zsh`

_personascope() {
  local cur=$words[CURRENT] prev=$words[CURRENT-1] where= before= i
  local -a flags commands
  if [[ $cur == --*=* ]]; then
    prev=${cur%%=*}
    compset -P '*='
  fi
  for ((i = 2; i < CURRENT; i++)); do
    if [[ $i == 2 && $words[i] == (estimate|help) ]]; then
      before=$words[i]
      continue
    fi
    case "$where $words[i]" in
)";

}  // namespace

std::string render_zsh_completion(const CommandNode& program, const ModelNames& models) {
  std::string text{kZshHead};
  text += render_steps(program, "$words[i]");
  text += render_flag_values(program, models, render_zsh_action);
  text += fmt::format(
      "  if [[ $before == estimate && -z $where ]]; then\n"
      "    compadd -- {}\n    return\n  fi\n",
      estimated());
  text += "  case \"$where\" in\n";
  for (const CommandNode* node : list_nodes(program)) {
    text += fmt::format("    {})\n      flags=(", quote(node->path));
    for (const FlagNode& flag : node->flags)
      for (const std::string& name : flag.names) text += "\n        " + describe(name, flag.help);
    text += ")\n";
    if (!node->children.empty()) {
      text += "      commands=(";
      for (const CommandNode& child : node->children)
        text += "\n        " + describe(child.name, child.summary);
      text += ")\n";
    }
    text +=
        "      if [[ $cur == -* && $before != help ]]; then\n"
        "        _describe -o flag flags\n";
    if (!node->children.empty())
      text += "      else\n        _describe command commands\n";
    else if (!node->arguments.empty())
      text += fmt::format("      elif [[ $before != help ]]; then\n        {}\n",
                          render_zsh_action(node->arguments.front(), models));
    text += "      fi ;;\n";
  }
  return text +
         "  esac\n}\n\n"
         "if [[ $funcstack[1] == _personascope ]]; then\n  _personascope \"$@\"\nelse\n"
         "  compdef _personascope personascope\nfi\n";
}

// ---- fish ----

namespace {

std::string render_fish_values(const FlagNode& flag, const ModelNames& models) {
  switch (flag.kind) {
    case ValueKind::None:
      return "";
    case ValueKind::File:
      return " -r -F";
    case ValueKind::Folder:
      return " -x -a '(__fish_complete_directories)'";
    case ValueKind::Choice:
      return " -x -a " + quote_for_fish(join(flag.choices, " "));
    case ValueKind::Model:
      return " -x -a " + quote_for_fish(join(models, " "));
    case ValueKind::Text:
      break;
  }
  return " -x";
}

constexpr std::string_view kFishHead =
    R"(# fish completion for personascope, made by `personascope completion fish`

# The command that was typed so far; `estimate` and `help` before it do not count.
function __personascope_where
    set -l words (commandline -opc)
    set -e words[1]
    if contains -- "$words[1]" estimate help
        set -e words[1]
    end
    set -l where
    for word in $words
        switch "$where $word"
            case )";

constexpr std::string_view kFishTests = R"(
                set where (string trim -- "$where $word")
        end
    end
    echo $where
end

function __personascope_before
    set -l words (commandline -opc)
    test "$words[2]" = "$argv[1]"
end

function __personascope_at
    not __personascope_before help; and test (__personascope_where) = "$argv[1]"
end

function __personascope_below
    not __personascope_before estimate; and test (__personascope_where) = "$argv[1]"
end

complete -c personascope -f
)";

}  // namespace

std::string render_fish_completion(const CommandNode& program, const ModelNames& models) {
  std::string text{kFishHead};
  std::vector<std::string> steps;
  for (const std::string& step : list_steps(program)) steps.push_back(quote_for_fish(step));
  text += join(steps, " ");
  text += kFishTests;
  text += fmt::format(
      "complete -c personascope -n '__personascope_before estimate; and test "
      "(__personascope_where) "
      "= \"\"' -a {}\n",
      quote_for_fish(estimated()));
  for (const CommandNode* node : list_nodes(program)) {
    const std::string at = quote_for_fish(fmt::format("__personascope_at \"{}\"", node->path));
    // Below `estimate gym` there are commands; below `estimate` itself are those named above.
    const std::string below = quote_for_fish(fmt::format(
        "{} \"{}\"",
        node->path.empty() ? "__personascope_below" : "test (__personascope_where) =", node->path));
    for (const CommandNode& child : node->children)
      text += fmt::format("complete -c personascope -n {} -a {} -d {}\n", below, child.name,
                          quote_for_fish(child.summary));
    for (const FlagNode& flag : node->flags) {
      text += fmt::format("complete -c personascope -n {}", at);
      for (const std::string& name : flag.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      text +=
          fmt::format("{} -d {}\n", render_fish_values(flag, models), quote_for_fish(flag.help));
    }
    if (!node->children.empty() || node->arguments.empty()) continue;
    const FlagNode& argument = node->arguments.front();
    if (argument.kind == ValueKind::File || argument.kind == ValueKind::Folder)
      text += fmt::format("complete -c personascope -n {} -F\n", at);
    if (argument.kind == ValueKind::Choice)
      text += fmt::format("complete -c personascope -n {} -a {}\n", at,
                          quote_for_fish(join(argument.choices, " ")));
  }
  return text;
}

}  // namespace personascope::cli
