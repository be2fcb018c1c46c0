#include "run/download.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/text.hpp"

namespace personascope::run {

namespace fs = std::filesystem;

namespace {

constexpr int kMostRedirects = 5;
constexpr int kMostCuts = 100;
// The file is asked for by ranges, so that memory stays small and little is lost to a cut.
constexpr std::uint64_t kRange = 16u << 20;
constexpr std::uint64_t kMostWhole = 128u << 20;  // from a server that sends all at once

// A part of a file on disk, which grows by what arrives. Its name is fixed, so that a later process
// can go on with it; so it is locked, and never a symbolic link.
class PartFile {
 public:
  static Result<PartFile> open(const std::string& path, std::uint64_t most) {
    std::error_code error;
    fs::create_directories(fs::path(path).parent_path(), error);
    PartFile part(path);
    part.descriptor_ =
        ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (part.descriptor_ < 0) return part.cannot_write();
    if (::flock(part.descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
      return fail(ErrorKind::Storage, "another process is fetching {} just now; wait for it to end",
                  printable(path));
    part.size_ = fs::file_size(path, error);
    if (error || part.size_ > most) part.restart();
    return part;
  }
  PartFile(PartFile&& other) noexcept
      : path_(std::move(other.path_)),
        descriptor_(std::exchange(other.descriptor_, -1)),
        failed_(other.failed_),
        size_(other.size_) {}
  PartFile& operator=(PartFile&&) = delete;
  ~PartFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  std::uint64_t size() const { return size_; }

  // The server sends all of it anew.
  void restart() {
    failed_ = ::ftruncate(descriptor_, 0) != 0;
    size_ = 0;
  }
  // A failure shows at flush().
  void write(std::string_view piece) {
    while (!piece.empty() && !failed_) {
      const ssize_t count = ::write(descriptor_, piece.data(), piece.size());
      failed_ = count < 0 && errno != EINTR;
      if (count <= 0) continue;
      piece.remove_prefix(static_cast<std::size_t>(count));
      size_ += static_cast<std::uint64_t>(count);
    }
  }
  Result<void> flush() {
    if (failed_) return cannot_write();
    return {};
  }

 private:
  explicit PartFile(std::string path) : path_(std::move(path)) {}
  std::unexpected<Error> cannot_write() const {
    return fail(ErrorKind::Storage, "{} cannot be written: {}", printable(path_),
                std::strerror(errno));
  }

  std::string path_;
  int descriptor_ = -1;
  bool failed_ = false;
  std::uint64_t size_ = 0;
};

Result<std::string> resolve(const std::string& base, std::string_view location) {
  std::string url(location);
  if (location.starts_with("//"))
    url = base.substr(0, base.find(':') + 1) + url;
  else if (location.starts_with('/'))
    url = origin_of(base) + url;
  if (!url.starts_with("http://") && !url.starts_with("https://"))
    return fail(ErrorKind::Unparsable, "{} redirects to something that is no address",
                printable(origin_of(base)));
  if (base.starts_with("https:") && !url.starts_with("https:"))
    return fail(ErrorKind::Unparsable,
                "{} redirects to an unprotected address; it was not followed",
                printable(origin_of(base)));
  return url;
}

std::optional<std::uint64_t> find_range_start(const http::Response& response) {
  const auto value = http::find_header(response, "content-range");
  if (!value || !value->starts_with("bytes ")) return std::nullopt;
  const std::string_view rest = value->substr(6);
  const auto start = find_integer_in(rest.substr(0, rest.find('-')));
  if (!start || *start < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*start);
}

struct Connection {
  http::Client& client;
  const Download& download;
  PartFile& part;
  std::string arrived;  // of the range that is asked for
};

http::Request make_request(Connection& connection, const std::string& url) {
  const Download& download = connection.download;
  const std::uint64_t start = connection.part.size();
  const std::uint64_t end = std::min(start + kRange, download.size);
  http::Request request;
  request.method = "GET";
  request.url = url;
  request.headers = {{"Accept-Encoding", "identity"},
                     {"Range", fmt::format("bytes={}-{}", start, end - 1)}};
  if (!download.token.empty() && origin_of(url) == origin_of(download.url)) {
    request.headers.push_back({"Authorization", "Bearer " + download.token.reveal()});
    request.secrets = {download.token};
  }
  request.max_body =
      static_cast<std::size_t>(std::max(end - start, std::min(download.size, kMostWhole)));
  connection.arrived.clear();
  request.on_data = [&connection, start](std::string_view piece) {
    connection.arrived += piece;
    if (connection.download.on_bytes)
      connection.download.on_bytes(
          std::min(start + connection.arrived.size(), connection.download.size));
  };
  return request;
}

// Takes what a good answer brought.
Result<void> take_answer(Connection& connection, const http::Response& response) {
  PartFile& part = connection.part;
  if (response.status != 206)
    part.restart();  // all of it, anew
  else if (find_range_start(response) != part.size())
    return fail(ErrorKind::Unparsable, "{} sent another part of the file than asked for",
                printable(origin_of(connection.download.url)));
  if (part.size() + response.body.size() > connection.download.size)
    return fail(ErrorKind::TooLarge, "{} sends more than was announced",
                printable(origin_of(connection.download.url)));
  part.write(response.body);
  return part.flush();
}

// What arrived before a connection was cut is most likely the range; if it is not, the checksum
// will tell.
Result<void> take_beginning(Connection& connection) {
  PartFile& part = connection.part;
  if (part.size() + connection.arrived.size() <= connection.download.size)
    part.write(connection.arrived);
  return part.flush();
}

// One range, and the redirects to it.
Task<Result<void>> fetch_range(Connection& connection) {
  std::string url = connection.download.url;
  for (int redirects = 0; redirects <= kMostRedirects; ++redirects) {
    http::Request request = make_request(connection, url);
    const auto response = co_await connection.client.send(std::move(request));
    if (!response) {
      CO_RETURN_IF_ERROR(take_beginning(connection));
      co_return std::unexpected(response.error());
    }
    if (response->status == 200 || response->status == 206)
      co_return take_answer(connection, *response);
    const auto location = http::find_header(*response, "location");
    if (response->status < 300 || response->status >= 400 || !location)
      co_return std::unexpected(
          describe_status(response->status, without_credentials(connection.download.url)));
    CO_ASSIGN_OR_RETURN(url, resolve(url, *location));
  }
  co_return fail(ErrorKind::Unparsable, "{} redirects too often",
                 printable(origin_of(connection.download.url)));
}

bool may_go_on(ErrorKind kind) {
  return kind == ErrorKind::Transient || kind == ErrorKind::Timeout ||
         kind == ErrorKind::Unreachable;
}

}  // namespace

std::string origin_of(std::string_view url) {
  const std::size_t start = url.find("://");
  if (start == std::string_view::npos) return "";
  const std::string bare = without_credentials(url);
  return lower(bare.substr(0, bare.find_first_of("/?#", start + 3)));
}

Error describe_status(int status, std::string_view what) {
  const std::string shown = printable(shorten(what, 200));
  switch (status) {
    case 401:
      return {ErrorKind::Unauthorized, shown + ": the server does not accept the key (401)"};
    case 403:
      return {ErrorKind::Unauthorized, shown + ": the server denies access (403)"};
    case 404:
      return {ErrorKind::NotFound, shown + ": not found (404)"};
    case 429:
      return {ErrorKind::RateLimited, shown + ": too many requests (429); try again later"};
    default:
      return {status >= 500 ? ErrorKind::Transient : ErrorKind::Unparsable,
              fmt::format("{}: the server answered with status {}{}", shown, status,
                          status >= 500 ? "; try again later" : "")};
  }
}

Task<Result<void>> download_part(http::Client& client, Download download) {
  CO_ASSIGN_OR_RETURN(PartFile part, PartFile::open(download.path + ".part", download.size));
  Connection connection{client, download, part, {}};
  for (int cuts = 0; part.size() < download.size;) {
    const std::uint64_t before = part.size();
    const auto fetched = co_await fetch_range(connection);
    const bool grew = part.size() > before;
    if (!fetched && !(grew && may_go_on(fetched.error().kind) && ++cuts <= kMostCuts))
      co_return std::unexpected(fetched.error());
    if (fetched && !grew)
      co_return fail(ErrorKind::Unparsable, "{} ended after {} of {} bytes",
                     printable(origin_of(download.url)), part.size(), download.size);
  }
  co_return part.flush();
}

}  // namespace personascope::run
