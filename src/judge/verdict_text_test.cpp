#include "judge/verdict_text.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "judge/rubric.hpp"
#include "judge/testing/text_cases.hpp"
#include "llm/json_schema.hpp"

namespace personascope::judge {
namespace {

std::string render_utf8(unsigned code) {
  std::string text;
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xC0 | code >> 6);
    text += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    text += static_cast<char>(0xE0 | code >> 12);
    text += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    text += static_cast<char>(0x80 | (code & 0x3F));
  }
  return text;
}

std::string without_escapes(std::string text) {
  for (std::size_t at = text.find("\\u{"); at != std::string::npos; at = text.find("\\u{", at)) {
    const std::size_t end = text.find('}', at);
    const auto code =
        static_cast<unsigned>(std::strtoul(text.substr(at + 3, end - at - 3).c_str(), nullptr, 16));
    text.replace(at, end - at + 1, render_utf8(code));
  }
  return text;
}

VerdictForm make_form(const std::string& scale = "1-5", const std::string& marker = "Verdict") {
  VerdictForm form;
  form.scale = scale == "yes-no" ? make_yes_no_scale()
               : scale == "0-10" ? make_number_scale(0, 10)
               : scale == "1-4"  ? make_number_scale(1, 4)
               : scale == "-2-2" ? make_number_scale(-2, 2)
                                 : make_number_scale(1, 5);
  form.markers = {marker};
  return form;
}

std::string describe(const core::Verdict& verdict) {
  switch (verdict.kind) {
    case core::VerdictKind::Score:
      return fmt::format("score {}", verdict.score);
    case core::VerdictKind::CannotAssess:
      return "cannot assess";
    case core::VerdictKind::Refused:
      return "refused";
    case core::VerdictKind::Failed:
      return verdict.fault.kind == ErrorKind::Unparsable ? "unread" : "failed";
  }
  return "";
}

void check(const std::string& file, std::size_t fewest) {
  const auto cases = load_cases(std::string(PERSONASCOPE_JUDGE_TESTDATA) + "/" + file);
  EXPECT_GE(cases.size(), fewest);
  for (const TextCase& one : cases) {
    const std::string reply = without_escapes(one.text);
    VerdictForm form = make_form(one.key("scale", "1-5"), one.key("marker", "Verdict"));
    if (const std::string rubric = one.key("rubric"); !rubric.empty()) {
      const Rubric asked = load_rubric(PERSONASCOPE_DATA "/rubrics/" + rubric).value();
      form = make_verdict_form(asked, asked.prompt);
    }
    const VerdictReader reader(std::move(form));
    const core::Verdict verdict = reader.read(reply, replace_all(one.key("answer"), "\\n", "\n"));
    EXPECT_EQ(describe(verdict), one.key("expect")) << one.name << "\n" << reply;
    EXPECT_EQ(verdict.text, reply) << "the judge's words are kept as they came";
  }
}

TEST(VerdictText, ReadsGoodReplies) {
  check("good_replies.txt", 50);
}

TEST(VerdictText, IsNotMisledByNastyReplies) {
  check("nasty_replies.txt", 60);
}

TEST(VerdictText, TakesTimeLinearInAHostileText) {
  const VerdictReader reader(make_form());
  for (const std::string_view piece : {"Verdict: ", "Verdict: 4 \"", "\n```\n{", ". verdict: \n",
                                       "final the so ", "((((((((", "\n{\"verdict\":"}) {
    std::string text;
    while (text.size() < 2'000'000) text += piece;
    const core::Verdict verdict = reader.read(text);
    EXPECT_EQ(verdict.text.size(), text.size());
  }
}

TEST(VerdictText, TakesTimeLinearInAHostileTextThatIsQuoted) {
  const VerdictReader reader(make_form());
  for (const std::string_view piece :
       {"Verdict: 4\n", "a\nVerdict: 4\nb\n", "<a>", "> verdict <"}) {
    std::string text;
    while (text.size() < 1'000'000) text += piece;
    EXPECT_FALSE(core::is_scored(reader.read("x" + text, text)));
  }
}

TEST(VerdictText, ReadsTheSchemasAnswers) {
  const VerdictReader reader(make_form());
  const Json schema = make_verdict_schema(make_number_scale(1, 5));
  const auto read = [&](const char* text) {
    const Json value = parse_json(text).value();
    EXPECT_TRUE(llm::check_schema(schema, value)) << text;
    return describe(reader.read_json(value, text));
  };
  EXPECT_EQ(read(R"({"rationale": "Verdict: 5", "verdict": "2"})"), "score 2");
  EXPECT_EQ(read(R"({"rationale": "", "verdict": "cannot assess"})"), "cannot assess");
  EXPECT_EQ(describe(reader.read_json({{"rationale", ""}}, "")), "unread");
  for (const char* wrong : {R"({"verdict": "4"})", R"({"rationale": "x", "verdict": "45"})",
                            R"({"rationale": "x", "verdict": "4", "note": ""})"})
    EXPECT_FALSE(llm::check_schema(schema, parse_json(wrong).value())) << wrong;
  const std::string text = render_json(schema["properties"]);
  EXPECT_LT(text.find("rationale"), text.find("\"verdict\"")) << "reasons come before the verdict";
}

}  // namespace
}  // namespace personascope::judge
