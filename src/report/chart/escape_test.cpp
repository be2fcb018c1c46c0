#include "report/chart/escape.hpp"

#include <gtest/gtest.h>

#include <string>

namespace personascope::report {
namespace {

struct EscapeCase {
  const char* text;
  const char* escaped;
};

TEST(EscapeMarkup, MakesMarkupHarmless) {
  const EscapeCase cases[] = {
      {"plain", "plain"},
      {"<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"},
      {"\" onmouseover=\"x", "&quot; onmouseover=&quot;x"},
      {"' onload='x", "&#39; onload=&#39;x"},
      {"&lt;", "&amp;lt;"},
      {"]]>", "]]&gt;"},
      {"\x1b[31mred", "\xEF\xBF\xBD[31mred"},
      {"a\xE2\x80\xAE"
       "b",
       "ab"},                              // right-to-left override
      {"a\xEF\xBF\xBF", "a\xEF\xBF\xBD"},  // U+FFFF
      {"\xFF", "\xEF\xBF\xBD"},            // not UTF-8
      {"two\nlines\t.", "two\nlines\t."},
      {"日本", "日本"},
  };
  for (const EscapeCase& one : cases) EXPECT_EQ(escape_markup(one.text), one.escaped);
}

TEST(EscapeMarkup, TakesLongTexts) {
  const std::string escaped = escape_markup(std::string(1 << 20, '<'));
  EXPECT_EQ(escaped.size(), 4u << 20);
  EXPECT_EQ(escaped.find('<'), std::string::npos);
}

}  // namespace
}  // namespace personascope::report
