#include "http/client.hpp"

#include <curl/curl.h>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <unordered_map>
#include <unordered_set>

#include "http/request_check.hpp"
#include "http/transfer.hpp"

namespace personascope::http {
namespace {

using boost::asio::posix::stream_descriptor;

// A socket of curl's, watched on its behalf. Shared with the pending waits, which may outlive
// curl's interest in it.
struct Watch {
  Watch(boost::asio::io_context& context, int socket) : descriptor(context, socket), fd(socket) {}
  stream_descriptor descriptor;
  int fd;
  int wanted = 0;  // CURL_POLL_IN, CURL_POLL_OUT or both; 0 once curl let go
  bool reading = false;
  bool writing = false;
};

constexpr seconds kIdleCheck{1};

}  // namespace

class Client::Engine {
 public:
  Engine(sched::Loop& loop, const ClientOptions& options)
      : loop_(loop), timer_(loop.context()), idle_timer_(loop.context()) {
    static const CURLcode initialised = curl_global_init(CURL_GLOBAL_DEFAULT);
    (void)initialised;
    multi_ = curl_multi_init();
    curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &Engine::on_socket);
    curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
    curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &Engine::on_timer);
    curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
    curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, static_cast<long>(options.idle_connections));
  }

  ~Engine() {
    for (CURL* easy : spare_) curl_easy_cleanup(easy);
    curl_multi_cleanup(multi_);
    for (auto& [fd, watch] : watches_) {
      watch->wanted = 0;
      watch->descriptor.release();
    }
  }

  void start(Transfer& transfer) {
    active_.insert(&transfer);
    if (const CURLMcode code = curl_multi_add_handle(multi_, transfer.easy()); code != CURLM_OK)
      transfer.end(Error{ErrorKind::Internal, curl_multi_strerror(code)});
    if (active_.size() == 1) check_idle();
  }

  void finish(Transfer& transfer) {
    curl_multi_remove_handle(multi_, transfer.easy());
    active_.erase(&transfer);
    if (active_.empty()) {  // nothing may keep the loop from ending
      idle_timer_.cancel();
      timer_.cancel();
      waking_ = false;
    }
    give_back(transfer.easy());
  }

  CURL* take_easy() {
    if (spare_.empty()) return curl_easy_init();
    CURL* easy = spare_.back();
    spare_.pop_back();
    return easy;
  }

  sched::Loop& loop() { return loop_; }
  std::size_t& received() { return received_; }

 private:
  static int on_socket(CURL*, curl_socket_t fd, int what, void* self, void*) {
    static_cast<Engine*>(self)->watch(fd, what);
    return 0;
  }

  static int on_timer(CURLM*, long wait_ms, void* self) {
    static_cast<Engine*>(self)->set_timer(wait_ms);
    return 0;
  }

  void give_back(CURL* easy) {
    curl_easy_reset(easy);
    spare_.push_back(easy);
  }

  void watch(int fd, int what) {
    if (what == CURL_POLL_REMOVE) {
      const auto place = watches_.find(fd);
      if (place == watches_.end()) return;
      place->second->wanted = 0;
      place->second->descriptor.release();  // the socket is curl's to close
      watches_.erase(place);
      return;
    }
    std::shared_ptr<Watch>& watch = watches_[fd];
    if (!watch) watch = std::make_shared<Watch>(loop_.context(), fd);
    watch->wanted = what;
    arm(watch);
  }

  void arm(const std::shared_ptr<Watch>& watch) {
    if ((watch->wanted & CURL_POLL_IN) && !watch->reading) {
      watch->reading = true;
      wait(watch, stream_descriptor::wait_read, CURL_CSELECT_IN, &Watch::reading);
    }
    if ((watch->wanted & CURL_POLL_OUT) && !watch->writing) {
      watch->writing = true;
      wait(watch, stream_descriptor::wait_write, CURL_CSELECT_OUT, &Watch::writing);
    }
  }

  void wait(const std::shared_ptr<Watch>& watch, stream_descriptor::wait_type type, int event,
            bool Watch::* pending) {
    watch->descriptor.async_wait(
        type, [this, watch, event, pending](const boost::system::error_code& error) {
          (*watch).*pending = false;
          if (error == boost::asio::error::operation_aborted || watch->wanted == 0) return;
          advance(watch->fd, error ? CURL_CSELECT_ERR : event);
          if (watch->wanted != 0) arm(watch);
        });
  }

  // Setting a timer is a system call, and curl wants another one with every request: so "at once"
  // is posted, and a timer that would wake too early is left to do so.
  void set_timer(long wait_ms) {
    deadline_ = TimePoint::max();
    if (wait_ms > 0) {
      deadline_ = SteadyClock::now() + milliseconds(wait_ms);
      wake_at_deadline();
    } else if (wait_ms == 0 && !posted_) {
      posted_ = true;
      boost::asio::post(loop_.context(), [this, alive = std::weak_ptr(alive_)] {
        if (alive.expired()) return;
        posted_ = false;
        advance(CURL_SOCKET_TIMEOUT, 0);
      });
    }
  }

  void wake_at_deadline() {
    if (waking_ && timer_.expiry() <= deadline_) return;
    waking_ = true;
    timer_.expires_at(deadline_);
    timer_.async_wait([this](const boost::system::error_code& error) {
      if (error) return;
      waking_ = false;
      if (SteadyClock::now() >= deadline_)
        advance(CURL_SOCKET_TIMEOUT, 0);
      else if (deadline_ != TimePoint::max())
        wake_at_deadline();
    });
  }

  void advance(curl_socket_t fd, int events) {
    int running = 0;
    curl_multi_socket_action(multi_, fd, events, &running);
    int queued = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_, &queued)) {
      if (message->msg != CURLMSG_DONE) continue;
      Transfer* transfer = nullptr;
      curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
      transfer->end(message->data.result);
    }
  }

  void check_idle() {
    idle_timer_.expires_after(kIdleCheck);
    idle_timer_.async_wait([this](const boost::system::error_code& error) {
      if (error) return;
      const TimePoint now = SteadyClock::now();
      for (Transfer* transfer : active_)
        if (transfer->is_idle(now))
          transfer->end(Error{ErrorKind::Timeout,
                              fmt::format("the answer stopped half-way and nothing arrived for {}",
                                          render_duration(transfer->timeouts().idle))});
      if (!active_.empty()) check_idle();
    });
  }

  sched::Loop& loop_;
  std::size_t received_ = 0;  // bytes of all answers that are arriving
  CURLM* multi_ = nullptr;
  boost::asio::steady_timer timer_;
  TimePoint deadline_ = TimePoint::max();  // when curl wants to be called next
  bool waking_ = false;                    // timer_ is set
  bool posted_ = false;                    // a call at once is posted
  boost::asio::steady_timer idle_timer_;
  std::unordered_map<int, std::shared_ptr<Watch>> watches_;
  std::unordered_set<Transfer*> active_;
  std::vector<CURL*> spare_;
  // Shared with what is posted, which may run after the engine is gone.
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

Client::Client(sched::Loop& loop, const ClientOptions& options)
    : engine_(std::make_unique<Engine>(loop, options)) {}

Client::~Client() = default;

Task<Result<Response>> Client::send(Request request, sched::Cancel* cancel) {
  if (cancel && cancel->requested())
    co_return fail(ErrorKind::Cancelled, "cancelled before it was sent");
  CO_RETURN_IF_ERROR(check_request(request));
  Transfer transfer(engine_->loop(), engine_->take_easy(), std::move(request), engine_->received());
  engine_->start(transfer);
  if (cancel)
    cancel->on_request([&transfer] { transfer.end(Error{ErrorKind::Cancelled, "given up"}); });
  co_await transfer.done().wait();
  if (cancel) cancel->on_request(nullptr);
  engine_->finish(transfer);
  co_return transfer.take_result();
}

sched::Loop& Client::loop() {
  return engine_->loop();
}

std::optional<std::string_view> find_header(const Response& response, std::string_view name) {
  for (const Header& header : response.headers)
    if (header.name == name) return header.value;
  return std::nullopt;
}

std::string library_version() {
  return curl_version();
}

}  // namespace personascope::http
