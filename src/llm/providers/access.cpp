#include "llm/providers/access.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace personascope::llm {
namespace {

std::string without_trailing_slash(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  return url;
}

// The paths that a wire adds by itself, so that a base URL must not end in one.
constexpr std::array<std::string_view, 3> kPathsOfCalls{"/chat/completions", "/completions",
                                                        "/v1/messages"};

Result<void> check_address(const std::string& address, const std::string& remedy) {
  for (const std::string_view path : kPathsOfCalls) {
    if (!address.ends_with(path)) continue;
    const std::string shown = without_credentials(address);
    return fail(ErrorKind::Invalid,
                "the base URL {} ends in {}, which is added automatically; give {} instead",
                printable(shown), path, printable(shown.substr(0, shown.size() - path.size())));
  }
  if (address.starts_with("http://") || address.starts_with("https://")) return {};
  if (address.empty()) return fail(ErrorKind::Invalid, "no base URL: {}", remedy);
  return fail(ErrorKind::Invalid, "the base URL \"{}\" must start with http:// or https://",
              printable(without_credentials(address)));
}

// Where a key may be that was looked for in vain.
std::string render_unread(const files::Environment& settings) {
  return settings.unread().empty() ? "" : fmt::format(" ({})", settings.unread());
}

}  // namespace

Result<void> check_key(const std::string& variable, const Secret& key) {
  const std::string& text = key.reveal();
  const bool has_control =
      std::ranges::any_of(text, [](char c) { return (c >= 0 && c < ' ') || c == '\x7F'; });
  if (!has_control && trim(text).size() == text.size()) return {};
  return fail(ErrorKind::Misconfigured,
              "{} begins or ends with a space or contains a line end: set it again without it",
              variable);
}

KeyFound find_key(const ProviderRow& row, const files::Environment& settings) {
  for (const std::string_view variable : row.key_variables) {
    if (variable.empty()) continue;
    if (auto value = settings.find(variable))
      return {std::string(variable), Secret(std::move(*value))};
  }
  return {};
}

std::string find_base_url(const ProviderRow& row, const ModelOptions& options,
                          const files::Environment& settings) {
  if (options.base_url) return without_trailing_slash(*options.base_url);
  if (!row.base_url_variable.empty())
    if (auto url = settings.find(row.base_url_variable))
      return without_trailing_slash(std::move(*url));
  return std::string(row.base_url);
}

std::string variable_prefix(const std::string& rest) {
  return upper(replace_all(rest.substr(0, rest.find('/')), "-", "_"));
}

Result<Access> find_access(const ProviderRow& row, const ModelOptions& options,
                           const files::Environment& settings) {
  KeyFound found = find_key(row, settings);
  // A server of one's own, named by `base_url`, may well need no key.
  if (found.key.empty() && row.key_need == KeyNeed::Required && !options.base_url)
    return fail(ErrorKind::Unauthorized, "{} needs a key: set {} in the environment or in .env{}",
                row.name, row.key_variables[0], render_unread(settings));
  RETURN_IF_ERROR(check_key(found.variable, found.key));
  if (!options.base_url) {
    RETURN_IF_ERROR(files::check_same_source(settings, row.base_url_variable, found.variable));
  }
  Access access{find_base_url(row, options, settings), std::move(found.key)};
  RETURN_IF_ERROR(check_address(access.address,
                                fmt::format("set {} or give `base_url`", row.base_url_variable)));
  return access;
}

Result<Access> find_named_access(const std::string& rest, const ModelOptions& options,
                                 const files::Environment& settings) {
  const std::string prefix = variable_prefix(rest);
  const auto known = settings.find(prefix + "_BASE_URL");
  Access access{without_trailing_slash(options.base_url.value_or(
                    known.value_or(settings.find(kAnyServer).value_or("")))),
                Secret(settings.find(prefix + "_API_KEY").value_or(""))};
  RETURN_IF_ERROR(
      check_address(access.address, fmt::format("set {}_BASE_URL or give `base_url`", prefix)));
  RETURN_IF_ERROR(check_key(prefix + "_API_KEY", access.key));
  if (!options.base_url) {
    RETURN_IF_ERROR(files::check_same_source(settings, prefix + "_BASE_URL", prefix + "_API_KEY"));
  }
  return access;
}

}  // namespace personascope::llm
