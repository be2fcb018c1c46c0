#include "cli/item_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/wrap.hpp"

namespace personascope::cli {
namespace {

// What is shown under a heading, in this order; members that are not here are facts.
struct Section {
  const char* member;
  const char* heading;
};
constexpr std::array<Section, 9> kTexts{{{"persona", "Persona"},
                                         {"demographics", "User"},
                                         {"preferences", "Preferences"},
                                         {"situation", "Situation"},
                                         {"intent", "Task"},
                                         {"goal", "Goal"},
                                         {"question", "Question"},
                                         {"thoughts", "Thoughts"},
                                         {"answer", "Answer"}}};
// Shown in a form of their own, or of no use to people.
constexpr std::array kOther{"dialogue",  "judges", "verdicts", "by_judge", "critique", "critics",
                            "critiques", "fields", "reading",  "past",     "examples", "drafts"};

class ItemView {
 public:
  ItemView(const app::ItemDetails& details, std::size_t columns)
      : details_(details), document_(details.item.document), columns_(columns) {}

  std::string render(app::Prompts prompts) {
    add_head();
    for (const Section& section : kTexts) add_text(section.heading, section.member);
    add_fields();
    add_dialogue();
    add_judgements();
    add_facts();
    add_calls(prompts);
    return std::move(text_);
  }

 private:
  void add_heading(const std::string& heading) {
    text_ += "\n" + paint(stdout, Colour::Bold, heading) + "\n";
  }

  void add_paragraph(std::string_view text, std::size_t indent = 2) {
    text_ += wrap(printable(text, Newlines::Keep), columns_, indent);
  }

  // A name and the blanks before what follows it, which needs `room` columns; without that much
  // room it goes to the next line.
  void add_name(const std::string& name, std::size_t indent, std::size_t room) {
    const bool fits = indent + width(name) + 2 + room <= columns_;
    text_.append(indent, ' ').append(paint(stdout, Colour::Bold, name));
    if (!fits) text_ += '\n';
    text_.append(fits ? 2 : indent + 2, ' ');
  }

  static std::string render_score(double score) { return fmt::format("{:.4g}", score); }

  void add_head() {
    const core::ItemRecord& item = details_.item;
    Colour colour = Colour::Yellow;
    if (item.outcome == core::Outcome::Scored || item.outcome == core::Outcome::Answered)
      colour = Colour::Green;
    if (item.outcome == core::Outcome::Failed) colour = Colour::Red;
    const std::string score =
        item.score ? fmt::format("  score {}", render_score(*item.score)) : "";
    const std::string outcome(core::name_of(item.outcome));
    add_name(printable(item.id), 0, width(outcome + score));
    text_ += paint(stdout, colour, outcome) + score + "\n";
    if (!item.label.empty()) text_ += wrap(printable(item.label), columns_, 2);
    if (item.error)
      add_paragraph(fmt::format("{}: {}", name_of(item.error->kind), item.error->message));
  }

  void add_text(const char* heading, const char* member) {
    const Json* value = find_member(document_, member);
    if (!value) return;
    const std::string text = value->is_string() ? value->get<std::string>() : render_json(*value);
    add_heading(heading);
    add_paragraph(trim(text).empty() ? "(empty)" : text);
  }

  // What `judge` was given.
  void add_fields() {
    const Json* fields = find_member(document_, "fields");
    if (!fields || !fields->is_object()) return;
    for (const auto& [name, value] : fields->items()) {
      add_heading(printable(name));
      add_paragraph(value.is_string() ? value.get<std::string>() : render_json(value));
    }
  }

  void add_dialogue() {
    const Json* turns = find_member(document_, "dialogue");
    if (!turns || !turns->is_array()) return;
    add_heading("Dialogue");
    for (const Json& turn : *turns) {
      const std::string role = find_text(turn, "role").value_or("");
      text_ +=
          "  " +
          paint(stdout, role == "user" ? Colour::Yellow : Colour::Green, printable(role) + ":") +
          "\n";
      add_paragraph(find_text(turn, "content").value_or(""), 4);
    }
  }

  // One verdict: {"verdict", "score", "text", "distribution", "error"}.
  void add_verdict(const std::string& name, const Json& verdict) {
    std::string said = printable(find_text(verdict, "verdict").value_or(""));
    if (const auto score = find_number(verdict, "score")) said += " " + render_score(*score);
    add_name(printable(name), 2, width(said));
    text_ += said + "\n";
    if (const Json* shares = find_distribution(verdict)) {
      std::string line;
      for (const Json& share : *shares)
        line += fmt::format("{}{}: {:.0f} %", line.empty() ? "" : "   ",
                            render_score(find_number(share, "score").value_or(0)),
                            100 * find_number(share, "probability").value_or(0));
      add_paragraph(line, 4);
    }
    if (const auto text = find_text(verdict, "text"); text && !trim(*text).empty())
      add_paragraph(rationale_in(*text), 4);
    if (const Json* error = find_member(verdict, "error"))
      add_paragraph(find_text(*error, "message").value_or(""), 4);
    if (const Json* prompt = find_member(verdict, "readings"); prompt && prompt->is_array())
      for (std::size_t i = 0; i < prompt->size(); ++i)
        add_verdict(fmt::format("reading {}", i + 1), (*prompt)[i]);
  }

  // The reasons of a reply that is a JSON object; else the reply itself.
  static std::string rationale_in(const std::string& reply) {
    const auto object = parse_json(trim(reply));
    const auto rationale = object ? find_text(*object, "rationale") : std::nullopt;
    return rationale && !trim(*rationale).empty() ? *rationale : reply;
  }

  static const Json* find_distribution(const Json& verdict) {
    const Json* distribution = find_member(verdict, "distribution");
    const Json* shares = distribution ? find_member(*distribution, "shares") : nullptr;
    return shares && shares->is_array() ? shares : nullptr;
  }

  void add_judgements() {
    if (const Json* judges = find_member(document_, "judges"); judges && judges->is_array()) {
      if (!judges->empty()) add_heading("Verdicts");
      for (const Json& judge : *judges)
        add_verdict(find_text(judge, "judge").value_or("judge"), judge);
    }
    if (const Json* verdicts = find_member(document_, "verdicts");
        verdicts && verdicts->is_object()) {
      if (!verdicts->empty()) add_heading("Verdicts");
      for (const auto& [dimension, verdict] : verdicts->items()) {
        add_verdict(dimension, verdict);
        if (const Json* judges = find_member(verdict, "judges"); judges && judges->size() > 1)
          for (std::size_t i = 0; i < judges->size(); ++i)
            add_verdict(fmt::format("{}, judge {}", dimension, i + 1), (*judges)[i]);
      }
    }
    for (const char* member : {"critique", "critics", "critiques", "reading"})
      if (const Json* value = find_member(document_, member); value && !value->empty()) {
        add_heading(member == std::string_view("reading") ? "Reading" : "Critique");
        add_paragraph(value->is_string() ? value->get<std::string>() : render_pretty_json(*value));
      }
  }

  void add_facts() {
    std::string facts;
    for (const auto& [name, value] : document_.items()) {
      const auto is_named = [&](const auto& known) { return name == known; };
      if (value.is_null() || (value.is_structured() && value.empty()) ||
          std::ranges::any_of(kOther, is_named) ||
          std::ranges::any_of(kTexts, [&](const Section& text) { return name == text.member; }))
        continue;
      facts += fmt::format("{}: {}\n", name,
                           value.is_string() ? value.get<std::string>() : render_json(value));
    }
    if (facts.empty()) return;
    add_heading("Facts");
    facts.pop_back();
    add_paragraph(facts);
  }

  void add_calls(app::Prompts prompts) {
    if (details_.calls.empty()) return;
    double cost = 0;
    bool is_priced = true;
    for (const app::ItemCall& call : details_.calls) {
      cost += call.cost_usd.value_or(0);
      is_priced = is_priced && call.cost_usd;
    }
    add_heading(fmt::format("{}, {}", render_count(details_.calls.size(), "call"),
                            is_priced ? render_money(cost) : "cost unknown"));
    for (const app::ItemCall& call : details_.calls) add_call(call, prompts);
    if (prompts == app::Prompts::LeaveOut)
      text_ += paint(stdout, Colour::Grey, "  --prompts shows every message as it was sent") + "\n";
  }

  void add_call(const app::ItemCall& call, app::Prompts prompts) {
    const auto endpoint = parse_json(call.endpoint);
    std::string line = fmt::format("{}  {}/{}", call.role,
                                   endpoint ? find_text(*endpoint, "provider").value_or("") : "",
                                   endpoint ? find_text(*endpoint, "model").value_or("") : "");
    if (!call.purpose.empty()) line += "  for " + call.purpose;
    if (call.answer) {
      const core::Usage& usage = call.answer->usage;
      if (usage.input_tokens && usage.output_tokens)
        line += fmt::format("  {} tokens in, {} out", *usage.input_tokens, *usage.output_tokens);
    } else {
      line += fmt::format("  {}", name_of(call.answer.error().kind));
    }
    if (call.cost_usd) line += "  " + render_money(*call.cost_usd);
    line += call.is_paid_here ? "  " + render_duration(std::chrono::microseconds(call.latency_us))
                              : "  from the journal";
    if (call.attempts > 0)
      line += fmt::format("  {}", render_count(call.attempts, "failed attempt"));
    add_paragraph(line);
    if (prompts == app::Prompts::Show) add_request(call);
  }

  void add_request(const app::ItemCall& call) {
    const auto request = parse_json(call.request);
    if (!request) return;
    if (const Json* messages = find_member(*request, "messages"))
      for (const Json& message : *messages) {
        text_ +=
            "    " +
            paint(stdout, Colour::Grey, printable(find_text(message, "role").value_or("")) + ":") +
            "\n";
        const Json* content = find_member(message, "content");
        add_paragraph(content && content->is_string() ? content->get<std::string>()
                                                      : render_json(content ? *content : Json()),
                      6);
      }
    if (const Json* continuation = find_member(*request, "continuation"))
      add_paragraph("reads: " + render_json(*continuation), 4);
    if (call.answer) {
      text_ += "    " + paint(stdout, Colour::Grey, "reply:") + "\n";
      add_paragraph(call.answer->text, 6);
    }
  }

  const app::ItemDetails& details_;
  const Json& document_;
  std::size_t columns_;
  std::string text_;
};

}  // namespace

std::string render_item(const app::ItemDetails& details, app::Prompts prompts,
                        std::size_t columns) {
  return ItemView(details, columns).render(prompts);
}

}  // namespace personascope::cli
