#include "cli/command_tree.hpp"

#include <algorithm>
#include <cctype>

#include "base/text.hpp"
#include "cli/help.hpp"

namespace personascope::cli {
namespace {

// "strict|reference", but not "LOW-HIGH" or "RUN|FILE".
bool is_list_of_choices(const std::string& value) {
  return value.find('|') != std::string::npos &&
         std::ranges::none_of(value, [](unsigned char c) { return std::isupper(c) != 0; });
}

ValueKind kind_of(const std::string& value) {
  if (value.empty()) return ValueKind::None;
  if (is_list_of_choices(value)) return ValueKind::Choice;
  if (value == "MODEL") return ValueKind::Model;
  if (value == "DIR") return ValueKind::Folder;
  for (const char* word : {"FILE", "PATH", "REQUESTS", "ANSWERS", "DIR"})
    if (value.find(word) != std::string::npos) return ValueKind::File;
  return ValueKind::Text;
}

FlagNode make_flag(const CLI::Option& option) {
  FlagNode flag;
  for (const std::string& name : option.get_snames()) flag.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) flag.names.push_back("--" + name);
  flag.value = render_value_of(option);
  if (option.get_positional()) {
    flag.names = {option.get_name(true)};
    // An argument is called by what it is, unless only some words are taken.
    if (!is_list_of_choices(flag.value)) flag.value = flag.names.front();
  }
  flag.kind = kind_of(flag.value);
  if (flag.kind == ValueKind::Choice)
    for (const std::string_view choice : split(flag.value, '|')) flag.choices.emplace_back(choice);
  flag.help = option.get_description();
  flag.group = option.get_group();
  flag.required = option.get_required();
  return flag;
}

CommandNode make_node(const CLI::App& command, const std::string& path) {
  CommandNode node;
  node.name = command.get_name();
  node.path = path;
  node.summary = command.get_description();
  node.footer = command.get_footer();
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    (option->get_positional() ? node.arguments : node.flags).push_back(make_flag(*option));
  }
  for (const CLI::App* below : command.get_subcommands([](const CLI::App*) { return true; }))
    if (!below->get_group().empty())
      node.children.push_back(
          make_node(*below, path.empty() ? below->get_name() : path + " " + below->get_name()));
  return node;
}

void list_below(const CommandNode& node, std::vector<const CommandNode*>& list) {
  list.push_back(&node);
  for (const CommandNode& child : node.children) list_below(child, list);
}

}  // namespace

CommandNode make_command_tree(const CLI::App& program) {
  return make_node(program, "");
}

std::vector<const CommandNode*> list_nodes(const CommandNode& root) {
  std::vector<const CommandNode*> list;
  list_below(root, list);
  return list;
}

}  // namespace personascope::cli
