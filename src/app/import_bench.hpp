// Users' own data for the bench: personas and questions out of files, folders or the Hugging Face
// hub, made into the files that `bench` reads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "base/json.hpp"
#include "base/result.hpp"

namespace personascope::app {

struct BenchImport {
  std::vector<std::string> sources;   // files and folders; of the hub: data sets, OWNER/NAME
  std::string name;                   // of the pack; empty: persona-bench
  std::optional<std::string> output;  // a folder in place of the pack's
  bool force = false;                 // replaces files that are there
  bool keep_duplicates = false;       // so that rows keep their places
  bool from_hub = false;              // sources are fetched; none: the published two
  std::string revision = "main";      // of the data sets
};

struct HubProgress {
  std::string file;  // "OWNER/NAME: path"
  std::uint64_t bytes = 0;
  std::uint64_t size = 0;
  bool is_done = false;
};
using HubSink = std::function<void(const HubProgress&)>;

// Writes personas.jsonl, questions.jsonl and import.json (what is returned) into the folder; a file
// for which there is nothing is not written. Returns the findings (eval/persona_bench/
// import_findings.hpp) and "folder", "personas_file", "questions_file", and of the hub "hub":
// [{"repo", "commit", "files", "bytes", "fetched"}]. What is fetched stays in hub/ of the home
// folder. Fails as run::fetch_hub_file does, and as NotFound or Invalid, with place and remedy, if
// a source cannot be read or holds nothing for the bench, or the files are there already; nothing
// is written then.
Result<Json> import_bench(const Context& context, BenchImport command, const HubSink& on_hub);

}  // namespace personascope::app
