#include "llm/providers/aws_profiles.hpp"

#include <gtest/gtest.h>

namespace personascope::llm {
namespace {

// "[section]name=value,name=value[section]..." in order.
std::string render(const AwsSections& sections) {
  std::string text;
  for (const auto& [title, settings] : sections) {
    text += "[" + title + "]";
    for (const auto& [name, value] : settings) text += name + "=" + value + ",";
  }
  return text;
}

TEST(AwsProfiles, ReadsWhatPeopleWrite) {
  struct Case {
    std::string_view text;
    std::string_view sections;
  };
  for (const Case& c : {
           Case{"", ""},
           Case{"[default]", "[default]"},
           Case{"[default]\nregion = eu-west-1\n", "[default]region=eu-west-1,"},
           Case{"\xEF\xBB\xBF[a]\r\nk=v\r\n", "[a]k=v,"},
           Case{"# a note\n; another\n\n[a] # why\nk=v\n", "[a]k=v,"},
           Case{"[ profile\t  work ]\nk=v", "[profile work]k=v,"},
           Case{"[a]\nAWS_Access_Key_Id = AK\n", "[a]aws_access_key_id=AK,"},
           Case{"[a]\nk = a=b#c;d\n", "[a]k=a=b#c;d,"},
           Case{"[a]\nk = v # note\nl = w\t; note\nm = # note\n", "[a]k=v,l=w,m=,"},
           Case{"[a]\nk=1\n[b]\nk=2\n[a]\nk=3\n", "[a]k=3,[b]k=2,"},
           Case{"[a]\n  k=1\n  l=2\n[b]\nk=3\n", "[a]k=1,l=2,[b]k=3,"},
           Case{"[a]\ns3 =\n  max = 5\n  no sign here\nk=1\n", "[a]k=1,s3=,"},
           Case{"[a]\nk =\n", "[a]k=,"},
       }) {
    const auto sections = parse_aws_sections(c.text);
    ASSERT_TRUE(sections.has_value()) << c.text << sections.error().message;
    EXPECT_EQ(render(*sections), c.sections) << c.text;
  }
}

TEST(AwsProfiles, NamesTheLineThatIsWrongAndNotItsText) {
  struct Case {
    std::string_view text;
    std::string_view message;
  };
  for (const Case& c : {
           Case{"k=hidden", "line 1: a setting before the first [section]"},
           Case{"[a\nk=hidden", "line 1: not of the form [section]"},
           Case{"\n[]\n", "line 2: not of the form [section]"},
           Case{"[  ]\n", "line 1: not of the form [section]"},
           Case{"[a] hidden\n", "line 1: not of the form [section]"},
           Case{"[a]\nk=1\nhidden\n", "line 3: not of the form name = value"},
           Case{"[a]\n= hidden\n", "line 2: not of the form name = value"},
           Case{std::string_view("\0\0[", 3), "line 1: not of the form name = value"},
       }) {
    const auto sections = parse_aws_sections(c.text);
    ASSERT_FALSE(sections.has_value()) << c.text;
    EXPECT_EQ(sections.error().kind, ErrorKind::Invalid);
    EXPECT_EQ(sections.error().message, c.message) << c.text;
  }
}

}  // namespace
}  // namespace personascope::llm
