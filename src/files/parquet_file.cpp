#include "files/parquet_file.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/installed.hpp"
#include "base/text.hpp"
#include "files/environment.hpp"

namespace personascope::files {
namespace {

constexpr std::size_t kLongestReason = 300;
constexpr std::size_t kBuffer = 1 << 16;

std::string_view name_of(ParquetType type) {
  switch (type) {
    case ParquetType::Bool:
      return "bool";
    case ParquetType::Int:
      return "int";
    case ParquetType::Double:
      return "double";
    default:
      return "text";
  }
}

struct OwnedDescriptor {
  int number = -1;
  explicit OwnedDescriptor(int given = -1) : number(given) {}
  OwnedDescriptor(const OwnedDescriptor&) = delete;
  OwnedDescriptor& operator=(const OwnedDescriptor&) = delete;
  ~OwnedDescriptor() { close(); }
  void close() {
    if (number >= 0) ::close(number);
    number = -1;
  }
};

std::unexpected<Error> no_temporary_file() {
  return fail(ErrorKind::Storage, "no temporary file can be written: {}", std::strerror(errno));
}

// A file that has no name, so that it is gone however the process ends.
int open_unnamed() {
  std::error_code ignored;
  std::string path = std::filesystem::temp_directory_path(ignored) / "personascope_parquet_XXXXXX";
  const int file = ::mkostemp(path.data(), O_CLOEXEC);
  if (file >= 0) ::unlink(path.c_str());
  return file;
}

Result<void> read_all(int descriptor, const ParquetFile::Write& write) {
  std::array<char, kBuffer> part{};
  for (;;) {
    const ssize_t count = ::read(descriptor, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return {};
    RETURN_IF_ERROR(write({part.data(), static_cast<std::size_t>(count)}));
  }
}

// 0, or why it could not be started.
int start_writer(std::string program, std::string columns, int rows, int output, int complaints,
                 pid_t& process) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, rows, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_adddup2(&actions, complaints, 2);
  std::string mode = "write";
  char* words[] = {program.data(), mode.data(), columns.data(), nullptr};
  char* nothing[] = {nullptr};  // no key of ours is in its environment
  const int reason = ::posix_spawn(&process, program.c_str(), &actions, nullptr, words, nothing);
  posix_spawn_file_actions_destroy(&actions);
  return reason;
}

}  // namespace

std::string find_parquet_program(const Environment& environment) {
  if (const auto given = environment.find("PERSONASCOPE_PARQUET_ROWS")) return *given;
  const std::string place = "libexec/personascope/parquet_rows";
  return find_installed(place).value_or(describe_installed(place));
}

Result<void> check_parquet_program(const std::string& program) {
  if (::access(program.c_str(), X_OK) == 0) return {};
  return fail(ErrorKind::NotFound,
              "the program that writes Parquet is not at {}: run scripts/setup-parquet once (it "
              "fetches 54 MB), or choose another format, e.g. .jsonl",
              printable(program));
}

ParquetType type_of(const Json& cell) {
  if (cell.is_null()) return ParquetType::Unknown;
  if (cell.is_boolean()) return ParquetType::Bool;
  if (cell.is_number_float()) return ParquetType::Double;
  // A number beyond 64 bits with a sign would be another one.
  if (cell.is_number_unsigned() && cell.get<std::uint64_t>() > std::uint64_t{INT64_MAX})
    return ParquetType::Double;
  return cell.is_number_integer() ? ParquetType::Int : ParquetType::Text;
}

ParquetType join_types(ParquetType a, ParquetType b) {
  using enum ParquetType;
  if (a == b || b == Unknown) return a;
  if (a == Unknown) return b;
  const auto is_number = [](ParquetType type) { return type == Int || type == Double; };
  return is_number(a) && is_number(b) ? Double : Text;
}

Result<ParquetFile> ParquetFile::create(std::vector<ParquetColumn> columns, std::string program,
                                        Write write) {
  RETURN_IF_ERROR(check_parquet_program(program));
  const int rows = open_unnamed();
  if (rows < 0) return no_temporary_file();
  return ParquetFile(std::move(columns), std::move(program), std::move(write), rows);
}

ParquetFile::ParquetFile(ParquetFile&& other) noexcept
    : columns_(std::move(other.columns_)),
      program_(std::move(other.program_)),
      write_(std::move(other.write_)),
      rows_(std::exchange(other.rows_, -1)),
      buffer_(std::move(other.buffer_)) {}

ParquetFile::~ParquetFile() {
  if (rows_ >= 0) ::close(rows_);
}

Result<void> ParquetFile::add(const std::vector<Json>& cells) {
  Json row = Json::array();
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    columns_[i].type = join_types(columns_[i].type, type_of(cells[i]));
    row.push_back(cells[i].is_structured() ? Json(render_json(cells[i])) : cells[i]);
  }
  buffer_ += render_json(row);
  buffer_ += '\n';
  return buffer_.size() < kBuffer ? Result<void>{} : flush();
}

Result<void> ParquetFile::flush() {
  for (std::size_t done = 0; done < buffer_.size();) {
    const ssize_t count = ::write(rows_, buffer_.data() + done, buffer_.size() - done);
    if (count < 0 && errno != EINTR) return no_temporary_file();
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  buffer_.clear();
  return {};
}

Result<void> ParquetFile::finish() {
  RETURN_IF_ERROR(flush());
  if (::lseek(rows_, 0, SEEK_SET) != 0) return no_temporary_file();
  Json columns = Json::array();
  for (const ParquetColumn& column : columns_)
    columns.push_back({column.name, name_of(column.type)});
  std::array<int, 2> output{-1, -1};
  if (::pipe2(output.data(), O_CLOEXEC) != 0)
    return fail(ErrorKind::Storage, "no pipe can be created: {}", std::strerror(errno));
  const OwnedDescriptor from(output[0]);
  OwnedDescriptor to(output[1]);
  const OwnedDescriptor complaints(open_unnamed());
  if (complaints.number < 0) return no_temporary_file();
  pid_t process = 0;
  const int reason =
      start_writer(program_, render_json(columns), rows_, to.number, complaints.number, process);
  if (reason != 0)
    return fail(ErrorKind::NotFound, "{} cannot be started: {}; run scripts/setup-parquet",
                printable(program_), std::strerror(reason));
  to.close();
  const Result<void> passed_on = read_all(from.number, write_);
  if (!passed_on) ::kill(process, SIGKILL);
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  RETURN_IF_ERROR(passed_on);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  std::array<char, 4096> complaint{};
  const ssize_t length = ::pread(complaints.number, complaint.data(), complaint.size(), 0);
  const auto said = trim({complaint.data(), length > 0 ? static_cast<std::size_t>(length) : 0});
  return fail(ErrorKind::Storage, "the Parquet file cannot be written: {}",
              said.empty() ? "its writer gave no reason"
                           : printable(shorten(make_utf8(said), kLongestReason)));
}

}  // namespace personascope::files
