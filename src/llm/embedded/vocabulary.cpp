#include "llm/embedded/vocabulary.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace personascope::llm::embedded {
namespace {

constexpr std::size_t kMostRemembered = 4096;

// Stands for a message's text while the template is applied; no template changes or splits it.
std::string make_placeholder(std::size_t index) {
  return fmt::format("\x01personascope-{}\x01", index);
}

bool is_word(std::string_view label) {
  return label.size() > 1 && std::ranges::all_of(label, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ' ';
         });
}

}  // namespace

Vocabulary::Vocabulary(ModelPtr model)
    : model_(std::move(model)), vocab_(llama_model_get_vocab(model_.get())) {
  const char* found = llama_model_chat_template(model_.get(), nullptr);
  template_ = found ? found : "chatml";
  // llama.cpp knows the common templates by heart and no others; ChatML is what most are like.
  const llama_chat_message probe{"user", "x"};
  if (llama_chat_apply_template(template_.c_str(), &probe, 1, true, nullptr, 0) < 0)
    template_ = "chatml";
}

Result<std::vector<Token>> Vocabulary::tokenize_chat(const std::vector<core::Message>& messages) {
  std::vector<std::string> placeholders;
  std::vector<std::string> roles;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    placeholders.push_back(make_placeholder(i));
    roles.emplace_back(core::name_of(messages[i].role));
  }
  std::vector<llama_chat_message> chat;
  for (std::size_t i = 0; i < messages.size(); ++i)
    chat.push_back({roles[i].c_str(), placeholders[i].c_str()});
  const bool goes_on = !messages.empty() && messages.back().role == core::Role::Assistant;
  std::string written(256 + 256 * messages.size(), '\0');
  for (;;) {
    const int length =
        llama_chat_apply_template(template_.c_str(), chat.data(), chat.size(), !goes_on,
                                  written.data(), static_cast<std::int32_t>(written.size()));
    if (length < 0)
      return fail(ErrorKind::Unsupported,
                  "the model's chat template cannot format this conversation");
    const bool fits = static_cast<std::size_t>(length) <= written.size();
    written.resize(static_cast<std::size_t>(length));
    if (fits) break;
  }

  std::vector<Token> tokens;
  std::string_view rest = written;
  const auto add = [&](const std::vector<Token>& more) {
    tokens.insert(tokens.end(), more.begin(), more.end());
  };
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const std::size_t at = rest.find(placeholders[i]);
    if (at == std::string_view::npos)
      return fail(ErrorKind::Unsupported, "the model's chat template leaves out message {} ({})",
                  i + 1, roles[i]);
    add(tokenize(rest.substr(0, at), tokens.empty(), true));
    const auto known = remembered_.find(messages[i].content);
    if (messages[i].role == core::Role::Assistant && known != remembered_.end())
      add(known->second);
    else
      add(tokenize(messages[i].content, false, false));
    rest.remove_prefix(at + placeholders[i].size());
  }
  if (!goes_on) add(tokenize(rest, tokens.empty(), true));
  return tokens;
}

std::vector<Token> Vocabulary::tokenize(std::string_view text) const {
  return tokenize(text, false, false);
}

std::vector<Token> Vocabulary::tokenize(std::string_view text, bool with_beginning,
                                        bool with_marks) const {
  const std::string clean = make_utf8(text);
  std::vector<Token> tokens(clean.size() + 2);
  const auto write = [&] {
    return llama_tokenize(vocab_, clean.data(), static_cast<std::int32_t>(clean.size()),
                          tokens.data(), static_cast<std::int32_t>(tokens.size()), with_beginning,
                          with_marks);
  };
  int count = write();
  if (count < 0) {
    tokens.resize(static_cast<std::size_t>(-count));
    count = write();
  }
  tokens.resize(static_cast<std::size_t>(std::max(count, 0)));
  return tokens;
}

Result<void> Vocabulary::check_length(std::size_t bytes) {
  const auto context =
      static_cast<std::size_t>(find_own_metadata(model_.get(), "context_length").value_or(0));
  if (context == 0 || bytes <= context) return {};
  if (longest_token_ == 0) {
    longest_token_ = 4;  // a character that the vocabulary lacks
    for (Token token = 0; token < llama_vocab_n_tokens(vocab_); ++token)
      longest_token_ = std::max(longest_token_, piece(token).size());
  }
  if (bytes <= context * longest_token_) return {};
  return fail(
      ErrorKind::ContextTooLong,
      "the prompt has {} bytes, and no text above {} fits into the {} tokens of the model's "
      "context",
      bytes, context * longest_token_, context);
}

std::string Vocabulary::piece(Token token) const {
  std::string text(64, '\0');
  int length = llama_token_to_piece(vocab_, token, text.data(),
                                    static_cast<std::int32_t>(text.size()), 0, false);
  if (length < 0) {
    text.resize(static_cast<std::size_t>(-length));
    length = llama_token_to_piece(vocab_, token, text.data(),
                                  static_cast<std::int32_t>(text.size()), 0, false);
  }
  text.resize(static_cast<std::size_t>(std::max(length, 0)));
  return text;
}

bool Vocabulary::ends_answer(Token token) const {
  return llama_vocab_is_eog(vocab_, token);
}

std::size_t Vocabulary::size() const {
  return static_cast<std::size_t>(llama_vocab_n_tokens(vocab_));
}

std::vector<Token> Vocabulary::first_tokens(const std::string& label) const {
  std::vector<std::string> writings{label};
  if (is_word(label)) {
    const std::string small = lower(label);
    for (const std::string& other :
         {small, upper(small.substr(0, 1)) + small.substr(1), upper(small)})
      writings.push_back(other);
  }
  std::vector<Token> first;
  for (const std::string& writing : writings)
    for (const std::string& variant : {writing, " " + writing}) {
      const std::vector<Token> tokens = tokenize(variant);
      // A blank that is a token of its own says nothing of the label.
      if (!tokens.empty() && trim(piece(tokens.front())) != "") first.push_back(tokens.front());
    }
  std::ranges::sort(first);
  const auto twins = std::ranges::unique(first);
  first.erase(twins.begin(), twins.end());
  return first;
}

void Vocabulary::remember(const std::string& text, std::span<const Token> tokens) {
  if (text.empty() || std::ranges::equal(tokenize(text), tokens)) return;
  if (remembered_.size() >= kMostRemembered) remembered_.clear();
  remembered_[text].assign(tokens.begin(), tokens.end());
}

}  // namespace personascope::llm::embedded
