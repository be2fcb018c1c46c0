// Text to tokens and back, and a conversation as the model's chat template writes it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "core/message.hpp"
#include "llm/embedded/llama_library.hpp"
#include "llm/embedded/prefix_cache.hpp"

namespace personascope::llm::embedded {

// check_length(), tokenize_chat() and remember() are called from one thread; the rest from any.
class Vocabulary {
 public:
  explicit Vocabulary(ModelPtr model);

  // Fails as ContextTooLong if no text of so many bytes fits into the context that the model was
  // made for: megabytes are tokenized for seconds, which nothing can interrupt.
  Result<void> check_length(std::size_t bytes);

  // The conversation up to where the answer begins. If the last message is the assistant's, the
  // answer goes on from it. The template's marks are tokens of their own; text that looks like one
  // stays text, so that nobody can forge a turn.
  Result<std::vector<Token>> tokenize_chat(const std::vector<core::Message>& messages);
  // Plain text, without any mark.
  std::vector<Token> tokenize(std::string_view text) const;

  std::string piece(Token token) const;
  bool ends_answer(Token token) const;
  std::size_t size() const;
  const llama_model* model() const { return model_.get(); }
  const llama_vocab* handle() const { return vocab_; }

  // The first tokens that an answer beginning with the label may have: as written, after a blank,
  // and, if it is a word, in other cases.
  std::vector<Token> first_tokens(const std::string& label) const;

  // An answer of the model's own may be made of other tokens than tokenize() makes of its text.
  // When it comes back in a later turn, it is read as it was written, so that the turn before need
  // not be computed again.
  void remember(const std::string& text, std::span<const Token> tokens);

 private:
  std::vector<Token> tokenize(std::string_view text, bool with_beginning, bool with_marks) const;

  ModelPtr model_;
  const llama_vocab* vocab_;
  std::string template_;
  std::size_t longest_token_ = 0;  // in bytes, once it was needed
  std::unordered_map<std::string, std::vector<Token>> remembered_;
};

}  // namespace personascope::llm::embedded
