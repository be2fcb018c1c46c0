// Failure as a value: Result<T> holds a T or an Error whose kind tells the caller what to do.
#pragma once

#include <fmt/format.h>

#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace personascope {

enum class ErrorKind {
  Invalid,          // wrong use or bad input: the user must fix it
  NotFound,         // a file, run, model or journalled call that is not there
  Unauthorized,     // the key is missing, wrong or not allowed; the account has no credit left
  Misconfigured,    // a key or an address that cannot be sent at all: nothing was
  Unsupported,      // asked for something this part cannot do
  ContextTooLong,   // the prompt does not fit the model
  Refused,          // the provider's filter or the model declined
  RateLimited,      // slow down, then try again
  Transient,        // a fault that may pass: try again
  Unreachable,      // no connection to the host: its name, address or certificate
  Timeout,          // no answer in time: try again
  TooLarge,         // more bytes than we are willing to hold
  Unparsable,       // an answer that is not what its format promises
  Cancelled,        // the user or the run asked to stop
  BudgetExhausted,  // the run's limit of money, calls or tokens is reached
  Storage,          // the store cannot be read or written
  Internal,         // a defect of ours
};

// The kind's name as it appears in files and JSON, e.g. "rate_limited".
std::string_view name_of(ErrorKind kind);
// The kind with that name; Internal for a name no kind has (a store of a later version).
ErrorKind error_kind_named(std::string_view name);

struct Error {
  ErrorKind kind = ErrorKind::Internal;
  std::string message;
};

template <class T>
class [[nodiscard]] Result : public std::expected<T, Error> {
 public:
  using std::expected<T, Error>::expected;
};

// `return fail(ErrorKind::Invalid, "line {}: ...", n);`
template <class... Args>
std::unexpected<Error> fail(ErrorKind kind, fmt::format_string<Args...> format, Args&&... args) {
  return std::unexpected(Error{kind, fmt::format(format, std::forward<Args>(args)...)});
}

}  // namespace personascope

#define PERSONASCOPE_JOIN_(a, b) a##b
#define PERSONASCOPE_JOIN(a, b) PERSONASCOPE_JOIN_(a, b)
#define PERSONASCOPE_ASSIGN_(temporary, declaration, expression, return_keyword) \
  auto temporary = (expression);                                                 \
  if (!temporary) return_keyword std::unexpected(std::move(temporary).error());  \
  declaration = std::move(*temporary)

// ASSIGN_OR_RETURN(auto x, f()): x is f()'s value, or the function returns f()'s error. It is more
// than one statement: as the body of an `if`, put it in braces.
#define ASSIGN_OR_RETURN(declaration, expression) \
  PERSONASCOPE_ASSIGN_(PERSONASCOPE_JOIN(result_, __LINE__), declaration, expression, return)
#define CO_ASSIGN_OR_RETURN(declaration, expression) \
  PERSONASCOPE_ASSIGN_(PERSONASCOPE_JOIN(result_, __LINE__), declaration, expression, co_return)

#define RETURN_IF_ERROR(expression)                                                                \
  do {                                                                                             \
    if (auto checked = (expression); !checked) return std::unexpected(std::move(checked).error()); \
  } while (false)
#define CO_RETURN_IF_ERROR(expression)                       \
  do {                                                       \
    if (auto checked = (expression); !checked)               \
      co_return std::unexpected(std::move(checked).error()); \
  } while (false)
