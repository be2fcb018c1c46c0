#include "app/trust.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/secret.hpp"
#include "base/text.hpp"
#include "files/text_file.hpp"
#include "llm/providers/catalog.hpp"

namespace personascope::app {
namespace {

std::string addresses_file(const Context& context) {
  return context.home() + "/addresses";
}

// As it is compared and remembered.
std::string normal_form(std::string_view address) {
  std::string text = without_credentials(address);
  while (text.ends_with('/')) text.pop_back();
  return text;
}

bool is_remembered(const Context& context, const std::string& address) {
  const auto text = files::load_text(addresses_file(context), 1u << 20);
  return text && std::ranges::any_of(split(*text, '\n'),
                                     [&](std::string_view line) { return line == address; });
}

}  // namespace

void remember_address(const Context& context, const std::optional<std::string>& base_url) {
  if (!base_url) return;
  const std::string address = normal_form(*base_url);
  if (address.find('\n') != std::string::npos || is_remembered(context, address)) return;
  std::error_code ignored;
  std::filesystem::create_directories(context.home(), ignored);
  const int file = ::open(addresses_file(context).c_str(),
                          O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return;  // then the next resume asks
  const std::string line = address + "\n";
  [[maybe_unused]] const ssize_t written = ::write(file, line.data(), line.size());
  ::close(file);
}

Result<void> check_address(const Context& context, const store::RunRecord& run,
                           const std::vector<std::string>& models,
                           const std::optional<std::string>& base_url, const Listener& listener) {
  const auto stored = find_text(run.plan, "base_url");
  if (base_url || !stored) return {};
  const std::string address = normal_form(*stored);
  std::vector<std::string> keys;
  for (const std::string& model : models) {
    const auto use = llm::find_key_use(model, context.environment());
    if (use && normal_form(use->base_url) != address &&
        std::ranges::find(keys, use->key) == keys.end())
      keys.push_back(use->key);
  }
  if (keys.empty() || is_remembered(context, address)) return {};
  const std::string what =
      fmt::format("run {} would send {} to {}, an address that you have not used here before",
                  run.id, join(keys, " and "), printable(shorten(address, 200)));
  if (listener.confirm && listener.confirm(what + ". Send it there?")) {
    remember_address(context, address);
    return {};
  }
  return fail(
      ErrorKind::Unauthorized,
      "{}: if you trust the store, add `trust_addresses`, or name the address yourself with "
      "`base_url`",
      what);
}

}  // namespace personascope::app
