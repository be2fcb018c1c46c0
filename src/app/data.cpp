#include "app/data.hpp"

#include "eval/planning.hpp"

namespace personascope::app {

Result<std::string> find_data(const Context& context, const std::string& name) {
  return eval::find_data(context.plan_context(), name);
}

Result<std::string> find_pack(const Context& context, const std::string& name) {
  return eval::find_pack(context.plan_context(), name);
}

}  // namespace personascope::app
