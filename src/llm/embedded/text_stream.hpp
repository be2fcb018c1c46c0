// From pieces of tokens to text: whole UTF-8 characters only, and nothing of a stop string.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace personascope::llm::embedded {

class TextStream {
 public:
  explicit TextStream(std::vector<std::string> stop);

  // Takes the next piece and gives the text that is now certain; held back is half a character and
  // whatever may turn out to begin a stop string.
  std::string add(std::string_view piece);
  // Whether a stop string was met; what follows is not taken any more.
  bool is_stopped() const { return is_stopped_; }
  // The end: gives what was held back, half characters replaced.
  std::string finish();

 private:
  // How many bytes at the end must wait.
  std::size_t uncertain() const;

  std::vector<std::string> stop_;
  std::string held_;
  bool is_stopped_ = false;
};

}  // namespace personascope::llm::embedded
