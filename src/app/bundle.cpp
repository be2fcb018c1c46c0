#include "app/bundle.hpp"

#include <filesystem>

#include "app/paths.hpp"
#include "store/sqlite/sqlite_transfer.hpp"

namespace personascope::app {
namespace {

// Members of a plan that name what a run writes.
constexpr const char* kOutputs[] = {"output", "personas_to"};

// Returns the new name, if there is one.
std::string move_outputs(Json& plan, const std::string& uid) {
  std::string moved;
  for (const char* member : kOutputs) {
    const auto path = find_text(plan, member);
    if (!path || *path == "-") continue;
    const std::string name = std::filesystem::path(*path).filename();
    moved = make_absolute("imported-" + uid.substr(0, 8) + "-" + (name.empty() ? "output" : name));
    plan[member] = moved;
  }
  return moved;
}

}  // namespace

Result<BundleCounts> export_bundle(Context& context, std::int64_t run, Texts texts,
                                   const std::string& path) {
  RETURN_IF_ERROR(context.reader());  // brings an older store up to date
  ASSIGN_OR_RETURN(const auto transfer,
                   store::open_sqlite_transfer(context.store_path(), store::OpenMode::ReadOnly));
  ASSIGN_OR_RETURN(const auto source, transfer->open_run(run));
  return report::write_bundle(*source, texts, path);
}

Json to_json(const BundleImport& imported) {
  return {{"run", imported.run},
          {"was_there", imported.was_there},
          {"redacted", imported.is_redacted},
          {"command", imported.command},
          {"items", imported.items},
          {"differing_answers", imported.differing_answers},
          {"output", imported.output.empty() ? Json() : Json(imported.output)}};
}

Result<BundleImport> import_bundle(Context& context, const std::string& path) {
  ASSIGN_OR_RETURN(const auto bundle, report::Bundle::open(path));
  BundleImport done;
  done.output = move_outputs(bundle->plan(), bundle->run().uid);
  ASSIGN_OR_RETURN(const auto transfer,
                   store::open_sqlite_transfer(context.store_path(), store::OpenMode::Create));
  ASSIGN_OR_RETURN(const store::ImportedRun imported, transfer->import_run(*bundle));
  done.run = imported.id;
  done.was_there = imported.was_there;
  done.differing_answers = imported.differing_answers;
  done.is_redacted = bundle->is_redacted();
  done.command = bundle->run().command;
  ASSIGN_OR_RETURN(store::Reader * reader, context.reader());
  ASSIGN_OR_RETURN(done.items, reader->count_items(imported.id, {}));
  return done;
}

}  // namespace personascope::app
