#include "files/safe_name.hpp"

#include <gtest/gtest.h>

namespace personascope::files {
namespace {

TEST(SafeName, LeavesWhatCanBeAFileNameAlone) {
  for (const char* text :
       {"A 71-year-old retired nurse from Italy, volunteering", "it's \"quoted\"", "a..b", "née",
        "\xF0\x9F\x91\xBD diplomat", "a: b? <c> |*"})
    EXPECT_EQ(make_safe_name(text), text);
}

TEST(SafeName, NeverGivesAPath) {
  EXPECT_EQ(make_safe_name("../../etc/passwd").substr(0, 10), "etc-passwd");
  for (const std::string text : {"..", ".", "/", "a/b", "a\\b", ".hidden", "", " blank", "blank ",
                                 "tab\there", "nul\x01", "\xff\xfe"}) {
    const std::string name = make_safe_name(text);
    EXPECT_TRUE(is_safe_name(name)) << name;
    EXPECT_NE(name, text);
    EXPECT_EQ(name.find('/'), std::string::npos);
  }
}

TEST(SafeName, CutsLongTextsAndTellsThemApart) {
  const std::string long_text(300, 'x');
  EXPECT_LT(make_safe_name(long_text).size(), 100u);
  EXPECT_NE(make_safe_name(long_text), make_safe_name(long_text + "y"));
}

}  // namespace
}  // namespace personascope::files
