#include "report/chart/escape.hpp"

#include "base/text.hpp"

namespace personascope::report {
namespace {

// U+FFFE and U+FFFF, which are valid UTF-8 and forbidden in XML.
bool is_forbidden_in_xml(std::string_view rest) {
  return rest.size() >= 3 && rest[0] == '\xEF' && rest[1] == '\xBF' &&
         (rest[2] == '\xBE' || rest[2] == '\xBF');
}

}  // namespace

std::string escape_markup(std::string_view text) {
  const std::string safe = printable(text, Newlines::Keep);
  std::string result;
  result.reserve(safe.size());
  for (std::size_t i = 0; i < safe.size(); ++i) {
    switch (safe[i]) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        if (is_forbidden_in_xml(std::string_view(safe).substr(i))) {
          result += "\xEF\xBF\xBD";
          i += 2;
        } else {
          result += safe[i];
        }
    }
  }
  return result;
}

}  // namespace personascope::report
