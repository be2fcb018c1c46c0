#include "eval/exam/exam_item.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/json.hpp"
#include "base/text.hpp"
#include "files/line_reader.hpp"

namespace personascope::eval::exam {
namespace {

constexpr std::array kItemFiles{std::pair{"who-speaks.jsonl", ExamKind::WhoSpeaks},
                                std::pair{"gym-pairs.jsonl", ExamKind::Pair},
                                std::pair{"lens-pairs.jsonl", ExamKind::Pair},
                                std::pair{"bench-pairs.jsonl", ExamKind::Pair},
                                std::pair{"ladders.jsonl", ExamKind::Ladder},
                                std::pair{"traps.jsonl", ExamKind::Trap}};

// What each trap expects; those with one answer are refusal and empty.
struct TrapForm {
  std::string_view trap;
  std::size_t answers;
  std::array<std::string_view, 2> expected;
};
constexpr std::array kTrapForms{TrapForm{"longer", 2, {"not-higher", ""}},
                                TrapForm{"order", 2, {"same", ""}},
                                TrapForm{"injection", 2, {"not-higher", ""}},
                                TrapForm{"other-language", 2, {"same", ""}},
                                TrapForm{"authority", 2, {"not-higher", ""}},
                                TrapForm{"refusal", 1, {"refused", "not-refused"}},
                                TrapForm{"empty", 1, {"nothing", ""}}};

Result<std::string> need_member(const Json& line, const char* member, const std::string& place) {
  auto text = find_text(line, member);
  if (!text || text->empty())
    return fail(ErrorKind::Invalid, "{}: \"{}\" must be a text", place, member);
  return std::move(*text);
}

Result<std::vector<std::string>> need_texts(const Json& line, const char* member, std::size_t count,
                                            const std::string& place) {
  const Json* list = find_member(line, member);
  const auto is_text = [](const Json& text) { return text.is_string(); };
  if (!list || !list->is_array() || list->size() != count || !std::ranges::all_of(*list, is_text))
    return fail(ErrorKind::Invalid, "{}: \"{}\" must be a list of {} texts", place, member, count);
  return list->get<std::vector<std::string>>();
}

Result<std::size_t> need_place(const Json& line, std::size_t count, const std::string& place) {
  const auto gold = find_integer(line, "gold");
  if (!gold || *gold < 0 || *gold >= static_cast<std::int64_t>(count))
    return fail(ErrorKind::Invalid, "{}: \"gold\" must be a place from 0 to {}", place, count - 1);
  return static_cast<std::size_t>(*gold);
}

Result<void> read_who(const Json& line, const std::string& place, ExamItem& item) {
  ASSIGN_OR_RETURN(item.question, need_member(line, "question", place));
  ASSIGN_OR_RETURN(std::string answer, need_member(line, "answer", place));
  item.answers.push_back(std::move(answer));
  ASSIGN_OR_RETURN(item.candidates, need_texts(line, "personas", 4, place));
  ASSIGN_OR_RETURN(const std::size_t gold, need_place(line, 4, place));
  item.gold.push_back(gold);
  item.person = item.candidates[gold];
  return {};
}

Result<void> read_person(const Json& line, const std::string& place, ExamItem& item) {
  if (item.evaluation == "lens") {
    ASSIGN_OR_RETURN(item.person, need_member(line, "user", place));
    ASSIGN_OR_RETURN(item.task, need_member(line, "task", place));
    const Json* situation = find_member(line, "situation");
    if (!situation || !situation->is_object())
      return fail(ErrorKind::Invalid, "{}: \"situation\" must be an object", place);
    for (const auto& [name, value] : situation->items()) {
      if (!value.is_string())
        return fail(ErrorKind::Invalid, "{}: \"{}\" of the situation must be a text", place,
                    printable(name));
      item.situation.push_back({replace_all(name, "_", " "), {value.get<std::string>()}});
    }
    return {};
  }
  ASSIGN_OR_RETURN(item.person, need_member(line, "persona", place));
  ASSIGN_OR_RETURN(item.question, need_member(line, "question", place));
  return {};
}

Result<void> read_ladder(const Json& line, const std::string& place, ExamItem& item) {
  ASSIGN_OR_RETURN(item.answers, need_texts(line, "answers", 5, place));
  const Json* gold = find_member(line, "gold");
  std::set<std::int64_t> scores;
  if (gold && gold->is_array() && gold->size() == 5)
    for (const Json& score : *gold) {
      const std::int64_t number = score.is_number_integer() ? score.get<std::int64_t>() : 0;
      if (number < 1 || number > 5) continue;
      scores.insert(number);
      item.gold.push_back(static_cast<std::size_t>(number));
    }
  if (scores.size() != 5)
    return fail(ErrorKind::Invalid, "{}: \"gold\" must have each score from 1 to 5 once", place);
  return {};
}

Result<void> read_trap(const Json& line, const std::string& place, ExamItem& item) {
  ASSIGN_OR_RETURN(item.flaw, need_member(line, "trap", place));
  const auto form = std::ranges::find(kTrapForms, item.flaw, &TrapForm::trap);
  if (form == kTrapForms.end())
    return fail(ErrorKind::Invalid, "{}: there is no trap {}", place, printable(item.flaw));
  ASSIGN_OR_RETURN(item.answers, need_texts(line, "answers", form->answers, place));
  ASSIGN_OR_RETURN(item.expected, need_member(line, "gold", place));
  if (std::ranges::find(form->expected, item.expected) == form->expected.end())
    return fail(ErrorKind::Invalid, "{}: the trap {} cannot have the gold {}", place, item.flaw,
                printable(item.expected));
  return {};
}

Result<ExamItem> read_item(const Json& line, ExamKind kind, const std::string& place) {
  ExamItem item;
  item.kind = kind;
  ASSIGN_OR_RETURN(item.id, need_member(line, "id", place));
  ASSIGN_OR_RETURN(item.evaluation, need_member(line, "evaluation", place));
  ASSIGN_OR_RETURN(item.dimension, need_member(line, "dimension", place));
  if (kind == ExamKind::WhoSpeaks) {
    RETURN_IF_ERROR(read_who(line, place, item));
    return item;
  }
  RETURN_IF_ERROR(read_person(line, place, item));
  if (kind == ExamKind::Pair) {
    ASSIGN_OR_RETURN(item.flaw, need_member(line, "defect", place));
    ASSIGN_OR_RETURN(item.answers, need_texts(line, "answers", 2, place));
    ASSIGN_OR_RETURN(const std::size_t gold, need_place(line, 2, place));
    item.gold.push_back(gold);
  } else if (kind == ExamKind::Ladder) {
    RETURN_IF_ERROR(read_ladder(line, place, item));
  } else {
    RETURN_IF_ERROR(read_trap(line, place, item));
  }
  return item;
}

}  // namespace

std::string_view name_of(ExamKind kind) {
  constexpr std::array<std::string_view, 4> kNames{"who-speaks", "pairs", "ladders", "traps"};
  return kNames[static_cast<std::size_t>(kind)];
}

bool compares_answers(const ExamItem& item) {
  return item.kind == ExamKind::Trap && item.answers.size() == 2;
}

Result<std::vector<ExamItem>> load_exam_items(const std::string& folder, Sha256& hash) {
  std::vector<ExamItem> items;
  std::set<std::string> ids;
  for (const auto& [name, kind] : kItemFiles) {
    const std::string path = folder + "/" + name;
    ASSIGN_OR_RETURN(auto reader, files::LineReader::open(path));
    for (;;) {
      ASSIGN_OR_RETURN(const auto line, reader.next());
      if (!line) break;
      hash.update(*line);
      hash.update("\n");
      const std::string place = fmt::format("{}, line {}", printable(path), reader.line_number());
      const auto value = parse_json(*line);
      if (!value || !value->is_object())
        return fail(ErrorKind::Invalid, "{}: a line must be a JSON object", place);
      ASSIGN_OR_RETURN(ExamItem item, read_item(*value, kind, place));
      if (!ids.insert(item.id).second)
        return fail(ErrorKind::Invalid, "{}: the id {} is used twice", place, printable(item.id));
      items.push_back(std::move(item));
    }
  }
  return items;
}

}  // namespace personascope::eval::exam
