#include "core/message.hpp"

namespace personascope::core {

std::string_view name_of(Role role) {
  switch (role) {
    case Role::System:
      return "system";
    case Role::User:
      return "user";
    case Role::Assistant:
      return "assistant";
  }
  return "user";
}

std::optional<Role> find_role(std::string_view name) {
  if (name == "system" || name == "developer") return Role::System;
  if (name == "user") return Role::User;
  if (name == "assistant") return Role::Assistant;
  return std::nullopt;
}

}  // namespace personascope::core
