#include "report/item_export.hpp"

#include <algorithm>

namespace personascope::report {

Result<void> visit_items(store::Reader& reader, std::int64_t run, const store::ItemFilter& filter,
                         const std::function<Result<void>(const store::ItemDetails&)>& visit) {
  constexpr std::int64_t kPage = 500;
  store::ItemFilter page = filter;
  for (std::int64_t left = filter.limit; left > 0;) {
    page.limit = std::min(left, kPage);
    ASSIGN_OR_RETURN(const auto items, reader.load_items(run, page));
    for (const core::ItemRecord& item : items) {
      ASSIGN_OR_RETURN(const store::ItemDetails details, reader.load_item(run, item.position));
      RETURN_IF_ERROR(visit(details));
    }
    if (std::ssize(items) < page.limit) return {};
    page.offset += page.limit;
    left -= page.limit;
  }
  return {};
}

}  // namespace personascope::report
