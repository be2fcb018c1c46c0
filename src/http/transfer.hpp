// One exchange in progress: a curl easy handle and what it has received. Private to the client.
#pragma once

#include <curl/curl.h>

#include <array>
#include <string>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "http/client.hpp"
#include "sched/signal.hpp"

namespace personascope::http {

class Transfer {
 public:
  // `request` has passed check_request(). `received` counts the bytes that all exchanges of the
  // client hold; borrowed.
  Transfer(sched::Loop& loop, CURL* easy, Request request, std::size_t& received);
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  CURL* easy() const { return easy_; }
  sched::Signal& done() { return done_; }

  // Ends the exchange with curl's verdict, or with one of our own. The first end counts.
  void end(CURLcode code);
  void end(Error error);
  bool ended() const { return ended_; }

  // Whether the answer began and then fell silent for too long.
  bool is_idle(TimePoint now) const;
  const Timeouts& timeouts() const { return request_.timeouts; }

  // The answer, once ended; nothing of the secrets is left in it.
  Result<Response> take_result();

 private:
  static std::size_t on_header(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t on_body(char* data, std::size_t size, std::size_t count, void* self);
  void prepare();
  void deliver(std::string_view piece);
  int status() const;
  bool is_good() const { return status() >= 200 && status() < 300; }
  // Whether the client holds so much that this answer, being a large one, must give way.
  bool is_crowded_out() const;
  void release_body();
  // Whether it failed before the request could be sent: name, connection, certificate.
  bool is_without_connection(CURLcode code) const;
  Error explain(CURLcode code) const;

  CURL* easy_;
  curl_slist* headers_ = nullptr;
  Request request_;
  Response response_;
  std::optional<Error> error_;
  bool ended_ = false;
  bool too_large_ = false;
  std::size_t header_bytes_ = 0;
  Redactor redactor_;
  bool crowded_out_ = false;
  bool has_head_ = false;  // on_head was called
  std::size_t body_bytes_ = 0;
  std::size_t& received_;
  std::size_t counted_ = 0;  // this one's part of it
  std::optional<TimePoint> last_byte_at_;
  std::array<char, CURL_ERROR_SIZE> message_{};
  sched::Signal done_;
};

}  // namespace personascope::http
