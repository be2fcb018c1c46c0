#include "store/sqlite/sqlite_transfer.hpp"

#include <utility>

#include "store/sqlite/connection.hpp"
#include "store/sqlite/run_import.hpp"
#include "store/sqlite/run_source.hpp"
#include "store/sqlite/schema.hpp"
#include "store/sqlite/store_file.hpp"
#include "store/sqlite/text_codec.hpp"

namespace personascope::store {
namespace {

class SqliteTransfer final : public RunTransfer {
 public:
  SqliteTransfer(std::string file, Connection connection)
      : file_(std::move(file)), connection_(std::move(connection)) {}

  Result<std::unique_ptr<RunSource>> open_run(std::int64_t run) override {
    return open_sqlite_run(file_, run);
  }

  Result<ImportedRun> import_run(RunSource& source) override {
    RETURN_IF_ERROR(connection_.execute("BEGIN IMMEDIATE"));
    auto imported = store::import_run(connection_, codec_, source);
    if (imported) {
      if (auto committed = connection_.execute("COMMIT"); !committed)
        imported = std::unexpected(std::move(committed).error());
    }
    // If this fails too, the next BEGIN says so.
    if (!imported && connection_.in_transaction())
      static_cast<void>(connection_.execute("ROLLBACK"));
    return imported;
  }

 private:
  std::string file_;
  TextCodec codec_;
  Connection connection_;
};

}  // namespace

Result<std::unique_ptr<RunTransfer>> open_sqlite_transfer(const std::string& path, OpenMode mode) {
  const auto if_missing = mode == OpenMode::Create ? IfMissing::Create : IfMissing::Fail;
  ASSIGN_OR_RETURN(std::string file, prepare_store_file(path, if_missing));
  const Access access = mode == OpenMode::ReadOnly ? Access::ReadOnly : Access::ReadWrite;
  ASSIGN_OR_RETURN(Connection connection, Connection::open(file, access));
  RETURN_IF_ERROR(access == Access::ReadWrite ? migrate(connection, file)
                                              : check_version(connection, file));
  return std::make_unique<SqliteTransfer>(std::move(file), std::move(connection));
}

}  // namespace personascope::store
