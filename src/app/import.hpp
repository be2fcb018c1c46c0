// Data of the published benchmarks, which users have and we do not ship, made into packs of ours.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "app/context.hpp"
#include "base/json.hpp"
#include "base/result.hpp"

namespace personascope::app {

struct ImportKind {
  std::string_view name;
  std::string_view takes;         // what is read
  std::string_view default_name;  // of the pack
};
inline constexpr std::string_view kPersonaBench = "persona-bench";
inline constexpr std::array kImportKinds{
    ImportKind{"personagym", "a copy of PersonaGym's repository", "benchmark-v1"},
    ImportKind{kPersonaBench,
               "PRISM-Filter, Synthetic-Personas or PERSONA: files, folders or the hub",
               "persona-bench"},
    ImportKind{"personalens", "a copy of PersonaLens's repository", "personalens"},
};
// Fails as Invalid, with the names that there are.
Result<ImportKind> find_import_kind(const std::string& name);
// Fails as Invalid if it cannot be a pack's name, which becomes a folder's.
Result<void> check_pack_name(const std::string& name);

struct ImportCommand {
  std::string kind;
  std::string source;  // a folder
  std::string name;    // of the pack; empty: the kind's own
  bool force = false;  // replaces a pack of that name
};

struct FoundCount {
  std::string_view key;    // in JSON
  std::string_view label;  // for people
  std::size_t count = 0;
};

struct Import {
  std::string kind;
  std::string name;
  std::string folder;  // the pack's
  std::vector<FoundCount> found;
  std::vector<std::string> missing;  // what the pack lacks, and why
  std::vector<std::string> odd;      // what it holds and should not, or not so
};
Json to_json(const Import& imported);

// A copy of PersonaGym or PersonaLens; for the bench see import_bench.hpp. Writes the pack whole or
// not at all into packs/NAME in the home folder. Fails as Invalid on an unknown kind, a name that
// is no plain file name, a pack that is there already; as the kind's own import does; and as
// Storage.
Result<Import> import(const Context& context, const ImportCommand& command);

}  // namespace personascope::app
