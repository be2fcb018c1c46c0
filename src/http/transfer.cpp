#include "http/transfer.hpp"

#include <utility>

#include "base/open_files.hpp"
#include "base/text.hpp"

namespace personascope::http {
namespace {

// Of each exchange in flight. An answer of a chat fits; curl's own 16 kB would be most of what a
// thousand exchanges hold.
constexpr long kReadBuffer = 4096;
constexpr long kStreamBuffer = 256 << 10;  // where the body is not kept
constexpr std::size_t kMostHeaderBytes = 256u << 10;
// Of all answers together. One below the share never gives way, so ordinary ones are not touched.
constexpr std::size_t kMostReceived = 192u << 20;
constexpr std::size_t kFairShare = 1u << 20;

std::string host_of(const std::string& url) {
  const std::string shown = without_credentials(url);
  const std::size_t start =
      std::min(shown.find_first_not_of('/', shown.find(":/") + 1), shown.size());
  return shown.substr(start, shown.find_first_of("/?#", start) - start);
}

std::string render_size(std::size_t bytes) {
  return bytes < (1u << 20) ? fmt::format("{} bytes", bytes) : fmt::format("{} MB", bytes >> 20);
}

Request with_url_secrets(Request request) {
  for (Secret& secret : secrets_in(request.url)) request.secrets.push_back(std::move(secret));
  return request;
}

}  // namespace

Transfer::Transfer(sched::Loop& loop, CURL* easy, Request request, std::size_t& received)
    : easy_(easy),
      request_(with_url_secrets(std::move(request))),
      redactor_(request_.secrets),
      received_(received),
      done_(loop) {
  prepare();
}

Transfer::~Transfer() {
  release_body();
  curl_slist_free_all(headers_);
}

bool Transfer::is_crowded_out() const {
  return received_ > kMostReceived && response_.body.size() > kFairShare;
}

void Transfer::release_body() {
  received_ -= std::exchange(counted_, 0);
}

void Transfer::prepare() {
  for (const Header& header : request_.headers)
    headers_ = curl_slist_append(headers_, (header.name + ": " + header.value).c_str());
  headers_ = curl_slist_append(headers_, "Expect:");  // no round trip before a large body

  const auto set = [this](CURLoption option, auto value) {
    curl_easy_setopt(easy_, option, value);
  };
  set(CURLOPT_URL, request_.url.c_str());
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_HTTPHEADER, headers_);
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_BUFFERSIZE, request_.keep_body ? kReadBuffer : kStreamBuffer);
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_ACCEPT_ENCODING, "");
  set(CURLOPT_USERAGENT, "personascope");
  set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request_.timeouts.connect.count()));
  set(CURLOPT_TIMEOUT_MS, static_cast<long>(request_.timeouts.total.count()));
  set(CURLOPT_ERRORBUFFER, message_.data());
  set(CURLOPT_HEADERFUNCTION, &Transfer::on_header);
  set(CURLOPT_HEADERDATA, this);
  set(CURLOPT_WRITEFUNCTION, &Transfer::on_body);
  set(CURLOPT_WRITEDATA, this);
  set(CURLOPT_PRIVATE, this);
  if (request_.method == "GET") return;
  if (request_.method == "HEAD") {
    set(CURLOPT_NOBODY, 1L);
    return;
  }
  set(CURLOPT_POST, 1L);
  set(CURLOPT_POSTFIELDS, request_.body.data());
  set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
  if (request_.method != "POST") set(CURLOPT_CUSTOMREQUEST, request_.method.c_str());
}

std::size_t Transfer::on_header(char* data, std::size_t size, std::size_t count, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  const std::size_t length = size * count;
  transfer.last_byte_at_ = SteadyClock::now();
  transfer.header_bytes_ += length;
  if (transfer.header_bytes_ > kMostHeaderBytes) {
    transfer.too_large_ = true;
    return 0;
  }
  const std::string line = transfer.redactor_.redact({data, length});
  if (line.starts_with("HTTP/")) transfer.response_.headers.clear();  // after a 1xx answer
  const std::size_t colon = line.find(':');
  if (colon != std::string::npos)
    transfer.response_.headers.push_back(
        {lower(trim(line.substr(0, colon))), std::string(trim(line.substr(colon + 1)))});
  return length;
}

std::size_t Transfer::on_body(char* data, std::size_t size, std::size_t count, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  const std::string_view piece(data, size * count);
  transfer.last_byte_at_ = SteadyClock::now();
  if (piece.size() > transfer.request_.max_body - transfer.body_bytes_) {
    transfer.too_large_ = true;
    return 0;
  }
  if (transfer.is_crowded_out()) {
    transfer.crowded_out_ = true;
    return 0;
  }
  transfer.body_bytes_ += piece.size();
  if (transfer.request_.keep_body || !transfer.is_good()) {
    transfer.response_.body += piece;
    transfer.received_ += piece.size();
    transfer.counted_ += piece.size();
  }
  if (transfer.request_.on_data) transfer.deliver(transfer.redactor_.feed(piece));
  return piece.size();
}

void Transfer::deliver(std::string_view piece) {
  if (!is_good() || piece.empty()) return;
  if (!has_head_ && request_.on_head) request_.on_head(status(), response_.headers);
  has_head_ = true;
  request_.on_data(piece);
}

int Transfer::status() const {
  long code = 0;
  curl_easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &code);
  return static_cast<int>(code);
}

void Transfer::end(CURLcode code) {
  if (ended_) return;
  response_.status = status();
  if (code != CURLE_OK)
    error_ = explain(code);
  else if (request_.on_data)
    deliver(redactor_.finish());
  ended_ = true;
  done_.set();
}

void Transfer::end(Error error) {
  if (ended_) return;
  error_ = std::move(error);
  ended_ = true;
  done_.set();
}

bool Transfer::is_without_connection(CURLcode code) const {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_PROXY:
      return true;
    case CURLE_OPERATION_TIMEDOUT: {
      curl_off_t ready = 0;  // when the request could be sent; never, if still connecting
      curl_easy_getinfo(easy_, CURLINFO_PRETRANSFER_TIME_T, &ready);
      return ready == 0;
    }
    default:
      return false;
  }
}

bool Transfer::is_idle(TimePoint now) const {
  return last_byte_at_ && now - *last_byte_at_ > request_.timeouts.idle;
}

Error Transfer::explain(CURLcode code) const {
  const auto show = [this](std::string_view text) { return printable(redactor_.redact(text)); };
  const std::string host = show(host_of(request_.url));
  if (too_large_)
    return {ErrorKind::TooLarge,
            fmt::format("{} sent more than {} and was cut off", host,
                        header_bytes_ > kMostHeaderBytes
                            ? fmt::format("{} bytes of headers", kMostHeaderBytes)
                            : render_size(request_.max_body))};
  if (crowded_out_)
    return {ErrorKind::Transient,
            fmt::format(
                "{} sent a large answer while many others arrived; it was cut off to save memory",
                host)};
  // curl says only that a socket, a name or the certificates could not be had.
  if (status() == 0 && is_out_of_open_files())
    return {ErrorKind::Transient, fmt::format("{}: {}", host, describe_open_file_limit())};
  const std::string detail = show(message_[0] ? message_.data() : curl_easy_strerror(code));
  if (is_without_connection(code))
    return {ErrorKind::Unreachable, fmt::format("no connection to {} ({})", host, detail)};
  if (code == CURLE_OPERATION_TIMEDOUT)
    return {ErrorKind::Timeout,
            fmt::format("{} gave no complete answer in time ({})", host, detail)};
  return {ErrorKind::Transient, fmt::format("{}: {}", host, detail)};
}

Result<Response> Transfer::take_result() {
  release_body();
  if (error_) return std::unexpected(std::move(*error_));
  response_.body = redactor_.redact(response_.body);
  return std::move(response_);
}

}  // namespace personascope::http
