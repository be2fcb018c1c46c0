#include "app/data.hpp"

#include <filesystem>
#include <vector>

#include "base/text.hpp"
#include "files/safe_name.hpp"

namespace personascope::app {

namespace fs = std::filesystem;

Result<std::string> find_data(const Context& context, const std::string& name) {
  std::vector<fs::path> places;
  if (const auto given = context.environment().find("PERSONASCOPE_DATA")) places = {*given};
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  if (!program.empty())
    places.push_back(program.parent_path().parent_path() / "share" / "personascope");
  places.emplace_back(PERSONASCOPE_DATA_FOLDER);
  for (const fs::path& place : places)
    if (fs::exists(place / name, ignored)) return (place / name).string();
  return fail(ErrorKind::NotFound,
              "the data folder \"{}\" is not there: set PERSONASCOPE_DATA to the data folder of a "
              "checkout",
              printable(name));
}

Result<std::string> find_pack(const Context& context, const std::string& name) {
  const fs::path packs = fs::path(context.home()) / "packs";
  std::error_code ignored;
  if (files::is_safe_name(name) && fs::exists(packs / name / "pack.yaml", ignored))
    return (packs / name).string();
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(packs, ignored))
    names.push_back(printable(entry.path().filename().string()));
  return fail(ErrorKind::NotFound,
              "there is no pack {}{}; `personascope import KIND FOLDER` makes one", printable(name),
              names.empty() ? "" : " (there are: " + join(names, ", ") + ")");
}

}  // namespace personascope::app
