#include "base/result.hpp"

#include <array>

namespace personascope {
namespace {

struct KindName {
  ErrorKind kind;
  std::string_view name;
};

constexpr std::array kNames{
    KindName{ErrorKind::Invalid, "invalid"},
    KindName{ErrorKind::NotFound, "not_found"},
    KindName{ErrorKind::Unauthorized, "unauthorized"},
    KindName{ErrorKind::Misconfigured, "misconfigured"},
    KindName{ErrorKind::Unsupported, "unsupported"},
    KindName{ErrorKind::ContextTooLong, "context_too_long"},
    KindName{ErrorKind::Refused, "refused"},
    KindName{ErrorKind::RateLimited, "rate_limited"},
    KindName{ErrorKind::Transient, "transient"},
    KindName{ErrorKind::Unreachable, "unreachable"},
    KindName{ErrorKind::Timeout, "timeout"},
    KindName{ErrorKind::TooLarge, "too_large"},
    KindName{ErrorKind::Unparsable, "unparsable"},
    KindName{ErrorKind::Cancelled, "cancelled"},
    KindName{ErrorKind::BudgetExhausted, "budget_exhausted"},
    KindName{ErrorKind::Storage, "storage"},
    KindName{ErrorKind::Internal, "internal"},
};

}  // namespace

std::string_view name_of(ErrorKind kind) {
  for (const KindName& row : kNames)
    if (row.kind == kind) return row.name;
  return "internal";
}

ErrorKind error_kind_named(std::string_view name) {
  for (const KindName& row : kNames)
    if (row.name == name) return row.kind;
  return ErrorKind::Internal;
}

}  // namespace personascope
