#include "cli/confirm.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>

#include "base/text.hpp"
#include "cli/terminal.hpp"
#include "cli/wrap.hpp"

namespace personascope::cli {

std::optional<bool> confirm(const std::string& question) {
  if (isatty(STDIN_FILENO) == 0 || isatty(STDERR_FILENO) == 0) return std::nullopt;
  say("{} ", trim(wrap_message(stderr, printable(question) + " [y/N]", 0)));
  std::string answer;
  std::getline(std::cin, answer);
  const std::string word = lower(trim(answer));
  return word == "y" || word == "yes";
}

}  // namespace personascope::cli
