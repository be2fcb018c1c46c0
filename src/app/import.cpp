#include "app/import.hpp"

#include <algorithm>
#include <map>

#include "app/paths.hpp"
#include "base/text.hpp"
#include "eval/personagym/import_pack.hpp"
#include "eval/personalens/import_pack.hpp"
#include "files/new_folder.hpp"

namespace personascope::app {

namespace {

using PackFiles = std::map<std::string, std::string>;

Result<PackFiles> read_gym(const std::string& source, Import& imported) {
  ASSIGN_OR_RETURN(auto pack, eval::personagym::import_pack(source, imported.name));
  auto& found = pack.findings;
  imported.found = {{"personas", "personas", found.personas},
                    {"environments", "environments", found.environments},
                    {"questions", "questions", found.questions},
                    {"prompts", "prompts (of 7)", found.prompts},
                    {"rubrics", "rubrics (of 5)", found.rubrics},
                    {"descriptions", "descriptions of tasks (of 5)", found.descriptions},
                    {"published", "published scores", found.published}};
  imported.missing = std::move(found.missing);
  imported.odd = std::move(found.odd);
  return std::move(pack.files);
}

Result<PackFiles> read_lens(const std::string& source, Import& imported) {
  ASSIGN_OR_RETURN(auto pack, eval::personalens::import_pack(make_absolute(source), imported.name));
  imported.found = {{"users", "users", pack.users},
                    {"tasks", "tasks in one domain", pack.tasks},
                    {"multi_tasks", "tasks across several", pack.multi_tasks},
                    {"prompts", "prompts (of 30)", pack.prompts}};
  imported.missing = std::move(pack.missing);
  imported.odd = std::move(pack.odd);
  return std::move(pack.files);
}

}  // namespace

Result<ImportKind> find_import_kind(const std::string& name) {
  std::vector<std::string> known;
  for (const ImportKind& kind : kImportKinds) {
    if (kind.name == name) return kind;
    known.emplace_back(kind.name);
  }
  return fail(ErrorKind::Invalid, "there is no import \"{}\"; what can be imported: {}",
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
  Json found = Json::object();
  for (const FoundCount& one : imported.found) found[std::string(one.key)] = one.count;
  return {{"kind", imported.kind},     {"pack", imported.name},       {"folder", imported.folder},
          {"found", std::move(found)}, {"missing", imported.missing}, {"odd", imported.odd}};
}

Result<Import> import(const Context& context, const ImportCommand& command) {
  ASSIGN_OR_RETURN(const ImportKind kind, find_import_kind(command.kind));
  const std::string name = command.name.empty() ? std::string(kind.default_name) : command.name;
  RETURN_IF_ERROR(check_pack_name(name));
  if (command.source.empty())
    return fail(ErrorKind::Invalid,
                "what to import is missing; name the folder of {}: `personascope import {} FOLDER`",
                kind.takes, kind.name);
  Import imported{
      .kind = command.kind, .name = name, .folder = {}, .found = {}, .missing = {}, .odd = {}};
  const auto read = kind.name == "personalens" ? read_lens : read_gym;
  ASSIGN_OR_RETURN(const PackFiles files, read(command.source, imported));
  imported.folder = context.home() + "/packs/" + name;
  RETURN_IF_ERROR(files::write_folder(
      imported.folder, files, command.force ? files::IfExists::Replace : files::IfExists::Refuse));
  return imported;
}

}  // namespace personascope::app
