#include "app/store_care.hpp"

namespace personascope::app {

Result<StoreCheck> check_store(Context& context,
                               const std::function<void(std::int64_t)>& on_answers) {
  RETURN_IF_ERROR(context.reader());  // brings an older store up to date
  return store::check_sqlite_store(context.store_path(), on_answers);
}

Result<Compaction> compact_store(Context& context) {
  return store::compact_sqlite_store(context.store_path());
}

Json to_json(const StoreCheck& check) {
  return {{"sound", check.is_sound()},
          {"answers", check.answers},
          {"without_checksum", check.without_checksum},
          {"damaged", check.damaged_items},
          {"faults", check.faults}};
}

}  // namespace personascope::app
