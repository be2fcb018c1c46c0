#include "eval/batch/batch_line.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "files/testing/temporary_folder.hpp"

namespace personascope::eval::batch {
namespace {

constexpr const char* kMessages = R"("messages": [{"role": "user", "content": "Hi"}])";

TEST(BatchLine, ReadsRequests) {
  struct Case {
    std::string line, id, role;
  };
  const std::string messages = kMessages;
  for (
      const Case& c : {
          Case{R"({"id": "a1", )" + messages + "}", "a1", "model"},
          Case{R"({"id": 7, )" + messages + "}", "7", "model"},
          Case{R"({"id": "a", "role": "judge", "model": "left aside", )" + messages + "}", "a",
               "judge"},
          Case{R"({"id": "ü\n", "max_tokens": 64, "temperature": 0.5, )" + messages + "}", "ü\n",
               "model"},
          Case{
              R"({"custom_id": "c", "method": "POST", "url": "/v1/chat/completions", "body": {"model": "x", )" +
                  messages + "}}",
              "c", "model"},
      }) {
    const auto line = parse_batch_line(c.line);
    ASSERT_TRUE(line) << c.line << line.error().message;
    EXPECT_EQ(line->id, c.id);
    EXPECT_EQ(line->role, c.role);
    EXPECT_EQ(line->request.messages.at(0).content, "Hi");
  }
}

TEST(BatchLine, LeavesAnIdAsItIsWritten) {
  const std::string messages = kMessages;
  for (const std::string id : {R"("7")", "7", "-1", "18446744073709551615", R"("ü\n")"}) {
    const auto line = parse_batch_line(R"({"id": )" + id + ", " + messages + "}");
    ASSERT_TRUE(line) << id;
    EXPECT_EQ(line->id_json, id);
    const std::string answer = render_answer_line(line->id_json, core::Reply{});
    EXPECT_TRUE(answer.starts_with(R"({"id":)" + id + ",")) << answer;
  }
}

TEST(BatchLine, SaysWhatIsWrong) {
  const std::string messages = kMessages;
  const std::pair<std::string, const char*> cases[] = {
      {"", "not valid JSON"},
      {"{", "not valid JSON"},
      {"[]", "a line must be a JSON object"},
      {"{" + messages + "}", "every line needs an \"id\""},
      {R"({"id": "", )" + messages + "}", "every line needs an \"id\""},
      {R"({"id": 1.5, )" + messages + "}", "every line needs an \"id\""},
      {R"({"id": null, )" + messages + "}", "every line needs an \"id\""},
      {R"({"id": "a"})", "\"messages\" must be a list"},
      {R"({"id": "a", "messages": []})", "\"messages\" must be a list"},
      {R"({"id": "a", "messages": [{"role": "robot", "content": "x"}]})", "message 1: \"role\""},
      {R"({"id": "a", "role": "martian", )" + messages + "}", "\"role\" must be"},
      {R"({"id": "a", "temprature": 1, )" + messages + "}", "did you mean \"temperature\""},
      {R"({"id": "a", "temperature": 3, )" + messages + "}",
       "\"temperature\" must be a number from 0 to 2"},
      {R"({"id": "a", "max_tokens": 0, )" + messages + "}", "\"max_tokens\" must be"},
      {R"({"id": "a", "n": 2, )" + messages + "}", "\"n\" must be 1"},
      {R"({"custom_id": "", "body": {)" + messages + "}}", "every line needs an \"id\""},
      {R"({"custom_id": "c", "body": 7})", "a request must be a JSON object"},
  };
  for (const auto& [text, message] : cases) {
    const auto line = parse_batch_line(text);
    ASSERT_FALSE(line) << text;
    EXPECT_NE(line.error().message.find(message), std::string::npos)
        << text << line.error().message;
  }
}

TEST(BatchLine, WritesAnswersInTheDocumentedOrder) {
  core::Reply reply;
  reply.text = "Hi \"there\"\n\xff";
  reply.model = "m-1";
  reply.usage = {3, 4, std::nullopt};
  EXPECT_EQ(
      render_answer_line(R"("a")", reply),
      "{\"id\":\"a\",\"outcome\":\"ok\",\"text\":\"Hi "
      "\\\"there\\\"\\n\xEF\xBF\xBD\",\"model\":\"m-1\","
      "\"usage\":{\"input_tokens\":3,\"output_tokens\":4},\"error\":null,\"finish\":\"stop\"}");
  reply.text = "No.";
  reply.finish = core::FinishReason::Refusal;
  reply.logprobs = {{{"No", -0.5}, {}}};
  EXPECT_EQ(
      render_answer_line(R"("a")", reply),
      R"({"id":"a","outcome":"refused","text":"No.","model":"m-1","usage":{"input_tokens":3,"output_tokens":4},)"
      R"("error":null,"finish":"refusal","logprobs":[{"logprob":-0.5,"token":"No"}]})");
  const std::pair<ErrorKind, const char*> failures[] = {{ErrorKind::Refused, "refused"},
                                                        {ErrorKind::Timeout, "failed"}};
  for (const auto& [kind, outcome] : failures)
    EXPECT_EQ(render_answer_line(R"("a")", std::unexpected(Error{kind, "why"})),
              fmt::format(R"({{"id":"a","outcome":"{}","text":null,"model":null,"usage":{{}},)"
                          R"("error":{{"kind":"{}","message":"why"}},"finish":null}})",
                          outcome, name_of(kind)));
}

class BatchFileTest : public testing::Test {
 protected:
  std::string write(const std::string& text) {
    const std::string path = folder_.path("in.jsonl");
    std::ofstream(path) << text;
    return path;
  }
  static std::string line(const std::string& id) {
    return fmt::format(R"({{"id": "{}", {}}})", id, kMessages) + "\n";
  }
  files::TemporaryFolder folder_;
};

TEST_F(BatchFileTest, CountsAndHashesTheLinesAndShowsEach) {
  std::vector<std::string> ids;
  const auto visit = [&ids](const BatchLine& seen) -> Result<void> {
    ids.push_back(seen.id);
    return {};
  };
  const auto file = check_batch_file(write(line("a") + "\n  \n" + line("b")), visit);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->lines, 2);
  EXPECT_EQ(ids, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(check_batch_file(write(line("a") + line("b")))->sha256, file->sha256)
      << "blank lines do not count";
  EXPECT_NE(check_batch_file(write(line("b") + line("a")))->sha256, file->sha256);
}

TEST_F(BatchFileTest, NamesFileAndLineOfWhatIsWrong) {
  std::string six;
  for (int i = 1; i <= 6; ++i) six += line("i" + std::to_string(i));
  const std::pair<std::string, const char*> cases[] = {
      {six + "{oops\n", ", line 7: not valid JSON"},
      {six + "\n" + line("i3"), ", line 8: the same id as line 3; ids must differ"},
      {"", "contains no requests"},
      {"\n \n", "contains no requests"},
  };
  for (const auto& [text, message] : cases) {
    const std::string path = write(text);
    const auto file = check_batch_file(path);
    ASSERT_FALSE(file) << text;
    EXPECT_EQ(file.error().kind, ErrorKind::Invalid);
    EXPECT_NE(file.error().message.find(message), std::string::npos) << file.error().message;
    EXPECT_NE(file.error().message.find(path), std::string::npos);
  }
  EXPECT_EQ(check_batch_file(folder_.path("none")).error().kind, ErrorKind::NotFound);
  EXPECT_EQ(check_batch_file(folder_.path("")).error().kind, ErrorKind::Invalid);
}

}  // namespace
}  // namespace personascope::eval::batch
