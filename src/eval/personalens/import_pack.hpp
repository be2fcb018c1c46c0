// A user's own copy of PersonaLens's repository made into a pack: where its users are, and the
// prompts of its Python files, which are read and never run. The users stay where they are.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace personascope::eval::personalens {

struct ImportedLensPack {
  std::map<std::string, std::string> files;  // path in the pack → text
  std::size_t users = 0;
  std::size_t tasks = 0;  // of all users, in one domain
  std::size_t multi_tasks = 0;
  std::size_t prompts = 0;           // of thirty
  std::vector<std::string> missing;  // what the pack lacks, and why
  std::vector<std::string> odd;      // what is strange in the users' files
};

// Reads every user once, so that what is wrong is known before anything is spent. `checkout` is an
// absolute path: the pack keeps it. Fails as NotFound if there is no such folder or no user in it.
Result<ImportedLensPack> import_pack(const std::string& checkout, const std::string& name);

// The folder with the users of a pack. Fails as Invalid if the pack does not say.
Result<std::string> find_pack_users(const std::string& pack);

}  // namespace personascope::eval::personalens
