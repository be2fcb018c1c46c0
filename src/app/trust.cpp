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

// The models that a run's plan asks at the address that it names.
std::vector<std::string> models_at_address(const store::RunRecord& run) {
  std::vector<std::string> names;
  if (run.command != "judge") return {find_text(run.plan, "model").value_or("")};
  if (const Json* judges = find_member(run.plan, "judges"); judges && judges->is_array())
    for (const Json& name : *judges)
      if (name.is_string()) names.push_back(name);
  if (auto escalate = find_text(run.plan, "escalate")) names.push_back(std::move(*escalate));
  return names;
}

// The bots that a plan names.
void add_bots(const Json& plan, std::vector<std::string>& names) {
  if (plan.is_structured())
    for (const Json& member : plan) add_bots(member, names);
  if (plan.is_string() && plan.get_ref<const std::string&>().starts_with("http/"))
    names.push_back(plan.get<std::string>());
}

std::vector<llm::KeyUse> list_bot_keys(const Context& context, const Json& plan) {
  std::vector<std::string> names;
  add_bots(plan, names);
  std::vector<llm::KeyUse> uses;
  for (const std::string& name : names)
    if (auto use = llm::find_key_use(name, context.environment())) uses.push_back(std::move(*use));
  return uses;
}

Result<void> ask_about(const Context& context, const store::RunRecord& run, const std::string& keys,
                       const std::string& address, std::string_view remedy,
                       const Listener& listener) {
  if (is_remembered(context, address)) return {};
  const std::string what =
      fmt::format("run {} would send {} to {}, an address that you have not used here before",
                  run.id, keys, printable(shorten(address, 200)));
  if (listener.confirm && listener.confirm(what + ". Send it there?")) {
    remember_address(context, address);
    return {};
  }
  return fail(ErrorKind::Unauthorized, "{}: if you trust the store, add `trust_addresses`{}", what,
              remedy);
}

}  // namespace

void remember_bots(const Context& context, const Json& plan) {
  for (const llm::KeyUse& use : list_bot_keys(context, plan))
    remember_address(context, use.base_url);
}

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
                           const std::optional<std::string>& base_url, const Listener& listener) {
  for (const llm::KeyUse& use : list_bot_keys(context, run.plan))
    RETURN_IF_ERROR(ask_about(context, run, use.key, normal_form(use.base_url),
                              ", or start a new run with the bot's file", listener));
  const auto stored = find_text(run.plan, "base_url");
  if (base_url || !stored) return {};
  const std::string address = normal_form(*stored);
  std::vector<std::string> keys;
  for (const std::string& model : models_at_address(run)) {
    const auto use = llm::find_key_use(model, context.environment());
    if (use && normal_form(use->base_url) != address &&
        std::ranges::find(keys, use->key) == keys.end())
      keys.push_back(use->key);
  }
  if (keys.empty()) return {};
  return ask_about(context, run, join(keys, " and "), address,
                   ", or name the address yourself with `base_url`", listener);
}

}  // namespace personascope::app
