#include <gtest/gtest.h>

#include "llm/providers/bot_file.hpp"
#include "llm/providers/bot_reply.hpp"
#include "llm/providers/bot_sessions.hpp"
#include "llm/providers/bot_template.hpp"

namespace personascope::llm {
namespace {

const files::Environment& bot_settings() {
  static const files::Environment settings({{"BOT_API_KEY", "sk-bot-secret"},
                                            {"BOT_BASE_URL", "https://bots.example.org/api"},
                                            {"BOT_ODD", "two\nlines"},
                                            {"OPENAI_API_KEY", "sk-openai"}});
  return settings;
}

Result<BotFile> read_bot_file(std::string_view text) {
  return parse_bot_file(text, "bot.yaml", bot_settings());
}

std::string complaint_about(std::string_view text) {
  const auto file = read_bot_file(text);
  return file ? "none" : file.error().message;
}

constexpr std::string_view kSmall = R"(
url: https://bots.example.org/ask
body: {text: "{message}"}
answer: reply.text
)";

TEST(BotFile, ReadsASmallOne) {
  const auto file = read_bot_file(kSmall);
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->origin, "https://bots.example.org");
  EXPECT_EQ(file->hash.size(), 64u);
  EXPECT_FALSE(file->has_session());
  EXPECT_FALSE(file->brings_history());
  EXPECT_NE(read_bot_file(std::string(kSmall) + "# changed")->hash, file->hash);
}

TEST(BotFile, WhatIsFilledInCannotBreakOut) {
  const auto file = read_bot_file(R"(
url: ${BOT_BASE_URL}/ask?q={message}&k=${BOT_API_KEY}
method: put
headers: {Authorization: "Bearer ${BOT_API_KEY}", X-Session: "{session}"}
body: {text: "User says: {message}!", past: "{history}", t: "{temperature}", plain: [1, null, "{not a gap}"]}
answer: a
)");
  ASSERT_TRUE(file) << file.error().message;
  BotValues values;
  values["message"] = "\"}, {\"admin\": true, ${BOT_API_KEY} {system} & a=b\n";
  values["session"] = "s 1";
  values["history"] = Json::array({{{"role", "user"}, {"content", "x"}}});
  const Json body = file->ask.body->fill(values);
  EXPECT_EQ(body["text"], "User says: " + values["message"].get<std::string>() + "!");
  EXPECT_EQ(body.size(), 4u);
  EXPECT_EQ(body["past"], values["history"]);
  EXPECT_TRUE(body["t"].is_null()) << "not set in the request";
  EXPECT_EQ(body["plain"], Json::parse(R"([1, null, "{not a gap}"])"));
  const std::string url = file->ask.url.fill(values);
  EXPECT_TRUE(url.starts_with("https://bots.example.org/api/ask?q=%22%7D%2C")) << url;
  EXPECT_TRUE(url.ends_with("%26%20a%3Db%0A&k=sk-bot-secret")) << url;
  ASSERT_EQ(file->secrets.size(), 1u) << "the address is no secret";
  EXPECT_EQ(file->secrets[0].reveal(), "sk-bot-secret");
}

TEST(BotFile, SaysWhatIsWrong) {
  struct Case {
    std::string_view file;
    std::string_view words;
  };
  const std::string rest = R"(, body: {m: "{message}"}, answer: a})";
  for (const auto& [file, words] : std::vector<std::pair<std::string, std::string>>{
           {"[]", "must be a map"},
           {"{url: x", "bot.yaml"},
           {"{answer: a, body: {m: \"{message}\"}}", "\"url\" is missing"},
           {"{url: ftp://x" + rest, "http:// or https://"},
           {"{url: \"https://{session}.evil.org/\"" + rest, "before the first placeholder"},
           {"{url: \"https://a.org@\"" + rest, "not an address"},
           {"{url: \"https://a.org\\\\@b.org/\"" + rest, "not an address"},
           {"{url: https://x.org, answer: a, body: {m: \"{mesage}\"}}", "there is no {mesage}"},
           {"{url: https://x.org, answer: a, body: {m: \"All: {history}\", n: \"{message}\"}}",
            "must stand alone"},
           {"{url: https://x.org, answer: a, body: {m: x}}", "{message}"},
           {"{url: https://x.org, body: {m: \"{message}\"}}", "\"answer\" is missing"},
           {"{url: https://x.org, anser: a" + rest, "did you mean \"answer\"?"},
           {"{url: https://x.org, method: STEAL" + rest, "method"},
           {"{url: https://x.org, method: GET" + rest, "a GET request has none"},
           {"{url: https://x.org, headers: {\"A B\": c}" + rest, "character"},
           {"{url: https://x.org, headers: {Host: c}" + rest, "not yours to set"},
           {"{url: https://x.org, headers: {A: \"b\\r\\nEvil: c\"}" + rest, "one line"},
           {"{url: https://x.org, headers: {A: \"{message}\"}" + rest, "{session} only"},
           {"{url: https://x.org, headers: {A: \"${OPENAI_API_KEY}\"}" + rest, "begin with BOT_"},
           {"{url: https://x.org, headers: {A: \"${BOT_MISSING}\"}" + rest,
            "BOT_MISSING is not set"},
           {"{url: https://x.org, headers: {A: \"${BOT_ODD}\"}" + rest, "line end"},
           {"{url: https://x.org, session: {open: {url: https://x.org, id: a}}" + rest,
            "must use {session}"},
           {"{url: https://x.org, session: {close: {url: https://x.org}}" + rest,
            "\"session.open\" is missing"},
           {"{url: https://x.org, turns: {role: a, text: a}" + rest, "must differ"},
           {"{url: https://x.org, reply: xml" + rest, "json, text, events, lines"},
       })
    EXPECT_NE(complaint_about(file).find(words), std::string::npos) << file << "\n"
                                                                    << complaint_about(file);
  std::string many;
  for (int i = 0; i < 200; ++i) many += "{message}";
  EXPECT_NE(complaint_about("{url: https://x.org, answer: a, body: {m: \"" + many + "\"}}")
                .find("at most 100"),
            std::string::npos);
  EXPECT_EQ(complaint_about("{url: https://x.org, headers: {A: \"${OPENAI_API_KEY}\"}" + rest)
                .find("sk-"),
            std::string::npos);
}

TEST(BotPath, FindsPlaces) {
  const Json value =
      Json::parse(R"({"a": {"b/c": [1, {"d": "x"}], "": 2}, "n": null, "0": "zero"})");
  for (const auto& [path, found] :
       std::vector<std::pair<std::string, std::string>>{{"/a/b~1c/1/d", "\"x\""},
                                                        {"a.b/c.1.d", "\"x\""},
                                                        {"a.b/c.-1.d", "\"x\""},
                                                        {"a.b/c.0", "1"},
                                                        {"/a/", "2"},
                                                        {"0", "\"zero\""},
                                                        {"n", ""},
                                                        {"a.b/c.2", ""},
                                                        {"a.b/c.-3", ""},
                                                        {"a.x", ""}}) {
    const Json* place = BotPath::parse(path)->find(value);
    EXPECT_EQ(place ? render_json(*place) : "", found) << path;
  }
  for (const char* bad : {"", "a..b", ".a", "/a~2b", "/~"})
    EXPECT_FALSE(BotPath::parse(bad)) << bad;
}

// The reply to a body that arrives in two pieces, and what was heard.
std::string read_bot_reply(std::string_view file_text, const std::string& body, int status = 200) {
  const auto file = read_bot_file(file_text);
  if (!file) return "test: " + file.error().message;
  std::string first;
  for (std::size_t cut = 0; cut <= body.size(); ++cut) {
    std::string heard;
    BotReplyReader reader(file->reply, [&](std::string_view text) { heard += text; });
    if (status == 200) {
      reader.feed(std::string_view(body).substr(0, cut));
      reader.feed(std::string_view(body).substr(cut));
    }
    const auto reply = reader.finish({status, {}, body}, "https://x.org");
    std::string now = reply
                          ? reply->text
                          : std::string(name_of(reply.error().kind)) + ": " + reply.error().message;
    if (reply && file->reply.form != BotReplyForm::Json) {
      EXPECT_EQ(heard, reply->text);
    }
    if (reply && reply->usage.output_tokens)
      now += fmt::format(" ({} tokens)", *reply->usage.output_tokens);
    if (cut == 0) first = now;
    EXPECT_EQ(now, first) << "cut at " << cut;
  }
  return first;
}

TEST(BotReply, IsReadInEveryForm) {
  const std::string json = std::string(kSmall) + "tokens: {output: usage.out}\nerror: failure\n";
  EXPECT_EQ(read_bot_reply(json, R"({"reply": {"text": "Hi"}, "usage": {"out": 3}})"),
            "Hi (3 tokens)");
  EXPECT_EQ(read_bot_reply(json, R"({"reply": {"text": ""}})"), "");
  EXPECT_EQ(read_bot_reply(json, R"({"failure": "busy"})"), "transient: the server reports: busy");
  EXPECT_EQ(read_bot_reply(json, R"({"reply": {"text": 5}})"),
            "transient: what the bot sent at \"reply.text\" is not text");
  EXPECT_EQ(read_bot_reply(json, R"({"error": {"code": 401, "message": "no"}})"),
            "unauthorized: the server reports error 401: no");
  EXPECT_TRUE(read_bot_reply(json, R"({"other": 1})")
                  .starts_with("transient: the bot's answer has no text at \"reply.text\""));
  EXPECT_TRUE(read_bot_reply(json, "<html>")
                  .starts_with("transient: https://x.org answered with a web page"));
  EXPECT_EQ(read_bot_reply(json, "slow down", 429), "rate_limited: HTTP 429: slow down");
  const std::string head = "url: https://x.org\nbody: {m: \"{message}\"}\n";
  EXPECT_EQ(read_bot_reply(head + "reply: text\n", "Hello\nyou"), "Hello\nyou");
  const std::string events = head + "reply: events\nanswer: delta\ndone: end\n";
  EXPECT_EQ(read_bot_reply(events,
                           "data: {\"delta\": \"He\"}\n\ndata: {\"delta\": \"y\"}\n\ndata: "
                           "{\"end\": true}\n\ndata: [DONE]\n\n"),
            "Hey");
  EXPECT_EQ(read_bot_reply(events, "data: {\"delta\": \"He\"}\n\n"),
            "transient: the bot's stream ended too early");
  EXPECT_TRUE(read_bot_reply(events, "data: oops\n\n")
                  .starts_with("transient: the bot's stream contains data that is not JSON"));
  EXPECT_EQ(read_bot_reply(head + "reply: events\n", "data: He\n\ndata: y\n\n"), "Hey")
      << "plain text in events";
  const std::string lines = head + "reply: lines\nanswer: text\npieces: replace\n";
  EXPECT_EQ(read_bot_reply(lines, "{\"text\": \"H\"}\n\n{\"text\": \"Hey\"}\n{\"state\": \"end\"}"),
            "Hey");
}

TEST(BotSessions, AreFoundByWhatWasSaidInThem) {
  BotSessions sessions;
  const std::vector<core::Message> one{{core::Role::User, "a"}, {core::Role::Assistant, "b"}};
  const std::vector<core::Message> same{{core::Role::User, "a"}, {core::Role::Assistant, " b\n"}};
  const std::vector<core::Message> other{{core::Role::User, "ab"}, {core::Role::Assistant, ""}};
  EXPECT_FALSE(sessions.keep(one, "s1"));
  EXPECT_FALSE(sessions.keep(one, "s2"));
  EXPECT_FALSE(sessions.take(other));
  EXPECT_EQ(sessions.take(same), "s1");
  EXPECT_EQ(sessions.take(one), "s2");
  EXPECT_FALSE(sessions.take(one)) << "a session is one conversation's";
  std::optional<std::string> given_up;
  for (int i = 0; i <= 4096; ++i) given_up = sessions.keep(other, std::to_string(i));
  EXPECT_EQ(given_up, "0");
  EXPECT_EQ(sessions.take_all().size(), 4096u);
  EXPECT_NE(make_session_id(), make_session_id());
}

}  // namespace
}  // namespace personascope::llm
