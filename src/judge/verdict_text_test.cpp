#include "judge/verdict_text.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/text.hpp"
#include "files/text_file.hpp"
#include "llm/json_schema.hpp"

namespace personascope::judge {
namespace {

struct Case {
  std::string name;
  std::string scale = "1-5";
  std::string marker = "Verdict";
  std::string expect;
  std::string reply;
};

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

std::vector<Case> load_cases(const std::string& name) {
  const std::string text =
      files::load_text(std::string(PERSONASCOPE_JUDGE_TESTDATA) + "/" + name).value();
  std::vector<Case> cases;
  bool in_reply = false;
  for (const std::string_view line : split(text, '\n')) {
    if (line.starts_with("=== ")) {
      cases.emplace_back().name = line.substr(4);
      in_reply = false;
    } else if (cases.empty()) {
      continue;  // the head
    } else if (in_reply) {
      cases.back().reply += std::string(line) + "\n";
    } else if (line == "---") {
      in_reply = true;
    } else {
      const std::size_t colon = line.find(": ");
      const std::string_view key = line.substr(0, colon);
      (key == "scale"    ? cases.back().scale
       : key == "marker" ? cases.back().marker
                         : cases.back().expect) = line.substr(colon + 2);
    }
  }
  for (Case& one : cases) one.reply = without_escapes(one.reply);
  return cases;
}

VerdictForm make_form(const Case& one) {
  VerdictForm form;
  form.scale = one.scale == "yes-no" ? make_yes_no_scale()
               : one.scale == "0-10" ? make_number_scale(0, 10)
               : one.scale == "1-4"  ? make_number_scale(1, 4)
                                     : make_number_scale(1, 5);
  form.markers = {one.marker};
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
  const auto cases = load_cases(file);
  EXPECT_GE(cases.size(), fewest);
  for (const Case& one : cases) {
    const core::Verdict verdict = VerdictReader(make_form(one)).read(one.reply);
    EXPECT_EQ(describe(verdict), one.expect) << one.name << "\n" << one.reply;
    EXPECT_EQ(verdict.text, one.reply) << "the judge's words are kept as they came";
  }
}

TEST(VerdictText, ReadsGoodReplies) {
  check("good_replies.txt", 50);
}

TEST(VerdictText, IsNotMisledByNastyReplies) {
  check("nasty_replies.txt", 60);
}

TEST(VerdictText, TakesTimeLinearInAHostileText) {
  const VerdictReader reader(make_form({}));
  for (const std::string_view piece : {"Verdict: ", "Verdict: 4 \"", "\n```\n{", ". verdict: \n",
                                       "final the so ", "((((((((", "\n{\"verdict\":"}) {
    std::string text;
    while (text.size() < 2'000'000) text += piece;
    const core::Verdict verdict = reader.read(text);
    EXPECT_EQ(verdict.text.size(), text.size());
  }
}

TEST(VerdictText, ReadsTheSchemasAnswers) {
  const VerdictReader reader(make_form({}));
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
