// Data of the published benchmarks, which users have and we do not ship, made into packs of ours.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "app/context.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "eval/personagym/import_pack.hpp"

namespace personascope::app {

struct ImportKind {
  std::string_view name;
  std::string_view takes;         // what is read
  std::string_view default_name;  // of the pack
};
inline constexpr std::string_view kPersonaBench = "persona-bench";
inline constexpr std::array kImportKinds{
    ImportKind{"personagym", "a copy of PersonaGym's repository", "benchmark-v1"},
    ImportKind{kPersonaBench, "PRISM-Filter, Synthetic-Personas or PERSONA: files, folders, --hub",
               "persona-bench"},
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

struct Import {
  std::string kind;
  std::string name;
  std::string folder;  // the pack's
  eval::personagym::ImportFindings findings;
};
Json to_json(const Import& imported);

// A copy of PersonaGym; for the bench see import_bench.hpp. Writes the pack whole or not at all
// into packs/NAME in the home folder. Fails as Invalid on an unknown kind, a name that is no plain
// file name, a pack that is there already; as import_pack does; and as Storage.
Result<Import> import(const Context& context, const ImportCommand& command);

}  // namespace personascope::app
