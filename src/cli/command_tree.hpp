// The commands with their flags and arguments as plain values, read off the command line's own
// description, for what is made from it: completion scripts and the manual page.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace personascope::cli {

// What a shell can offer for a value.
enum class ValueKind { None, Text, Choice, File, Folder, Model };

struct FlagNode {
  std::vector<std::string> names;  // "-m", "--model"; of an argument its name alone
  std::string value;               // "FILE"; empty for a switch
  ValueKind kind = ValueKind::None;
  std::vector<std::string> choices;  // of ValueKind::Choice
  std::string help;
  std::string group;  // heading in the help
  bool required = false;
};

struct CommandNode {
  std::string name;  // "run"
  std::string path;  // "gym run"; empty for the program
  std::string summary;
  std::string footer;  // examples
  std::vector<FlagNode> flags;
  std::vector<FlagNode> arguments;
  std::vector<CommandNode> children;
};

// Without what is hidden from the help.
CommandNode make_command_tree(const CLI::App& program);

// Every command below the node and the node itself, parents first.
std::vector<const CommandNode*> list_nodes(const CommandNode& root);

}  // namespace personascope::cli
