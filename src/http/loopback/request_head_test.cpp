#include "http/loopback/request_head.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace personascope::http::loopback {
namespace {

using std::string_view_literals::operator""sv;

TEST(RequestHead, ReadsMethodTargetAndHeaders) {
  const auto head = parse_request_head(
      "POST /a?b=c HTTP/1.1\r\nHost: x:1\r\nX-Key:\t v w \r\nEmpty:\r\nContent-Length: 12");
  ASSERT_TRUE(head) << head.error().message;
  EXPECT_EQ(head->request.method, "POST");
  EXPECT_EQ(head->request.target, "/a?b=c");
  EXPECT_EQ(*head->request.find_header("x-key"), "v w");
  EXPECT_EQ(*head->request.find_header("empty"), "");
  EXPECT_EQ(head->request.find_header("absent"), nullptr);
  EXPECT_EQ(head->content_length, 12);
  EXPECT_TRUE(head->keep_alive);
}

TEST(RequestHead, KnowsWhoKeepsTheConnection) {
  EXPECT_TRUE(parse_request_head("GET / HTTP/1.1")->keep_alive);
  EXPECT_FALSE(parse_request_head("GET / HTTP/1.1\r\nConnection: Close")->keep_alive);
  EXPECT_FALSE(parse_request_head("GET / HTTP/1.0")->keep_alive);
  EXPECT_TRUE(parse_request_head("GET / HTTP/1.0\r\nConnection: keep-alive")->keep_alive);
}

TEST(RequestHead, RefusesWhatItWouldHaveToGuessAbout) {
  for (const std::string_view text :
       {""sv, "nonsense"sv, "GET /"sv, "GET  / HTTP/1.1"sv, "GET / HTTP/2"sv, "G(T / HTTP/1.1"sv,
        "GET /\1 HTTP/1.1"sv, "GET / HTTP/1.1\r\n"sv, "GET / HTTP/1.1\r\nno colon"sv,
        "GET / HTTP/1.1\r\n: no name"sv, "GET / HTTP/1.1\r\nname : blank"sv,
        "GET / HTTP/1.1\r\na: b\r\n folded"sv, "GET / HTTP/1.1\r\na: \0"sv,
        "GET / HTTP/1.1\r\na: b\nc: d"sv, "POST / HTTP/1.1\r\nContent-Length: -1"sv,
        "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999"sv,
        "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1"sv,
        "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked"sv,
        "POST / HTTP/1.1\r\nTransfer-Encoding: gzip"sv}) {
    const auto head = parse_request_head(text);
    ASSERT_FALSE(head) << text;
    EXPECT_EQ(head.error().kind, ErrorKind::Invalid) << text;
  }
}

TEST(RequestHead, FindsAChunksSize) {
  EXPECT_EQ(find_chunk_size("1a"), 26);
  EXPECT_EQ(find_chunk_size("A;name=value"), 10);
  EXPECT_EQ(find_chunk_size(""), std::nullopt);
  EXPECT_EQ(find_chunk_size("-1"), std::nullopt);
  EXPECT_EQ(find_chunk_size("xyz"), std::nullopt);
  EXPECT_EQ(find_chunk_size("fffffffffffffffff"), std::nullopt);
}

}  // namespace
}  // namespace personascope::http::loopback
