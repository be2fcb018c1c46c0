// A bot file, and a request made from it for hostile words.
#include "llm/providers/bot_file.hpp"

#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(bot_file, bytes) {
  static const files::Environment settings({{"BOT_API_KEY", "sk-bot"},
                                            {"BOT_BASE_URL", "https://bots.example.org"},
                                            {"OTHER", "sk-other"}});
  const auto [text, words] = fuzz::cut(bytes);
  const auto file = llm::parse_bot_file(text, "bot.yaml", settings);
  if (!fuzz::succeeds(file)) return;
  fuzz::require(file->origin.starts_with("http"), "a bot has an address");
  const std::string said = make_utf8(words);
  llm::BotValues values;
  for (const char* name : {"message", "system", "session"}) values[name] = said;
  values["history"] = values["messages"] = Json::array({said});
  const std::string url = file->ask.url.fill(values);
  fuzz::require(url.starts_with(file->ask.url.beginning()), "words do not change the server");
  fuzz::require(url.find("sk-other") == std::string::npos, "only a bot's variables are used");
  if (!file->ask.body) return;
  const Json body = file->ask.body->fill(values);
  llm::BotValues other = values;
  for (const char* name : {"message", "system", "session"}) other[name] = "x";
  other["history"] = other["messages"] = Json::array({"x"});
  const Json plain = file->ask.body->fill(other);
  fuzz::require(body.flatten().size() == plain.flatten().size(), "words do not change the form");
  fuzz::require(parse_json(render_json(body)).has_value(), "a body is JSON");
}
