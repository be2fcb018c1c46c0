// The yardstick for the engine: libcurl's multi interface on Asio, with neither JSON nor journal.
// Posts one fixed chat request again and again and prints what it cost as a line of JSON.
#include <curl/curl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <charconv>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kPromptBytes = 500;
constexpr long kMostConnects = 65536;

std::string make_body() {
  std::string prompt = "Which season do you like best, and why? ";
  while (prompt.size() < kPromptBytes) prompt += "Think of the weather, the food and the feasts. ";
  return R"({"model":"gpt-4o","temperature":0,"max_tokens":256,"messages":[{"role":"user","content":")" +
         prompt + R"("}]})";
}

// A connection of curl's, watched for as long as curl keeps it.
struct Watch {
  explicit Watch(asio::io_context& context, int socket) : descriptor(context, socket) {}
  ~Watch() { descriptor.release(); }

  asio::posix::stream_descriptor descriptor;
  int wanted = CURL_POLL_REMOVE;
  bool reading = false;
  bool writing = false;
};

class BareClient {
 public:
  BareClient(std::string url, std::size_t calls)
      : url_(std::move(url)), body_(make_body()), left_(calls), timer_(context_) {
    headers_ = curl_slist_append(nullptr, "Content-Type: application/json");
    headers_ = curl_slist_append(headers_, "Authorization: Bearer loopback");
    multi_ = curl_multi_init();
    curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
    curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, on_timer);
    curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
    curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, kMostConnects);
  }

  ~BareClient() {
    for (CURL* easy : handles_) curl_easy_cleanup(easy);
    curl_multi_cleanup(multi_);
    curl_slist_free_all(headers_);
  }
  BareClient(const BareClient&) = delete;
  BareClient& operator=(const BareClient&) = delete;

  void run(std::size_t in_flight) {
    for (std::size_t i = 0; i < in_flight && left_ > 0; ++i, --left_) {
      handles_.push_back(make_handle());
      curl_multi_add_handle(multi_, handles_.back());
    }
    context_.run();
  }

  std::size_t done() const { return done_; }
  std::size_t failed() const { return failed_; }
  std::size_t bytes() const { return bytes_; }
  std::size_t connections() const { return connections_; }

 private:
  CURL* make_handle() {
    CURL* easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_URL, url_.c_str());
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers_);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body_.data());
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, static_cast<long>(body_.size()));
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, this);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, on_close);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, this);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    return easy;
  }

  static std::size_t on_body(char*, std::size_t size, std::size_t count, void* self) {
    static_cast<BareClient*>(self)->bytes_ += size * count;
    return size * count;
  }

  static int on_socket(CURL*, curl_socket_t socket, int wanted, void* self, void*) {
    auto& client = *static_cast<BareClient*>(self);
    auto& watch = client.watches_[socket];
    if (!watch) {
      watch = std::make_shared<Watch>(client.context_, socket);
      ++client.connections_;
    }
    watch->wanted = wanted;
    client.listen(watch, socket);
    return 0;
  }

  static int on_close(void* self, curl_socket_t socket) {
    static_cast<BareClient*>(self)->watches_.erase(socket);
    return close(socket);
  }

  static int on_timer(CURLM*, long milliseconds, void* self) {
    auto& client = *static_cast<BareClient*>(self);
    client.deadline_ = Clock::time_point::max();
    if (milliseconds > 0) {
      client.deadline_ = Clock::now() + std::chrono::milliseconds(milliseconds);
      client.wake_at_deadline();
    } else if (milliseconds == 0 && !client.posted_) {
      client.posted_ = true;
      asio::post(client.context_, [&client] {
        client.posted_ = false;
        client.act(CURL_SOCKET_TIMEOUT, 0);
      });
    }
    return 0;
  }

  // Setting a timer is a system call that costs more than a request's share of all others, and
  // curl asks for a new one with every request: so "at once" is posted, and a timer that would
  // wake too early is left to do so.
  void wake_at_deadline() {
    if (waking_ && timer_.expiry() <= deadline_) return;
    waking_ = true;
    timer_.expires_at(deadline_);
    timer_.async_wait([this](const error_code& error) {
      if (error) return;
      waking_ = false;
      if (Clock::now() >= deadline_)
        act(CURL_SOCKET_TIMEOUT, 0);
      else if (deadline_ != Clock::time_point::max())
        wake_at_deadline();
    });
  }

  // Shared with the waits in flight, which end after curl has closed the socket.
  void listen(const std::shared_ptr<Watch>& watch, curl_socket_t socket) {
    if ((watch->wanted & CURL_POLL_IN) && !watch->reading) {
      watch->reading = true;
      watch->descriptor.async_wait(asio::posix::stream_descriptor::wait_read,
                                   [this, watch, socket](const error_code& error) {
                                     watch->reading = false;
                                     ready(watch, socket, error, CURL_POLL_IN, CURL_CSELECT_IN);
                                   });
    }
    if ((watch->wanted & CURL_POLL_OUT) && !watch->writing) {
      watch->writing = true;
      watch->descriptor.async_wait(asio::posix::stream_descriptor::wait_write,
                                   [this, watch, socket](const error_code& error) {
                                     watch->writing = false;
                                     ready(watch, socket, error, CURL_POLL_OUT, CURL_CSELECT_OUT);
                                   });
    }
  }

  void ready(const std::shared_ptr<Watch>& watch, curl_socket_t socket, const error_code& error,
             int wanted, int event) {
    if (error == asio::error::operation_aborted || !(watch->wanted & wanted)) return;
    act(socket, error ? CURL_CSELECT_ERR : event);
    const auto current = watches_.find(socket);
    if (current != watches_.end() && current->second == watch) listen(watch, socket);
  }

  void act(curl_socket_t socket, int event) {
    int running = 0;
    curl_multi_socket_action(multi_, socket, event, &running);
    int queued = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_, &queued))
      if (message->msg == CURLMSG_DONE) finish(message->easy_handle, message->data.result);
    if (done_ > 0 && in_flight() == 0) context_.stop();
  }

  std::size_t in_flight() const { return handles_.size() - idle_; }

  void finish(CURL* easy, CURLcode result) {
    long status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    ++done_;
    if (result != CURLE_OK || status != 200) ++failed_;
    curl_multi_remove_handle(multi_, easy);
    if (left_ == 0) {
      ++idle_;
      return;
    }
    --left_;
    curl_multi_add_handle(multi_, easy);
  }

  std::string url_;
  std::string body_;
  std::size_t left_;
  std::size_t idle_ = 0;
  std::size_t done_ = 0;
  std::size_t failed_ = 0;
  std::size_t bytes_ = 0;
  std::size_t connections_ = 0;
  asio::io_context context_{1};
  asio::steady_timer timer_;
  Clock::time_point deadline_ = Clock::time_point::max();  // when curl wants to be called
  bool waking_ = false;
  bool posted_ = false;
  std::unordered_map<curl_socket_t, std::shared_ptr<Watch>> watches_;
  std::vector<CURL*> handles_;
  curl_slist* headers_ = nullptr;
  CURLM* multi_ = nullptr;
};

bool read_number(std::string_view text, std::size_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

int main(int count, char** words) {
  std::size_t calls = 0, in_flight = 0, latency_ms = 0;
  if (count < 4 || count > 5 || !read_number(words[2], calls) ||
      !read_number(words[3], in_flight) || calls == 0 || in_flight == 0 ||
      (count == 5 && !read_number(words[4], latency_ms))) {
    fmt::print(stderr, "usage: perf_bare_client URL CALLS IN_FLIGHT [LATENCY_MS]\n");
    return 2;
  }
  curl_global_init(CURL_GLOBAL_ALL);
  BareClient client(words[1], calls);
  const auto start = std::chrono::steady_clock::now();
  client.run(in_flight);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;

  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const double cpu = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  const std::size_t rounds = (calls + in_flight - 1) / in_flight;
  fmt::print(
      R"({{"calls":{},"in_flight":{},"failed":{},"connections":{},"bytes":{},"wall_seconds":{:.3f},)"
      R"("ideal_seconds":{:.3f},"cpu_us_per_call":{:.1f},"peak_rss_mib":{:.1f}}})"
      "\n",
      client.done(), in_flight, client.failed(), client.connections(), client.bytes(), wall.count(),
      static_cast<double>(rounds * latency_ms) / 1000, cpu * 1e6 / static_cast<double>(calls),
      static_cast<double>(usage.ru_maxrss) / 1024);
  return client.failed() == 0 ? 0 : 1;
}
