#include "files/zip_file.hpp"

#include <zip.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>
#include <utility>

#include "base/text.hpp"

namespace personascope::files {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 30;
constexpr std::size_t kLongestLine = std::size_t{64} << 20;
constexpr std::size_t kReadAtATime = 1 << 16;
// What compresses better is no text that a program wrote. Small members may.
constexpr std::uint64_t kMostRatio = 500;
constexpr std::uint64_t kSmall = 1 << 20;

std::string describe(zip_error_t* error) {
  return printable(zip_error_strerror(error));
}

std::string describe(int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  std::string text = describe(&error);
  zip_error_fini(&error);
  return text;
}

// A member while libzip reads it.
struct Source {
  PullText pull;
  std::string part;
  std::size_t at = 0;
  Result<void>* result;
  zip_error_t error{};
};

zip_int64_t read_source(Source& source, char* data, zip_uint64_t length) {
  while (source.at == source.part.size()) {
    auto next = source.pull();
    if (!next) {
      *source.result = std::unexpected(std::move(next).error());
      zip_error_set(&source.error, ZIP_ER_READ, 0);
      return -1;
    }
    if (!*next) return 0;
    source.part = std::move(**next);
    source.at = 0;
  }
  const std::size_t count = std::min<std::size_t>(length, source.part.size() - source.at);
  std::memcpy(data, source.part.data() + source.at, count);
  source.at += count;
  return static_cast<zip_int64_t>(count);
}

zip_int64_t on_source(void* user, void* data, zip_uint64_t length, zip_source_cmd_t command) {
  Source& source = *static_cast<Source*>(user);
  switch (command) {
    case ZIP_SOURCE_OPEN:
    case ZIP_SOURCE_CLOSE:
      return 0;
    case ZIP_SOURCE_READ:
      return read_source(source, static_cast<char*>(data), length);
    case ZIP_SOURCE_STAT: {
      zip_stat_t stat;
      zip_stat_init(&stat);
      std::memcpy(data, &stat, sizeof stat);
      return sizeof stat;
    }
    case ZIP_SOURCE_ERROR:
      return zip_error_to_data(&source.error, data, length);
    case ZIP_SOURCE_FREE:
      delete &source;
      return 0;
    case ZIP_SOURCE_SUPPORTS:
      return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                            ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, -1);
    default:
      zip_error_set(&source.error, ZIP_ER_OPNOTSUPP, 0);
      return -1;
  }
}

std::unexpected<Error> cannot_write(const std::string& path, const std::string& reason) {
  return fail(ErrorKind::Storage, "{} cannot be written: {}", printable(path), reason);
}

}  // namespace

Result<void> write_zip(const std::string& path, std::vector<NewMember> members) {
  int code = 0;
  zip_t* archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
  if (!archive) return cannot_write(path, describe(code));
  Result<void> result;
  for (NewMember& member : members) {
    auto source = std::make_unique<Source>();
    source->pull = std::move(member.pull);
    source->result = &result;
    zip_error_init(&source->error);
    zip_source_t* wrapped = zip_source_function(archive, on_source, source.get());
    if (wrapped) static_cast<void>(source.release());  // libzip frees it
    if (!wrapped || zip_file_add(archive, member.name.c_str(), wrapped, ZIP_FL_ENC_UTF_8) < 0) {
      const std::string reason = describe(zip_get_error(archive));
      if (wrapped) zip_source_free(wrapped);
      zip_discard(archive);
      return cannot_write(path, reason);
    }
  }
  if (zip_close(archive) == 0) return {};
  const std::string reason = describe(zip_get_error(archive));
  zip_discard(archive);
  RETURN_IF_ERROR(result);
  return cannot_write(path, reason);
}

void ZipReader::Close::operator()(zip* archive) const {
  zip_discard(archive);
}

void ZipReader::Lines::Close::operator()(zip_file* member) const {
  zip_fclose(member);
}

Result<ZipReader> ZipReader::open(const std::string& path, const std::vector<std::string>& names) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    return fail(ErrorKind::NotFound, "there is no file {}", printable(path));
  if (std::filesystem::is_directory(path, ignored))
    return fail(ErrorKind::Invalid, "{} is a folder, not a ZIP file", printable(path));
  int code = 0;
  ZipReader reader;
  reader.path_ = path;
  reader.archive_.reset(zip_open(path.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &code));
  if (!reader.archive_)
    return fail(ErrorKind::Invalid, "{} is not a whole ZIP file: {}", printable(path),
                describe(code));
  std::set<std::string> seen;
  std::uint64_t bytes = 0;
  const zip_int64_t count = zip_get_num_entries(reader.archive_.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    zip_stat_t stat;
    constexpr zip_uint64_t kNeeded = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE;
    if (zip_stat_index(reader.archive_.get(), static_cast<zip_uint64_t>(i), 0, &stat) != 0 ||
        (stat.valid & kNeeded) != kNeeded)
      return fail(ErrorKind::Invalid, "{}: its list of members is damaged", printable(path));
    const std::string name = stat.name;
    if (std::ranges::find(names, name) == names.end())
      return fail(ErrorKind::Invalid, "{} has a member that does not belong there: \"{}\"",
                  printable(path), printable(shorten(name, 80)));
    if (!seen.insert(name).second)
      return fail(ErrorKind::Invalid, "{} has the member {} twice", printable(path), name);
    bytes += std::min(stat.size, kMostBytes + 1);
    if (bytes > kMostBytes || (stat.size > kSmall && stat.size / kMostRatio > stat.comp_size))
      return fail(ErrorKind::Invalid, "{}: its member {} is too large when unpacked ({} bytes)",
                  printable(path), name, stat.size);
  }
  return reader;
}

bool ZipReader::has(const std::string& name) const {
  return zip_name_locate(archive_.get(), name.c_str(), 0) >= 0;
}

Result<ZipReader::Lines> ZipReader::lines_of(const std::string& name) {
  Lines lines;
  lines.where_ = fmt::format("{}: {}", printable(path_), name);
  lines.member_.reset(zip_fopen(archive_.get(), name.c_str(), 0));
  if (!lines.member_)
    return fail(ErrorKind::Invalid, "{} cannot be read: {}", lines.where_,
                describe(zip_get_error(archive_.get())));
  return lines;
}

Result<std::optional<std::string_view>> ZipReader::Lines::next() {
  for (;;) {
    const std::size_t end = buffer_.find('\n', at_);
    if (end != std::string::npos) {
      const std::string_view line(buffer_.data() + at_, end - at_);
      at_ = end + 1;
      return line;
    }
    if (has_ended_) {
      const std::string_view rest(buffer_.data() + at_, buffer_.size() - at_);
      at_ = buffer_.size();
      return rest.empty() ? std::nullopt : std::optional(rest);
    }
    buffer_.erase(0, std::exchange(at_, 0));
    if (buffer_.size() > kLongestLine)
      return fail(ErrorKind::Invalid, "{} has a line longer than 64 MB", where_);
    const std::size_t before = buffer_.size();
    buffer_.resize(before + kReadAtATime);
    const zip_int64_t count = zip_fread(member_.get(), buffer_.data() + before, kReadAtATime);
    if (count < 0)
      return fail(ErrorKind::Invalid, "{} is damaged: {}", where_,
                  describe(zip_file_get_error(member_.get())));
    buffer_.resize(before + static_cast<std::size_t>(count));
    has_ended_ = count == 0;
  }
}

Result<std::string> ZipReader::load(const std::string& name, std::size_t most) {
  ASSIGN_OR_RETURN(Lines lines, lines_of(name));
  std::string text;
  for (;;) {
    ASSIGN_OR_RETURN(const auto line, lines.next());
    if (!line) return text;
    text += *line;
    text += '\n';
    if (text.size() > most)
      return fail(ErrorKind::Invalid, "{} is larger than {} bytes", lines.where_, most);
  }
}

}  // namespace personascope::files
