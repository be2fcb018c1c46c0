#include "store/sqlite/sqlite_error.hpp"

#include <sqlite3.h>

#include <cerrno>
#include <system_error>

namespace personascope::store {
namespace {

bool is_out_of_space(int error_number) {
  return error_number == ENOSPC || error_number == EDQUOT;
}

std::string full_sentence(const std::string& path) {
  return fmt::format(
      "there is no space left to write {}: free some and run the same command again; what was "
      "answered before is kept",
      path);
}

std::string sentence_for(int code, const std::string& path, const char* detail) {
  switch (code & 0xff) {
    case SQLITE_FULL:
      return full_sentence(path);
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return fmt::format("{} cannot be written: make the file and its folder writable", path);
    case SQLITE_NOTADB:
      return fmt::format("{} is not a store, or it is encrypted: name another file", path);
    case SQLITE_CORRUPT:
      return fmt::format(
          "{} is damaged: restore it from a copy, or rescue what is left with "
          "\"sqlite3 FILE .recover\"",
          path);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return fmt::format("{} stays locked by another process: end that process or wait for it",
                         path);
    case SQLITE_CANTOPEN:
      return fmt::format(
          "{} cannot be opened: make the file readable and its folder writable (SQLite keeps its "
          "-wal and -shm files there)",
          path);
    case SQLITE_IOERR:
      return fmt::format("the disk failed at {} ({}): check the disk or move the store to another",
                         path, detail);
    default:
      return fmt::format("{} cannot be used: {}", path, detail);
  }
}

}  // namespace

Error make_sqlite_error(sqlite3* connection, int code) {
  const char* path = sqlite3_db_filename(connection, "main");
  return make_open_error(path ? path : "the store", connection, code);
}

Error make_open_error(const std::string& path, sqlite3* connection, int code) {
  const char* detail = sqlite3_errmsg(connection);
  if ((code & 0xff) == SQLITE_CONSTRAINT)
    return {ErrorKind::Invalid, fmt::format("{} does not accept the record: {}", path, detail)};
  if ((code & 0xff) == SQLITE_IOERR && is_out_of_space(sqlite3_system_errno(connection)))
    return {ErrorKind::Storage, full_sentence(path)};
  const bool is_no_store = (code & 0xff) == SQLITE_NOTADB;
  return {is_no_store ? ErrorKind::Invalid : ErrorKind::Storage, sentence_for(code, path, detail)};
}

Error make_file_error(const std::string& action, const std::string& path, int error_number) {
  if (is_out_of_space(error_number)) return {ErrorKind::Storage, full_sentence(path)};
  return {ErrorKind::Storage,
          fmt::format("cannot {} {} ({}): make its folder writable, or name another path", action,
                      path, std::generic_category().message(error_number))};
}

}  // namespace personascope::store
