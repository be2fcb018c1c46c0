#include "app/import.hpp"

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "files/new_folder.hpp"

namespace personascope::app {

Result<ImportKind> find_import_kind(const std::string& name) {
  std::vector<std::string> known;
  for (const ImportKind& kind : kImportKinds) {
    if (kind.name == name) return kind;
    known.emplace_back(kind.name);
  }
  return fail(ErrorKind::Invalid, "nothing is known of \"{}\"; what can be imported: {}",
              printable(name), join(known, ", "));
}

Result<void> check_pack_name(const std::string& name) {
  const bool is_plain = std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  });
  if (is_plain && !name.starts_with('.') && name.size() <= 100) return {};
  return fail(
      ErrorKind::Invalid,
      "\"{}\" cannot be a pack's name; use letters, digits, \"-\", \"_\" and \".\", at most "
      "100",
      printable(name));
}

Json to_json(const Import& imported) {
  Json value = to_json(imported.findings);
  value["kind"] = imported.kind;
  value["pack"] = imported.name;
  value["folder"] = imported.folder;
  return value;
}

Result<Import> import(const Context& context, const ImportCommand& command) {
  ASSIGN_OR_RETURN(const ImportKind kind, find_import_kind(command.kind));
  const std::string name = command.name.empty() ? std::string(kind.default_name) : command.name;
  RETURN_IF_ERROR(check_pack_name(name));
  if (command.source.empty())
    return fail(ErrorKind::Invalid,
                "what to import is missing; name the folder of {}: `personascope import {} FOLDER`",
                kind.takes, kind.name);
  ASSIGN_OR_RETURN(eval::personagym::ImportedPack pack,
                   eval::personagym::import_pack(command.source, name));
  const std::string folder = context.home() + "/packs/" + name;
  RETURN_IF_ERROR(files::write_folder(
      folder, pack.files, command.force ? files::IfExists::Replace : files::IfExists::Refuse));
  return Import{command.kind, name, folder, std::move(pack.findings)};
}

}  // namespace personascope::app
