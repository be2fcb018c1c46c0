#include "run/download.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "base/text.hpp"

namespace personascope::run {

namespace fs = std::filesystem;

namespace {

constexpr int kMostRedirects = 5;
constexpr int kMostConnections = 100;
constexpr std::chrono::hours kLongest{24};

// A part of a file on disk, which grows by what arrives.
class PartFile {
 public:
  static Result<PartFile> open(const std::string& path, std::uint64_t most) {
    std::error_code error;
    fs::create_directories(fs::path(path).parent_path(), error);
    PartFile part(path);
    part.size_ = fs::exists(path, error) ? fs::file_size(path, error) : 0;
    if (part.size_ > most) {
      fs::remove(path, error);
      part.size_ = 0;
    }
    part.stream_.open(path, std::ios::binary | std::ios::app);
    if (!part.stream_)
      return fail(ErrorKind::Storage, "{} cannot be written: {}", printable(path),
                  std::strerror(errno));
    return part;
  }

  std::uint64_t size() const { return size_; }

  // The server sends all of it anew.
  void restart() {
    stream_.close();
    stream_.open(path_, std::ios::binary | std::ios::trunc);
    size_ = 0;
  }
  void write(std::string_view piece) {
    stream_.write(piece.data(), static_cast<std::streamsize>(piece.size()));
    size_ += piece.size();
  }
  Result<void> flush() {
    stream_.flush();
    if (stream_) return {};
    return fail(ErrorKind::Storage, "{} cannot be written: {}", printable(path_),
                std::strerror(errno));
  }

 private:
  explicit PartFile(std::string path) : path_(std::move(path)) {}
  std::string path_;
  std::ofstream stream_;
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

std::optional<std::uint64_t> find_range_start(const std::vector<http::Header>& headers) {
  for (const http::Header& header : headers) {
    if (header.name != "content-range" || !header.value.starts_with("bytes ")) continue;
    const std::string_view rest = std::string_view(header.value).substr(6);
    const auto start = find_integer_in(rest.substr(0, rest.find('-')));
    if (start && *start >= 0) return static_cast<std::uint64_t>(*start);
  }
  return std::nullopt;
}

struct Connection {
  http::Client& client;
  const Download& download;
  PartFile& part;
  bool is_misplaced = false;  // the server sent another range than asked for
};

http::Request make_request(Connection& connection, const std::string& url) {
  const Download& download = connection.download;
  PartFile& part = connection.part;
  http::Request request;
  request.method = "GET";
  request.url = url;
  request.headers = {{"Accept-Encoding", "identity"}};
  if (part.size() > 0) request.headers.push_back({"Range", fmt::format("bytes={}-", part.size())});
  if (!download.token.empty() && origin_of(url) == origin_of(download.url)) {
    request.headers.push_back({"Authorization", "Bearer " + download.token.reveal()});
    request.secrets = {download.token};
  }
  request.timeouts.total = kLongest;
  request.max_body = static_cast<std::size_t>(download.size);
  request.keep_body = false;
  request.on_head = [&connection](int status, const std::vector<http::Header>& headers) {
    if (status != 206)
      connection.part.restart();
    else
      connection.is_misplaced = find_range_start(headers) != connection.part.size();
  };
  request.on_data = [&connection](std::string_view piece) {
    if (connection.part.size() + piece.size() > connection.download.size)
      connection.is_misplaced = true;
    if (connection.is_misplaced) return;
    connection.part.write(piece);
    if (connection.download.on_bytes) connection.download.on_bytes(connection.part.size());
  };
  return request;
}

// One request and the redirects that it leads to.
Task<Result<void>> connect_once(Connection& connection) {
  std::string url = connection.download.url;
  for (int redirects = 0; redirects <= kMostRedirects; ++redirects) {
    http::Request request = make_request(connection, url);
    const auto response = co_await connection.client.send(std::move(request));
    CO_RETURN_IF_ERROR(connection.part.flush());
    if (!response) co_return std::unexpected(response.error());
    if (connection.is_misplaced)
      co_return fail(ErrorKind::Unparsable, "{} sent another part of the file than asked for",
                     printable(origin_of(url)));
    if (response->status >= 200 && response->status < 300) co_return Result<void>();
    const auto location = http::find_header(*response, "location");
    if (response->status < 300 || response->status >= 400 || !location)
      co_return std::unexpected(
          describe_status(response->status, without_credentials(connection.download.url)));
    CO_ASSIGN_OR_RETURN(url, resolve(url, *location));
  }
  co_return fail(ErrorKind::Unparsable, "{} redirects on and on",
                 printable(origin_of(connection.download.url)));
}

bool may_go_on(ErrorKind kind) {
  return kind == ErrorKind::Transient || kind == ErrorKind::Timeout;
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
      return {ErrorKind::Unauthorized, shown + ": the server asks for a key that it knows (401)"};
    case 403:
      return {ErrorKind::Unauthorized, shown + ": the server does not give it to you (403)"};
    case 404:
      return {ErrorKind::NotFound, shown + ": the server has no such thing (404)"};
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
  Connection connection{client, download, part};
  for (int count = 0; part.size() < download.size; ++count) {
    const std::uint64_t before = part.size();
    const auto connected = co_await connect_once(connection);
    if (part.size() == download.size) break;
    const bool grew = part.size() > before;
    if (!connected && !(grew && may_go_on(connected.error().kind) && count < kMostConnections))
      co_return std::unexpected(connected.error());
    if (connected && !grew)
      co_return fail(ErrorKind::Unparsable, "{} sent {} of {} bytes and says that is all",
                     printable(origin_of(download.url)), part.size(), download.size);
  }
  if (part.size() == 0) part.restart();  // an empty file is a file
  co_return part.flush();
}

}  // namespace personascope::run
