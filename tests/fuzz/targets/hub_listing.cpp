// The hub's list of a data set's files, whose names become paths here.
#include "run/hub.hpp"

#include <filesystem>

#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(hub_listing, bytes) {
  const auto listing = run::parse_hub_listing(bytes, "owner/name");
  if (!fuzz::succeeds(listing)) return;
  for (const run::HubFile& file : listing->files) {
    const std::filesystem::path path = std::filesystem::path("/f/") / file.path;
    fuzz::require(path.lexically_normal().string().starts_with("/f/"),
                  "a file stays in its folder");
    fuzz::require(printable(file.path) == file.path, "a file's name is printable");
  }
}
