#include "llm/embedded/weights.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/hash.hpp"
#include "base/installed.hpp"
#include "base/text.hpp"
#include "files/text_file.hpp"

namespace personascope::llm::embedded {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".gguf";
constexpr std::string_view kPlace = "share/personascope/models";
constexpr std::size_t kPiece = 1u << 20;

std::string path_of(const std::string& name, const files::Environment& environment) {
  return models_folder(environment) + "/" + name + std::string(kSuffix);
}

bool is_gguf(const std::string& path) {
  std::string start(4, '\0');
  std::ifstream file(path, std::ios::binary);
  return file.read(start.data(), 4) && start == "GGUF";
}

std::string hash_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Sha256 hash;
  std::string piece(kPiece, '\0');
  while (file) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    hash.update(std::string_view(piece.data(), static_cast<std::size_t>(file.gcount())));
  }
  return render_hex(hash.digest());
}

// How to get a file back: ours are made by a script, others come from somewhere.
std::string_view remedy_for(const std::string& name) {
  return name == kDefaultModel || name == kOriginalWeights
             ? "run scripts/setup-model, which makes its own files again"
             : "fetch it again";
}

// What a file is if it is no model, after "is".
std::string describe_wrong_kind(const std::string& name) {
  return fmt::format("not a GGUF file, the format of llama.cpp's models: {}", remedy_for(name));
}

std::string describe_damage(const std::string& name) {
  return fmt::format("damaged: its SHA-256 is not the one in the .sha256 file next to it; {}",
                     remedy_for(name));
}

// The first word of a file as sha256sum writes it.
std::optional<std::string> find_expected_hash(const std::string& path) {
  const auto text = files::load_text(path + ".sha256", 4096);
  if (!text) return std::nullopt;
  return std::string(split(trim(*text), ' ').front());
}

}  // namespace

std::string models_folder(const files::Environment& environment) {
  if (auto given = environment.find("PERSONASCOPE_MODELS")) return *given;
  std::error_code ignored;
  if (const auto data = environment.find("PERSONASCOPE_DATA"))
    if (const fs::path beside = (fs::path(*data) / ".." / "models").lexically_normal();
        fs::is_directory(beside, ignored))
      return beside.string();
  return find_installed(kPlace).value_or(describe_installed(kPlace));
}

std::vector<WeightsEntry> list_weights(const files::Environment& environment) {
  std::vector<WeightsEntry> entries;
  std::error_code error;
  for (const auto& file : fs::directory_iterator(models_folder(environment), error)) {
    const std::string name = file.path().filename().string();
    if (!name.ends_with(kSuffix) || !file.is_regular_file(error)) continue;
    entries.push_back({name.substr(0, name.size() - kSuffix.size()),
                       static_cast<std::int64_t>(file.file_size(error))});
  }
  std::ranges::sort(entries, {}, &WeightsEntry::name);
  return entries;
}

std::string find_problem(const WeightsEntry& entry, const files::Environment& environment) {
  const std::string path = path_of(entry.name, environment);
  if (!is_gguf(path)) return describe_wrong_kind(entry.name);
  const auto expected = find_expected_hash(path);
  return !expected || *expected == hash_file(path) ? "" : describe_damage(entry.name);
}

bool is_path(std::string_view name) {
  return name.find('/') != std::string_view::npos || name.ends_with(kSuffix);
}

Result<Weights> find_weights(const std::string& name, const files::Environment& environment) {
  Weights weights{is_path(name) ? fs::path(name).stem().string() : name, name, ""};
  if (!is_path(name)) weights.path = path_of(name, environment);
  std::error_code ignored;
  if (!fs::is_regular_file(weights.path, ignored)) {
    std::vector<std::string> there;
    for (const WeightsEntry& entry : list_weights(environment)) there.push_back(entry.name);
    std::string remedy = "name an existing .gguf file";
    if (!is_path(name))
      remedy = there.empty() ? "run scripts/setup-model"
                             : fmt::format(
                                   "there are {}; scripts/setup-model fetches those that "
                                   "come with the program",
                                   printable(join(there, ", ")));
    return fail(ErrorKind::NotFound, "no model file {}: {}", printable(weights.path), remedy);
  }
  if (!is_gguf(weights.path))
    return fail(ErrorKind::NotFound, "{} is {}", printable(weights.path),
                describe_wrong_kind(name));
  weights.sha256 = hash_file(weights.path);
  const auto expected = find_expected_hash(weights.path);
  if (expected && *expected != weights.sha256)
    return fail(ErrorKind::NotFound, "{} is {}", printable(weights.path), describe_damage(name));
  return weights;
}

}  // namespace personascope::llm::embedded
