// A bot's reply, read by the rules of its file, whole and in two pieces.
#include "llm/providers/bot_reply.hpp"

#include "llm/providers/bot_file.hpp"
#include "reply_property.hpp"

using namespace personascope;

FUZZ_TARGET(bot_reply, bytes) {
  static const files::Environment settings({});
  const auto [rules, body] = fuzz::cut(bytes);
  const auto file = llm::parse_bot_file(
      fmt::format("url: https://x.org\nbody: \"{{message}}\"\n{}", rules), "bot.yaml", settings);
  if (!fuzz::succeeds(file)) return;
  const auto read = [&](std::size_t cut) {
    std::string heard;
    llm::BotReplyReader reader(file->reply, [&](std::string_view text) { heard += text; });
    reader.feed(body.substr(0, cut));
    reader.feed(body.substr(cut));
    auto reply = reader.finish({200, {}, std::string(body)}, "https://x.org");
    if (fuzz::check_reply(reply) && file->reply.pieces == llm::BotPieces::Add)
      fuzz::require(heard == reply->text, "the reply is the text that was heard");
    return reply;
  };
  const auto whole = read(body.size());
  const auto cut = read(body.size() / 2);
  fuzz::require(whole.has_value() == cut.has_value(), "where it is cut makes no difference");
  if (whole) fuzz::require(whole->text == cut->text, "nor for the text");
}
