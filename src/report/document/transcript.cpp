#include "report/document/transcript.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/text.hpp"

namespace personascope::report {
namespace {

// Members of a document that are texts, in the order to be read.
constexpr std::array kTranscriptTexts{std::pair("persona", "Persona"),
                                      std::pair("demographics", "User"),
                                      std::pair("preferences", "Preferences"),
                                      std::pair("situation", "Situation"),
                                      std::pair("intent", "Task"),
                                      std::pair("goal", "Goal"),
                                      std::pair("question", "Question"),
                                      std::pair("thoughts", "Thoughts"),
                                      std::pair("answer", "Answer")};

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : render_json(value);
}

// The reasons of a reply that is a JSON object; else the reply itself.
std::string find_reasons(const std::string& reply) {
  const auto object = parse_json(trim(reply));
  const auto rationale = object ? find_text(*object, "rationale") : std::nullopt;
  return rationale && !trim(*rationale).empty() ? *rationale : reply;
}

class TranscriptMaker {
 public:
  TranscriptMaker(std::int64_t run, const core::ItemRecord& item) : run_(run), item_(item) {}

  TranscriptBlock make() {
    block_.title = fmt::format("{}: {}", item_.id, core::name_of(item_.outcome));
    if (item_.score) block_.title += fmt::format(", score {:.4g}", *item_.score);
    if (!item_.label.empty()) block_.title += fmt::format(" ({})", item_.label);
    if (item_.error)
      add("Error", fmt::format("{}: {}", name_of(item_.error->kind), item_.error->message));
    for (const auto& [member, heading] : kTranscriptTexts)
      if (const Json* value = find_member(item_.document, member); value && !value->is_null())
        add(heading, text_of(*value));
    add_fields();
    add_turns();
    add_verdicts();
    return std::move(block_);
  }

 private:
  void add(std::string heading, std::string text) {
    if (text.size() > kLongestTranscriptText) {
      const std::size_t all = text.size();
      text =
          shorten(make_utf8(text), kLongestTranscriptText) +
          fmt::format("\n(cut: {} bytes in all; `personascope show {}` with the item shows them)",
                      all, run_);
    }
    block_.sections.push_back({std::move(heading), text.empty() ? "(empty)" : std::move(text)});
  }

  // What `judge` was given.
  void add_fields() {
    const Json* fields = find_member(item_.document, "fields");
    if (!fields || !fields->is_object()) return;
    for (const auto& [name, value] : fields->items()) add(name, text_of(value));
  }

  void add_turns() {
    const Json* turns = find_member(item_.document, "dialogue");
    if (!turns || !turns->is_array()) return;
    for (const Json& turn : *turns)
      add(find_text(turn, "role").value_or("turn"), find_text(turn, "content").value_or(""));
  }

  void add_verdict(const std::string& name, const Json& verdict) {
    std::string heading = "Verdict of " + name;
    if (const auto said = find_text(verdict, "verdict")) heading += ": " + *said;
    if (const auto score = find_number(verdict, "score"))
      heading += fmt::format(", score {:.4g}", *score);
    std::string text;
    if (const auto reply = find_text(verdict, "text")) text = find_reasons(*reply);
    if (const Json* error = find_member(verdict, "error"))
      text += find_text(*error, "message").value_or("");
    add(std::move(heading), std::move(text));
  }

  void add_verdicts() {
    if (const Json* judges = find_member(item_.document, "judges"); judges && judges->is_array())
      for (const Json& judge : *judges)
        add_verdict(find_text(judge, "judge").value_or("a judge"), judge);
    if (const Json* verdicts = find_member(item_.document, "verdicts");
        verdicts && verdicts->is_object())
      for (const auto& [dimension, verdict] : verdicts->items()) add_verdict(dimension, verdict);
    for (const char* member : {"critique", "critics"})
      if (const Json* value = find_member(item_.document, member); value && !value->empty())
        add("Critique",
            value->is_string() ? value->get<std::string>() : render_pretty_json(*value));
  }

  std::int64_t run_;
  const core::ItemRecord& item_;
  TranscriptBlock block_;
};

}  // namespace

TranscriptBlock make_transcript(std::int64_t run, const core::ItemRecord& item) {
  return TranscriptMaker(run, item).make();
}

}  // namespace personascope::report
