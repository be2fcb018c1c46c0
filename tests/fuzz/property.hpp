// What a fuzz target may say about its subject beyond "it does not crash".
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.hpp"
#include "base/text.hpp"

namespace personascope::fuzz {

inline std::string_view make_text(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

// The targets of the driver, by name.
inline std::map<std::string_view, void (*)(std::string_view)>& targets() {
  static std::map<std::string_view, void (*)(std::string_view)> all;
  return all;
}

// Ends the program, which is how a fuzzer learns of a fault.
inline void require(bool holds, const char* property) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", property);
  std::abort();
}

// Errors are shown on terminals and kept in files as they are.
inline void require_printable(const Error& error) {
  require(!error.message.empty(), "an error says something");
  require(printable(error.message) == error.message, "an error's message is printable");
}

template <class T>
bool succeeds(const Result<T>& result) {
  if (!result) require_printable(result.error());
  return result.has_value();
}

// The parts before and after the first line "----", for subjects that take two texts.
inline std::pair<std::string_view, std::string_view> cut(std::string_view bytes) {
  constexpr std::string_view kMark = "\n----\n";
  const std::size_t at = bytes.find(kMark);
  if (at == std::string_view::npos) return {bytes, {}};
  return {bytes.substr(0, at), bytes.substr(at + kMark.size())};
}

}  // namespace personascope::fuzz

// `FUZZ_TARGET(name, bytes) { … }` is a target, called as its file; `bytes` is a string_view. With
// libFuzzer each is a program of its own, otherwise one driver has them all in its list.
#ifdef PERSONASCOPE_LIBFUZZER
#define FUZZ_TARGET(name, bytes)                                                      \
  static void fuzz_##name(std::string_view bytes);                                    \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    fuzz_##name(personascope::fuzz::make_text(data, size));                           \
    return 0;                                                                         \
  }                                                                                   \
  static void fuzz_##name(std::string_view bytes)
#else
#define FUZZ_TARGET(name, bytes)                                        \
  static void fuzz_##name(std::string_view bytes);                      \
  [[maybe_unused]] static const bool fuzz_##name##_listed =             \
      personascope::fuzz::targets().emplace(#name, fuzz_##name).second; \
  static void fuzz_##name(std::string_view bytes)
#endif
