// Users' own data for the bench: personas and questions out of files, folders or the Hugging Face
// hub, made into the files that `bench` reads.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "base/json.hpp"
#include "base/result.hpp"

namespace personascope::app {

struct BenchImport {
  std::vector<std::string> sources;   // files and folders
  std::string name;                   // of the pack; empty: persona-bench
  std::optional<std::string> output;  // a folder in place of the pack's
  bool force = false;                 // replaces files that are there
  bool keep_duplicates = false;       // so that rows keep their places
};

// Writes personas.jsonl, questions.jsonl and import.json (what is returned) into the folder; a file
// for which there is nothing is not written. Returns the findings (eval/persona_bench/
// import_findings.hpp) and "folder", "personas_file", "questions_file". Fails as NotFound or
// Invalid, with place and remedy, if a source cannot be read or holds nothing for the bench, or the
// files are there already; nothing is written then.
Result<Json> import_bench(const Context& context, const BenchImport& command);

}  // namespace personascope::app
