// Secrets taken out of a text. Input: the text, "----", a secret a line.
#include <vector>

#include "base/secret.hpp"
#include "property.hpp"

using namespace personascope;

static constexpr std::string_view kMark = "[redacted]";

// The bytes of `text` that belong to no occurrence of a secret.
static std::string make_uncovered(std::string_view text, const std::vector<Secret>& secrets) {
  std::vector<bool> covered(text.size());
  for (const Secret& secret : secrets) {
    const std::string& value = secret.reveal();
    if (value.size() < 4) continue;
    for (std::size_t at = text.find(value); at != text.npos; at = text.find(value, at + 1))
      std::fill_n(covered.begin() + static_cast<std::ptrdiff_t>(at), value.size(), true);
  }
  std::string rest;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (!covered[i]) rest += text[i];
  return rest;
}

FUZZ_TARGET(redact, bytes) {
  const auto [text, list] = fuzz::cut(bytes);
  std::vector<Secret> secrets;
  for (const std::string_view line : split(list, '\n')) secrets.emplace_back(std::string(line));
  const std::string redacted = redact(text, secrets);
  if (text.find('[') == text.npos)
    fuzz::require(replace_all(redacted, kMark, "") == make_uncovered(text, secrets),
                  "redacting takes out the secrets and nothing else");

  const std::string url = without_credentials(text);
  fuzz::require(credentials_of(url).empty() || credentials_of(text).empty(),
                "a URL has its credentials taken out");
}
