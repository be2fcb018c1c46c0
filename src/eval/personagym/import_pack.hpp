// A user's own copy of PersonaGym's repository read as a pack: its questions, personas,
// environments, prompts, rubrics and published scores. Its Python files are read, never run.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace personascope::eval::personagym {

struct ImportFindings {
  std::size_t personas = 0;
  std::size_t environments = 0;
  std::size_t questions = 0;
  std::size_t prompts = 0;  // of the seven templates
  std::size_t rubrics = 0;  // of the five tasks
  std::size_t descriptions = 0;
  std::size_t published = 0;         // rows of scores
  std::vector<std::string> missing;  // what the pack lacks, and why
  std::vector<std::string> odd;      // what it holds and should not, or not so
};

struct ImportedPack {
  std::map<std::string, std::string>
      files;  // path in the pack → text, as docs/import.md lists them
  ImportFindings findings;
};

// Texts are kept as Python would read them, byte for byte but for line ends. A file that cannot be
// read is a finding, not an error. Fails as NotFound if there is no such folder, and as Invalid if
// it holds neither questions nor personas.
Result<ImportedPack> import_pack(const std::string& checkout, const std::string& name);

}  // namespace personascope::eval::personagym
