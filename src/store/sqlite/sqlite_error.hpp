// What SQLite's result codes mean to the user: one sentence with the file and a remedy.
#pragma once

#include <string>

#include "base/result.hpp"

struct sqlite3;

namespace personascope::store {

// The error for the result code of the last call on `connection`. All errors are of kind Storage
// except a broken constraint, which is Invalid: it affects one row, not the store.
Error make_sqlite_error(sqlite3* connection, int code);
// The same where opening `path` failed, so that the connection does not know it.
Error make_open_error(const std::string& path, sqlite3* connection, int code);

// For a system call on a file that failed with an errno: "cannot {action} {path} ...".
Error make_file_error(const std::string& action, const std::string& path, int error_number);

}  // namespace personascope::store
