// One turn of a conversation with a model.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace personascope::core {

enum class Role { System, User, Assistant };

// "system", "user", "assistant".
std::string_view name_of(Role role);
std::optional<Role> find_role(std::string_view name);

struct Message {
  Role role = Role::User;
  std::string content;
};

}  // namespace personascope::core
