#include "llm/providers/sigv4.hpp"

#include <gtest/gtest.h>

namespace personascope::llm {
namespace {

constexpr std::string_view kHost = "https://example.amazonaws.com";
constexpr std::string_view kUnreserved =
    "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
// 2015-08-30T12:36:00Z, the moment of AWS's published test suite.
const std::chrono::system_clock::time_point kMoment{std::chrono::seconds(1'440'938'160)};

AwsCredentials suite_credentials(std::string session_token = "") {
  return {"AKIDEXAMPLE", Secret("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
          Secret(std::move(session_token))};
}

http::Request make_request(std::string method, std::string url,
                           std::vector<http::Header> headers = {}, std::string body = "") {
  http::Request request;
  request.method = std::move(method);
  request.url = std::move(url);
  request.headers = std::move(headers);
  request.body = std::move(body);
  return request;
}

std::string value_of(const std::vector<http::Header>& headers, std::string_view name) {
  for (const http::Header& header : headers)
    if (header.name == name) return header.value;
  return "";
}

std::string line_of(const std::string& text, std::size_t number) {
  std::size_t start = 0;
  for (std::size_t i = 0; i < number; ++i) start = text.find('\n', start) + 1;
  return text.substr(start, text.find('\n', start) - start);
}

std::string canonical_path(const std::string& path) {
  return line_of(render_canonical_request(make_request("GET", std::string(kHost) + path)), 1);
}

std::string canonical_query(const std::string& query) {
  return line_of(render_canonical_request(make_request("GET", std::string(kHost) + "/" + query)),
                 2);
}

TEST(SigV4, SignsThePublishedTestSuiteAsPublished) {
  struct Case {
    std::string_view name;
    std::string_view method;
    std::string path;
    std::vector<http::Header> headers;
    std::string_view body;
    std::string_view signed_headers;
    std::string_view signature;
  };
  const std::string unreserved(kUnreserved);
  // clang-format off
  const std::vector<Case> cases{
      {"get-vanilla", "GET", "/", {}, "", "host;x-amz-date",
       "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
      {"post-vanilla", "POST", "/", {}, "", "host;x-amz-date",
       "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"},
      {"get-unreserved", "GET", "/" + unreserved, {}, "", "host;x-amz-date",
       "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"},
      {"get-utf8", "GET", "/ሴ", {}, "", "host;x-amz-date",
       "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"},
      {"get-space", "GET", "/example space/", {}, "", "host;x-amz-date",
       "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"},
      {"get-relative", "GET", "/example/..", {}, "", "host;x-amz-date",
       "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
      {"get-slashes", "GET", "//example//", {}, "", "host;x-amz-date",
       "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84"},
      {"get-slash-pointless-dot", "GET", "/./example", {}, "", "host;x-amz-date",
       "ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5"},
      {"get-vanilla-query", "GET", "/?Param1=value1", {}, "", "host;x-amz-date",
       "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"},
      {"get-vanilla-query-order-key-case", "GET", "/?Param2=value2&Param1=value1", {}, "",
       "host;x-amz-date", "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"},
      {"get-vanilla-query-order-value", "GET", "/?Param1=value2&Param1=value1", {}, "",
       "host;x-amz-date", "5772eed61e12b33fae39ee5e7012498b51d56abc0abb7c60486157bd471c4694"},
      {"get-vanilla-query-unreserved", "GET", "/?" + unreserved + "=" + unreserved, {}, "",
       "host;x-amz-date", "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"},
      {"get-vanilla-utf8-query", "GET", "/?ሴ=bar", {}, "", "host;x-amz-date",
       "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"},
      {"get-header-key-duplicate", "GET", "/",
       {{"My-Header1", "value2"}, {"My-Header1", "value2"}, {"My-Header1", "value1"}}, "",
       "host;my-header1;x-amz-date",
       "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"},
      {"get-header-value-trim", "GET", "/",
       {{"My-Header1", " value1"}, {"My-Header2", " \"a   b   c\""}}, "",
       "host;my-header1;my-header2;x-amz-date",
       "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"},
      {"post-x-www-form-urlencoded", "POST", "/",
       {{"Content-Type", "application/x-www-form-urlencoded"}}, "Param1=value1",
       "content-type;host;x-amz-date",
       "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"},
  };
  // clang-format on
  for (const Case& c : cases) {
    const auto request = make_request(std::string(c.method), std::string(kHost) + c.path, c.headers,
                                      std::string(c.body));
    const auto added = sign(request, suite_credentials(), {"us-east-1", "service"}, kMoment);
    EXPECT_EQ(value_of(added, "X-Amz-Date"), "20150830T123600Z") << c.name;
    EXPECT_EQ(value_of(added, "Authorization"),
              fmt::format("AWS4-HMAC-SHA256 "
                          "Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                          "SignedHeaders={}, Signature={}",
                          c.signed_headers, c.signature))
        << c.name;
  }
}

TEST(SigV4, SignsTheSessionTokenWithTheRest) {
  const auto added = sign(make_request("POST", std::string(kHost)), suite_credentials("token"),
                          {"us-east-1", "service"}, kMoment);
  ASSERT_EQ(added.size(), 3u);
  EXPECT_EQ(value_of(added, "X-Amz-Security-Token"), "token");
  EXPECT_NE(
      value_of(added, "Authorization").find("SignedHeaders=host;x-amz-date;x-amz-security-token,"),
      std::string::npos);
}

TEST(SigV4, EncodesAModelIdForTheWireAndOnceMoreForTheSignature) {
  struct Case {
    std::string_view id;
    std::string_view on_the_wire;
    std::string_view signed_path;
  };
  for (const Case& c : {
           Case{"anthropic.claude-v2:1", "anthropic.claude-v2%3A1", "anthropic.claude-v2%253A1"},
           Case{"arn:aws:x/y", "arn%3Aaws%3Ax%2Fy", "arn%253Aaws%253Ax%252Fy"},
           Case{"a b+c%", "a%20b%2Bc%25", "a%2520b%252Bc%2525"},
           Case{"é", "%C3%A9", "%25C3%25A9"},
       }) {
    EXPECT_EQ(percent_encode(c.id), c.on_the_wire);
    EXPECT_EQ(canonical_path("/model/" + percent_encode(c.id) + "/converse"),
              fmt::format("/model/{}/converse", c.signed_path));
  }
}

TEST(SigV4, BringsPathsIntoOneForm) {
  struct Case {
    std::string path;
    std::string_view canonical;
  };
  for (const Case& c : {Case{"", "/"}, Case{"?a=b", "/"}, Case{"/", "/"}, Case{"/a/./b", "/a/b"},
                        Case{"/a//b/", "/a/b/"}, Case{"/../a", "/a"}, Case{"/a/../", "/"},
                        Case{"/a#fragment", "/a"}, Case{"/a:b", "/a%3Ab"}})
    EXPECT_EQ(canonical_path(c.path), c.canonical) << c.path;
}

TEST(SigV4, BringsQueriesIntoOneForm) {
  struct Case {
    std::string query;
    std::string_view canonical;
  };
  for (const Case& c : {Case{"", ""}, Case{"?", ""}, Case{"?b=2&a=1", "a=1&b=2"}, Case{"?a", "a="},
                        Case{"?a=b=c", "a=b%3Dc"}, Case{"?a=%2f", "a=%2F"}, Case{"?a=/", "a=%2F"},
                        Case{"?&&a=1&", "a=1"}, Case{"?a=%", "a=%25"}, Case{"?a=%4", "a=%254"},
                        Case{"?a=%zz", "a=%25zz"}, Case{"?a=%41", "a=A"}})
    EXPECT_EQ(canonical_query(c.query), c.canonical) << c.query;
}

TEST(SigV4, NamesTheHostAsItIsSent) {
  struct Case {
    std::string url;
    std::string_view host;
  };
  for (const Case& c :
       {Case{"https://Example.COM/", "Example.COM"},
        Case{"https://example.com:443/", "example.com"},
        Case{"http://example.com:80", "example.com"},
        Case{"http://example.com:443/", "example.com:443"},
        Case{"https://user:p@ss@example.com:8443/a@b", "example.com:8443"},
        Case{"http://[::1]:9000/", "[::1]:9000"}, Case{"https://example.com?x=1", "example.com"}})
    EXPECT_EQ(line_of(render_canonical_request(make_request("GET", c.url)), 3),
              fmt::format("host:{}", c.host))
        << c.url;
}

TEST(SigV4, LeavesOutHeadersThatChangeOnTheWay) {
  const auto text = render_canonical_request(
      make_request("POST", std::string(kHost),
                   {{"User-Agent", "x"}, {"Expect", "y"}, {"Content-Type", "a\t b\r\n c"}}, "{}"));
  EXPECT_EQ(text,
            "POST\n/\n\ncontent-type:a b c\nhost:example.amazonaws.com\n\ncontent-type;host\n"
            "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
}

}  // namespace
}  // namespace personascope::llm
