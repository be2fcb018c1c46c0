#include "eval/lift/lift_input.hpp"

#include <map>

#include "base/text.hpp"

namespace personascope::eval::lift {
namespace {

constexpr std::size_t kLongestName = 40;

Result<std::string> parse_text(const Json& line, const char* name) {
  auto text = find_text(line, name);
  if (!text) return fail(ErrorKind::Invalid, "it has no text \"{}\"", name);
  return std::move(*text);
}

// As `batch` writes it, or by its own name.
Result<std::string> parse_answer(const Json& line) {
  return parse_text(line,
                    !find_member(line, "answer") && find_member(line, "text") ? "text" : "answer");
}

// The personas by what lines call them.
class Personas {
 public:
  explicit Personas(LiftInput& input) : input_(input) {}

  Result<InputFile> load(const std::string& path) {
    is_closed_ = true;
    return check_input_file(path, "personas", [this](std::string_view text) -> Result<std::string> {
      ASSIGN_OR_RETURN(const Json line, parse_json(text));
      ASSIGN_OR_RETURN(LineId id, parse_id(line, "id"));
      ASSIGN_OR_RETURN(const std::string persona, parse_text(line, "persona"));
      if (trim(persona).empty()) return fail(ErrorKind::Invalid, "the persona's text is empty");
      places_[id.text] = add(persona, id.text);
      return std::move(id.text);
    });
  }

  Result<std::size_t> find(const std::string& persona) {
    if (trim(persona).empty()) return fail(ErrorKind::Invalid, "the persona is empty");
    if (const auto known = places_.find(persona); known != places_.end()) return known->second;
    if (is_closed_)
      return fail(ErrorKind::Invalid,
                  "the persona \"{}\" is neither an id nor a text of the file of personas",
                  printable(shorten(persona, kLongestName)));
    return add(persona, shorten(persona, kLongestName));
  }

 private:
  std::size_t add(const std::string& text, std::string name) {
    const std::size_t place = input_.personas.size();
    input_.personas.push_back(text);
    input_.names.push_back(std::move(name));
    places_.try_emplace(text, place);
    return place;
  }

  LiftInput& input_;
  std::map<std::string, std::size_t, std::less<>> places_;  // by id and by text
  bool is_closed_ = false;
};

Result<void> add_control(LiftInput& input, const std::string& answered, InputFile& file) {
  std::map<std::string, std::string> answers;
  ASSIGN_OR_RETURN(file, check_input_file(file.path, "control answers",
                                          [&](std::string_view text) -> Result<std::string> {
                                            ASSIGN_OR_RETURN(const Json line, parse_json(text));
                                            ASSIGN_OR_RETURN(LineId id, parse_id(line, "id"));
                                            ASSIGN_OR_RETURN(answers[id.text], parse_answer(line));
                                            return std::move(id.text);
                                          }));
  bool any = false;
  for (LiftItem& item : input.items) {
    const auto found = answers.find(item.id.text);
    if (found == answers.end()) continue;
    item.control = std::move(found->second);
    any = true;
  }
  if (any) return {};
  return fail(ErrorKind::Invalid,
              "{} answers no question of {}: a line belongs to the answer that has its id",
              printable(file.path), printable(answered));
}

}  // namespace

Result<LiftInput> load_lift_input(LiftFiles& files) {
  LiftInput input;
  Personas personas(input);
  if (files.personas) {
    ASSIGN_OR_RETURN(files.personas, personas.load(files.personas->path));
  }
  ASSIGN_OR_RETURN(files.answers,
                   check_input_file(files.answers.path, "answers",
                                    [&](std::string_view text) -> Result<std::string> {
                                      ASSIGN_OR_RETURN(const Json line, parse_json(text));
                                      LiftItem item;
                                      ASSIGN_OR_RETURN(item.id, parse_id(line, "id"));
                                      ASSIGN_OR_RETURN(const std::string persona,
                                                       parse_text(line, "persona"));
                                      ASSIGN_OR_RETURN(item.question, parse_text(line, "question"));
                                      ASSIGN_OR_RETURN(item.answer, parse_answer(line));
                                      ASSIGN_OR_RETURN(item.persona, personas.find(persona));
                                      input.items.push_back(std::move(item));
                                      return input.items.back().id.text;
                                    }));
  if (files.control) RETURN_IF_ERROR(add_control(input, files.answers.path, *files.control));
  return input;
}

}  // namespace personascope::eval::lift
