// The text of AWS's shared files, ~/.aws/credentials and ~/.aws/config.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace personascope::llm {

// Names in lower case.
using AwsSettings = std::map<std::string, std::string, std::less<>>;
// By section title as written, blanks made single: "default", "profile work", "sso-session home".
using AwsSections = std::map<std::string, AwsSettings, std::less<>>;

// `[section]` lines, `name = value` lines below them, comments after # or ;. A section may come
// twice: the later value wins. Settings nested below another by deeper indentation are skipped.
// Fails as Invalid with the line number, never with the line's text: it may be a secret.
Result<AwsSections> parse_aws_sections(std::string_view text);

}  // namespace personascope::llm
