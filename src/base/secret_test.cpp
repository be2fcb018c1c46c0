#include "base/secret.hpp"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <vector>

namespace personascope {
namespace {

template <class T>
concept Streamable = requires(std::ostream& out, const T& value) { out << value; };

std::vector<Secret> secrets_of(const std::vector<std::string>& values) {
  std::vector<Secret> secrets;
  for (const std::string& value : values) secrets.emplace_back(value);
  return secrets;
}

std::string feed_in_pieces(std::string_view text, std::size_t size,
                           const std::vector<Secret>& secrets) {
  Redactor redactor(secrets);
  std::string shown;
  for (std::size_t i = 0; i < text.size(); i += size) shown += redactor.feed(text.substr(i, size));
  return shown + redactor.finish();
}

TEST(Secret, HasNoTextUnlessRevealed) {
  static_assert(!Streamable<Secret>);
  static_assert(!std::is_convertible_v<Secret, std::string>);
  static_assert(!std::is_convertible_v<std::string, Secret>);
  EXPECT_EQ(Secret("sk-1").reveal(), "sk-1");
  EXPECT_TRUE(Secret().empty());
}

struct RedactCase {
  std::string text;
  std::vector<std::string> secrets;
  std::string shown;
};

const std::vector<RedactCase>& redact_cases() {
  static const std::vector<RedactCase> cases{
      {"nothing here", {"sk-12345"}, "nothing here"},
      {"sk-12345", {"sk-12345"}, "[redacted]"},
      {"key sk-12345, again sk-12345.", {"sk-12345"}, "key [redacted], again [redacted]."},
      {"sk-sk-12345", {"sk-12345"}, "sk-[redacted]"},
      {"sk-1234", {"sk-12345"}, "sk-1234"},
      {"abcabcabca", {"abca"}, "[redacted]"},
      // The longer one first, or its end would stay.
      {"sk-12345-more", {"sk-12345", "sk-12345-more"}, "[redacted]"},
      {"sk-12345-mo", {"sk-12345", "sk-12345-more"}, "[redacted]-mo"},
      // Too short to be told from ordinary words.
      {"the abc", {"abc", ""}, "the abc"},
      {"[redacted]", {"redact"}, "[[redacted]ed]"},
      // As JSON and URLs spell it.
      {R"({"k":"a\/b+c=="})", {"a/b+c=="}, R"({"k":"[redacted]"})"},
      {R"(say \"pa\\ss\")", {R"("pa\ss")"}, "say [redacted]"},
      {"?key=a%2Fb%2Bc%3D%3D&x", {"a/b+c=="}, "?key=[redacted]&x"},
      {std::string("\0\xFF key\xFF\xFE", 8), {"key\xFF\xFE"}, std::string("\0\xFF [redacted]", 13)},
      {"", {"sk-12345"}, ""},
      {"text", {}, "text"},
  };
  return cases;
}

TEST(Secret, RedactReplacesEverySpellingOfEverySecret) {
  for (const RedactCase& row : redact_cases())
    EXPECT_EQ(redact(row.text, secrets_of(row.secrets)), row.shown) << row.text;
}

TEST(Secret, TextInPiecesIsRedactedAsIfItWereWhole) {
  for (const RedactCase& row : redact_cases())
    for (std::size_t size = 1; size <= 9; ++size)
      EXPECT_EQ(feed_in_pieces(row.text, size, secrets_of(row.secrets)), row.shown)
          << row.text << " in pieces of " << size;
}

TEST(Secret, HarmlessTextIsNotHeldBack) {
  Redactor redactor(secrets_of({"sk-12345"}));
  EXPECT_EQ(redactor.feed("hello"), "hello");
  EXPECT_EQ(redactor.feed(" sk"), " ");
  EXPECT_EQ(redactor.feed("ating"), "skating");
  EXPECT_EQ(redactor.finish(), "");
}

TEST(Secret, ALongTextIsRedactedInLinearTime) {
  const std::string text(8u << 20, 's');
  EXPECT_EQ(redact(text, secrets_of({"ssssssssk", "sk-12345"})), text);
}

struct UrlCase {
  const char* url;
  const char* credentials;
  const char* without;
};

TEST(Secret, AUrlLosesItsUserAndPasswordAndNothingElse) {
  const UrlCase cases[] = {
      {"https://host/", "", "https://host/"},
      {"https://user:pw@host/v1", "user:pw", "https://host/v1"},
      {"https://token@host:80?x", "token", "https://host:80?x"},
      {"https://u:p@ss@host/", "u:p@ss", "https://host/"},
      {"https://host/@cf/model", "", "https://host/@cf/model"},
      {"https://host?q=a@b", "", "https://host?q=a@b"},
      {"https://host#a@b", "", "https://host#a@b"},
      {"user:pw@host/v1", "user:pw", "host/v1"},
      {"http:/user:pw@host/", "user:pw", "http:/host/"},
      {"http:///user:pw@host/", "user:pw", "http:///host/"},
      {"https://@host", "", "https://@host"},
      {"https://", "", "https://"},
      {"http:////", "", "http:////"},
      {"@", "", "@"},
      {"", "", ""},
  };
  for (const UrlCase& row : cases) {
    EXPECT_EQ(credentials_of(row.url), row.credentials) << row.url;
    EXPECT_EQ(without_credentials(row.url), row.without) << row.url;
  }
}

}  // namespace
}  // namespace personascope
