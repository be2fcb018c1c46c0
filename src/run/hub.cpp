#include "run/hub.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/git_hash.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "files/safe_name.hpp"
#include "files/text_file.hpp"
#include "run/download.hpp"

namespace personascope::run {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kHubEndpoint = "https://huggingface.co";
constexpr std::size_t kMostListing = 32u << 20;
constexpr std::uint64_t kLargestFile = std::uint64_t{8} << 30;

bool is_hex(std::string_view text, std::size_t length) {
  return text.size() == length && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

// "/" stays: it parts the path.
std::string encode_path(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || std::string_view("-_.~/").contains(c);
    encoded += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

bool is_loopback(std::string_view origin) {
  std::string_view host = origin.substr(std::min(origin.find("://") + 3, origin.size()));
  if (host.starts_with("[::1]")) return true;
  host = host.substr(0, host.find(':'));
  const bool is_number = host.find_first_not_of("0123456789.") == std::string_view::npos;
  return host == "localhost" || (is_number && host.starts_with("127."));
}

std::string token_path(const files::Environment& environment) {
  if (const auto path = environment.find("HF_TOKEN_PATH")) return *path;
  if (const auto home = environment.find("HF_HOME")) return *home + "/token";
  if (const auto cache = environment.find("XDG_CACHE_HOME")) return *cache + "/huggingface/token";
  return environment.find("HOME").value_or("") + "/.cache/huggingface/token";
}

constexpr std::string_view kEndpointVariable = "HF_ENDPOINT";

// An endpoint from a `.env` file gets no token but one from the same file.
Result<Secret> find_token(const files::Environment& environment) {
  for (const char* name : {"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"})
    if (const auto token = environment.find(name)) {
      RETURN_IF_ERROR(files::check_same_source(environment, kEndpointVariable, name));
      return Secret(std::string(trim(*token)));
    }
  const std::string path = token_path(environment);
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return Secret();
  if (environment.source_of(kEndpointVariable) == files::Source::File)
    return fail(
        ErrorKind::Misconfigured,
        "{} comes from {}, so the token of {} was not sent there: set it in the environment",
        kEndpointVariable, printable(environment.file()), printable(path));
  ASSIGN_OR_RETURN(const std::string text, files::load_text(path, 1u << 16));
  return Secret(std::string(trim(text)));
}

Result<void> check_repo(const std::string& repo) {
  const auto parts = split(repo, '/');
  const bool is_plain = std::ranges::all_of(repo, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_./").contains(c);
  });
  if (is_plain && parts.size() == 2 && files::is_safe_name(parts[0]) &&
      files::is_safe_name(parts[1]))
    return {};
  return fail(ErrorKind::Invalid,
              "\"{}\" is no data set of the hub; name it as OWNER/NAME, e.g. "
              "SynthLabsAI/PRISM-Filter",
              printable(shorten(repo, 100)));
}

std::string page_of(const HubAccess& access, const std::string& repo) {
  return without_credentials(access.endpoint) + "/datasets/" + repo;
}

Error explain_refusal(const HubAccess& access, const std::string& repo, int status) {
  const std::string page = page_of(access, repo);
  if (status == 401 && access.token.empty())
    return {ErrorKind::Unauthorized,
            fmt::format("{} does not exist or is not public; set HF_TOKEN or run "
                        "`huggingface-cli login`",
                        repo)};
  if (status == 401)
    return {ErrorKind::Unauthorized,
            fmt::format("the hub does not accept the token, or {} does not exist; check HF_TOKEN",
                        repo)};
  if (status == 403)
    return {ErrorKind::Unauthorized,
            fmt::format("{} is given on request only; ask for it on {}", repo, page)};
  if (status == 404)
    return {ErrorKind::NotFound,
            fmt::format("the hub has no data set {}, or not this revision or file of it", repo)};
  if (status == 301 || status == 302 || status == 307 || status == 308)
    return {ErrorKind::NotFound,
            fmt::format("{} has been renamed; find its new name on {}", repo, page)};
  return describe_status(status, page);
}

// As .gitattributes is, and what would lead out of the folder.
bool is_hidden(std::string_view path) {
  return std::ranges::any_of(split(path, '/'),
                             [](std::string_view part) { return part.starts_with('.'); });
}

Result<HubFile> parse_file(const Json& entry) {
  HubFile file;
  file.path = find_text(entry, "rfilename").value_or("");
  for (const std::string_view part : split(file.path, '/'))
    if (!files::is_safe_name(part))
      return fail(ErrorKind::Unparsable, "the hub lists a file with a name that cannot be used: {}",
                  printable(shorten(file.path, 100)));
  const Json* large = find_member(entry, "lfs");
  const auto size = find_integer(entry, "size");
  file.size = static_cast<std::uint64_t>(std::max<std::int64_t>(size.value_or(-1), 0));
  file.sha256 = large ? find_text(*large, "sha256").value_or("") : "";
  file.git_sha1 = find_text(entry, "blobId").value_or("");
  const bool has_hash = large ? is_hex(file.sha256, 64) : is_hex(file.git_sha1, 40);
  if (!size || *size < 0 || !has_hash)
    return fail(ErrorKind::Unparsable, "the hub gives no size or hash for {}",
                printable(shorten(file.path, 100)));
  return file;
}

Result<void> check_content(const std::string& path, const HubFile& file) {
  std::error_code error;
  if (fs::file_size(path, error) != file.size)
    return fail(ErrorKind::Unparsable, "{} does not have the size that the hub announced",
                printable(file.path));
  ASSIGN_OR_RETURN(std::ifstream stream, files::open_for_reading(path));
  Sha256 sha256;
  GitBlobHash git(file.size);
  std::string buffer(1u << 20, '\0');
  while (stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) ||
         stream.gcount() > 0) {
    const std::string_view piece(buffer.data(), static_cast<std::size_t>(stream.gcount()));
    file.sha256.empty() ? git.update(piece) : sha256.update(piece);
  }
  const bool is_same =
      file.sha256.empty() ? git.hex() == file.git_sha1 : render_hex(sha256.digest()) == file.sha256;
  if (is_same) return {};
  return fail(ErrorKind::Unparsable,
              "{} arrived with another checksum than the hub announced and was removed; run the "
              "command again",
              printable(file.path));
}

}  // namespace

Result<HubAccess> find_hub_access(const files::Environment& environment) {
  HubAccess access;
  access.endpoint = environment.find(kEndpointVariable).value_or(std::string(kHubEndpoint));
  while (access.endpoint.ends_with('/')) access.endpoint.pop_back();
  if (!access.endpoint.starts_with("https://") && !access.endpoint.starts_with("http://"))
    return fail(ErrorKind::Invalid, "HF_ENDPOINT must be an address such as {}", kHubEndpoint);
  ASSIGN_OR_RETURN(access.token, find_token(environment));
  if (!access.token.empty() && access.endpoint.starts_with("http://") &&
      !is_loopback(origin_of(access.endpoint)))
    return fail(ErrorKind::Invalid,
                "HF_ENDPOINT is not https, so the token would travel unprotected; use https, or "
                "unset the token");
  return access;
}

Result<HubListing> parse_hub_listing(std::string_view body, const std::string& repo) {
  const auto answer = parse_json(body);
  if (!answer || !answer->is_object())
    return fail(ErrorKind::Unparsable,
                "the hub's list of files is no JSON object; is HF_ENDPOINT "
                "right?");
  HubListing listing;
  listing.repo = repo;
  listing.commit = find_text(*answer, "sha").value_or("");
  const Json* siblings = find_member(*answer, "siblings");
  if (!is_hex(listing.commit, 40) || !siblings || !siblings->is_array())
    return fail(ErrorKind::Unparsable, "the hub's list of files lacks the commit or the files");
  for (const Json& entry : *siblings) {
    if (is_hidden(find_text(entry, "rfilename").value_or(""))) continue;
    ASSIGN_OR_RETURN(HubFile file, parse_file(entry));
    listing.files.push_back(std::move(file));
  }
  return listing;
}

Task<Result<HubListing>> list_hub_files(http::Client& client, const HubAccess& access,
                                        std::string repo, std::string revision) {
  CO_RETURN_IF_ERROR(check_repo(repo));
  http::Request request;
  request.method = "GET";
  request.url = fmt::format("{}/api/datasets/{}/revision/{}?blobs=true", access.endpoint, repo,
                            replace_all(encode_path(revision), "/", "%2F"));
  request.max_body = kMostListing;
  if (!access.token.empty()) {
    request.headers.push_back({"Authorization", "Bearer " + access.token.reveal()});
    request.secrets = {access.token};
  }
  const auto response = co_await client.send(std::move(request));
  if (!response) co_return std::unexpected(response.error());
  if (response->status != 200)
    co_return std::unexpected(explain_refusal(access, repo, response->status));
  co_return parse_hub_listing(response->body, repo);
}

Task<Result<Fetched>> fetch_hub_file(http::Client& client, const HubAccess& access,
                                     const HubListing& listing, const HubFile& file,
                                     std::string folder,
                                     std::function<void(std::uint64_t)> on_bytes) {
  if (file.size > kLargestFile)
    co_return fail(ErrorKind::TooLarge, "{} has more than {} GB; fetch it by other means",
                   printable(file.path), kLargestFile >> 30);
  const std::string path = folder + "/" + file.path;
  std::error_code error;
  if (fs::exists(path, error) && check_content(path, file)) co_return Fetched::Before;
  Download download;
  download.url = fmt::format("{}/datasets/{}/resolve/{}/{}", access.endpoint, listing.repo,
                             listing.commit, encode_path(file.path));
  download.token = access.token;
  download.path = path;
  download.size = file.size;
  download.on_bytes = std::move(on_bytes);
  const auto fetched = co_await download_part(client, std::move(download));
  if (!fetched) {
    Error failure = fetched.error();
    if (failure.kind == ErrorKind::Unauthorized || failure.kind == ErrorKind::NotFound)
      failure.message += fmt::format("; see {}", page_of(access, listing.repo));
    co_return std::unexpected(std::move(failure));
  }
  const std::string part = path + ".part";
  const auto checked = check_content(part, file);
  if (!checked) {
    fs::remove(part, error);
    co_return std::unexpected(checked.error());
  }
  fs::rename(part, path, error);
  if (error)
    co_return fail(ErrorKind::Storage, "{} cannot be written: {}", printable(path),
                   error.message());
  co_return Fetched::Now;
}

}  // namespace personascope::run
