#include "http/loopback_server.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "http/loopback_provider.hpp"

namespace personascope::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr std::size_t kFew = 64 << 10;

// A blocking connection that gives up after five silent seconds.
class Peer {
 public:
  explicit Peer(std::uint16_t port) {
    socket_.connect({asio::ip::address_v4::loopback(), port});
    set_patience(seconds(5));
  }

  void set_patience(milliseconds patience) {
    const auto count = patience.count();
    const timeval time{count / 1000, (count % 1000) * 1000};
    setsockopt(socket_.native_handle(), SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
  }

  void send(std::string_view bytes) { asio::write(socket_, asio::buffer(bytes), ignored_); }

  // What arrives until `end` is among it or nothing more comes.
  std::string read_until(std::string_view end, std::size_t most = kFew) {
    std::string text;
    while (text.size() < most && text.find(end) == std::string::npos) {
      char bytes[4096];
      const ssize_t count = recv(socket_.native_handle(), bytes, sizeof bytes, 0);
      ended_ = count == 0 || (count < 0 && errno == ECONNRESET);
      if (count <= 0) break;
      text.append(bytes, static_cast<std::size_t>(count));
    }
    return text;
  }
  std::string read_all() { return read_until("\n(no such line)\n"); }
  bool ended() const { return ended_; }

 private:
  asio::io_context context_;
  tcp::socket socket_{context_};
  boost::system::error_code ignored_;
  bool ended_ = false;
};

LoopbackServer start(LoopbackHandler handler, LoopbackOptions options = {}) {
  return LoopbackServer::start(std::move(handler), options).value();
}

LoopbackServer start_with(LoopbackReply reply) {
  return start([reply](const LoopbackRequest&) { return reply; });
}

LoopbackReply echo_back(const LoopbackRequest& request) {
  LoopbackReply reply;
  reply.body = request.method + " " + request.target + " [" + request.body + "] end";
  return reply;
}

constexpr std::string_view kGet = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n";

TEST(LoopbackServer, AnswersManyRequestsOnOneConnection) {
  const auto server = start(echo_back);
  Peer peer(server.port());
  for (int i = 0; i < 3; ++i) {
    peer.send("POST /a?b HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello");
    EXPECT_EQ(peer.read_until("end"),
              "HTTP/1.1 200 OK\r\nContent-Length: 21\r\n\r\nPOST /a?b [hello] end");
  }
}

TEST(LoopbackServer, AnswersRequestsThatWereSentTogether) {
  const auto server = start(echo_back);
  Peer peer(server.port());
  peer.send("GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\nConnection: close\r\n\r\n");
  const std::string text = peer.read_all();
  EXPECT_NE(text.find("GET /1 [] end"), std::string::npos);
  EXPECT_NE(text.find("GET /2 [] end"), std::string::npos);
  EXPECT_TRUE(peer.ended());
}

TEST(LoopbackServer, ReadsABodyThatComesInPiecesOrChunks) {
  const auto server = start(echo_back);
  Peer peer(server.port());
  peer.send("POST / HTTP/1.1\r\nContent-Le");
  std::this_thread::sleep_for(milliseconds(20));
  peer.send("ngth: 4\r\n\r\nab");
  std::this_thread::sleep_for(milliseconds(20));
  peer.send("cd");
  EXPECT_NE(peer.read_until("end").find("[abcd]"), std::string::npos);
  peer.send(
      "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nab\r\nA\r\n0123456789\r\n");
  peer.send("0\r\nTrailer: t\r\n\r\n");
  EXPECT_NE(peer.read_until("end").find("[ab0123456789]"), std::string::npos);
}

TEST(LoopbackServer, InvitesABodyThatIsHeldBack) {
  const auto server = start(echo_back);
  Peer peer(server.port());
  peer.send("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(peer.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  peer.send("ok");
  EXPECT_NE(peer.read_until("end").find("[ok]"), std::string::npos);
}

TEST(LoopbackServer, AnswersNonsenseWithItsStatusAndCloses) {
  const auto server = start(echo_back, {.limits = {.head_bytes = 1000, .body_bytes = 100}});
  const std::vector<std::pair<std::string, std::string>> cases{
      {"\x16\x03\x01\x02", "400"},
      {"GET /\r\n\r\n", "400"},
      {"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "400"},
      {"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", "400"},
      {"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n", "413"},
      {"POST / HTTP/1.1\r\nContent-Length: 101\r\n\r\n", "413"},
      {"GET / HTTP/1.1\r\nlong: " + std::string(2000, 'a'), "413"},
  };
  for (const auto& [sent, status] : cases) {
    Peer peer(server.port());
    peer.send(sent);
    const std::string answer = peer.read_all();
    EXPECT_EQ(answer.substr(0, 12), "HTTP/1.1 " + status) << sent;
    EXPECT_TRUE(peer.ended()) << sent;
  }
}

TEST(LoopbackServer, TurnsAThrowingHandlerInto500) {
  const auto server =
      start([](const LoopbackRequest&) -> LoopbackReply { throw std::runtime_error("oops"); });
  Peer peer(server.port());
  peer.send(kGet);
  EXPECT_EQ(peer.read_until("oops").substr(0, 12), "HTTP/1.1 500");
}

TEST(LoopbackServer, DelaysAReplyWithoutHoldingUpOthers) {
  const auto server = start([](const LoopbackRequest& request) {
    LoopbackReply reply = echo_back(request);
    if (request.target == "/slow") reply.delay = milliseconds(300);
    return reply;
  });
  Peer slow(server.port());
  Peer quick(server.port());
  const TimePoint start_time = SteadyClock::now();
  slow.send("GET /slow HTTP/1.1\r\n\r\n");
  quick.send(kGet);
  EXPECT_NE(quick.read_until("end"), "");
  EXPECT_NE(slow.read_until("end").find("/slow"), std::string::npos);
  EXPECT_GE(SteadyClock::now() - start_time, milliseconds(300));
}

TEST(LoopbackServer, ClosesWithoutAnAnswer) {
  const auto server = start_with({.close_without_answer = true});
  Peer peer(server.port());
  peer.send(kGet);
  EXPECT_EQ(peer.read_all(), "");
  EXPECT_TRUE(peer.ended());
}

TEST(LoopbackServer, CutsABodyShortOfItsContentLength) {
  const auto server = start_with({.body = "0123456789", .cut_after_bytes = 4});
  Peer peer(server.port());
  peer.send(kGet);
  EXPECT_EQ(peer.read_all(), "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123");
  EXPECT_TRUE(peer.ended());
}

TEST(LoopbackServer, FallsSilentInTheMiddleOfABody) {
  const auto server = start_with({.body = "0123456789", .stall_after_bytes = 4});
  Peer peer(server.port());
  peer.send(kGet);
  EXPECT_EQ(peer.read_until("0123"), "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123");
  peer.set_patience(milliseconds(200));
  EXPECT_EQ(peer.read_all(), "");
  EXPECT_FALSE(peer.ended());
}

TEST(LoopbackServer, SendsChunksEachAfterItsDelay) {
  const auto server =
      start_with({.chunks = {{"data: 1\n\n", milliseconds(0)}, {"data: 2\n\n", milliseconds(50)}}});
  Peer peer(server.port());
  const TimePoint start_time = SteadyClock::now();
  peer.send(kGet);
  EXPECT_EQ(peer.read_until("0\r\n\r\n"),
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            "9\r\ndata: 1\n\n\r\n9\r\ndata: 2\n\n\r\n0\r\n\r\n");
  EXPECT_GE(SteadyClock::now() - start_time, milliseconds(50));
  peer.send(kGet);  // the connection still serves
  EXPECT_NE(peer.read_until("0\r\n\r\n"), "");
}

TEST(LoopbackServer, CutsChunksToo) {
  const auto server = start_with({.chunks = {{"abcd", {}}, {"efgh", {}}}, .cut_after_bytes = 6});
  Peer peer(server.port());
  peer.send(kGet);
  EXPECT_TRUE(peer.read_all().ends_with("4\r\nabcd\r\n4\r\nef"));
  EXPECT_TRUE(peer.ended());
}

TEST(LoopbackServer, SendsFillerOfTheSizeAsked) {
  constexpr std::size_t kBytes = 3'000'001;
  const auto server = start_with({.body = "start", .body_bytes = kBytes});
  Peer peer(server.port());
  peer.send(kGet);
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: 3000006\r\n\r\n";
  const std::size_t size = head.size() + 5 + kBytes;
  const std::string text = peer.read_until("never", size);
  EXPECT_TRUE(text.starts_with(head + "startxxx"));
  EXPECT_EQ(text.size(), size);
}

TEST(LoopbackServer, SendsWithoutEndUntilThePeerGoes) {
  std::atomic<int> in_flight = 0;
  const auto server = start([&](const LoopbackRequest& request) {
    in_flight = static_cast<int>(request.in_flight);
    LoopbackReply reply;
    reply.endless_body = request.target == "/endless";
    return reply;
  });
  {
    Peer peer(server.port());
    peer.send("GET /endless HTTP/1.1\r\n\r\n");
    EXPECT_GE(peer.read_until("never", 5'000'000).size(), 5'000'000);
  }
  for (int i = 0; i < 100; ++i) {  // the server learns of it with its next write
    Peer peer(server.port());
    peer.send(kGet);
    EXPECT_NE(peer.read_until("\r\n\r\n"), "");
    if (in_flight == 1) return;
    std::this_thread::sleep_for(milliseconds(20));
  }
  FAIL() << "the endless reply is still in flight";
}

TEST(LoopbackServer, StopsInTheMidstOfEverything) {
  auto server = start([](const LoopbackRequest& request) {
    LoopbackReply reply;
    reply.endless_body = request.target == "/endless";
    reply.delay = request.target == "/slow" ? milliseconds(60'000) : milliseconds(0);
    return reply;
  });
  Peer slow(server.port()), endless(server.port()), idle(server.port()), half(server.port());
  slow.send("GET /slow HTTP/1.1\r\n\r\n");
  endless.send("GET /endless HTTP/1.1\r\n\r\n");
  half.send("POST / HTTP/1.1\r\nContent-Length: 100\r\n\r\nab");
  EXPECT_NE(endless.read_until("x"), "");
  server.stop();
  server.stop();
  slow.read_all();
  EXPECT_TRUE(slow.ended());
}

TEST(LoopbackServer, SaysWhyItCannotStart) {
  const auto first = start(echo_back);
  const auto second = LoopbackServer::start(echo_back, {.port = first.port()});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::Invalid);
}

TEST(LoopbackServer, ServesTheProviderToManyConnections) {
  LoopbackProvider provider({.latency = milliseconds(20)});
  const auto server = start(provider.handler());
  const std::string body = R"({"model":"m","messages":[{"role":"user","content":"hi"}]})";
  const std::string request = fmt::format(
      "POST /v1/chat/completions HTTP/1.1\r\nContent-Length: {}\r\n\r\n{}", body.size(), body);
  std::vector<std::unique_ptr<Peer>> peers;
  for (int i = 0; i < 100; ++i) peers.push_back(std::make_unique<Peer>(server.port()));
  for (int round = 0; round < 3; ++round) {
    for (auto& peer : peers) peer->send(request);
    for (auto& peer : peers) EXPECT_NE(peer->read_until("}}").find("answer "), std::string::npos);
  }
  const LoopbackStatistics statistics = provider.statistics();
  EXPECT_EQ(statistics.requests, 300);
  EXPECT_EQ(statistics.distinct, 1);
  EXPECT_EQ(statistics.most_asked, 300);
  EXPECT_LE(statistics.in_flight_peak, 100);
  EXPECT_EQ(statistics.by_status.at(200), 300);
}

}  // namespace
}  // namespace personascope::http
