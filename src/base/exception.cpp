#include "base/exception.hpp"

namespace personascope {

Error make_internal_error(const std::exception_ptr& exception) {
  try {
    if (exception) std::rethrow_exception(exception);
  } catch (const std::exception& error) {
    return {ErrorKind::Internal, fmt::format("internal error: {}", error.what())};
  } catch (...) {  // not derived from std::exception
  }
  return {ErrorKind::Internal, "internal error: an exception of unknown kind"};
}

}  // namespace personascope
