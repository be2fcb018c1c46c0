#include "eval/persona_bench/import_findings.hpp"

#include <algorithm>

#include "eval/persona_bench/persona.hpp"

namespace personascope::eval::persona_bench {
namespace {

constexpr std::size_t kPlacesShown = 10;

}  // namespace

void Notes::add(std::string_view reason, const std::string& place) {
  auto note = std::ranges::find(notes_, reason, &Note::reason);
  if (note == notes_.end()) note = notes_.insert(notes_.end(), Note{std::string(reason), 0, {}});
  ++note->count;
  if (note->places.size() < kPlacesShown) note->places.push_back(place);
}

std::size_t Notes::total() const {
  std::size_t total = 0;
  for (const Note& note : notes_) total += note.count;
  return total;
}

Json Notes::to_json() const {
  Json list = Json::array();
  for (const Note& note : notes_)
    list.push_back({{"reason", note.reason}, {"count", note.count}, {"places", note.places}});
  return list;
}

Json to_json(const ImportedData& data) {
  Json sources = Json::array();
  for (const ImportedFile& file : data.files)
    sources.push_back({{"path", file.path},
                       {"rows", file.rows},
                       {"personas", file.personas},
                       {"questions", file.questions}});
  Json missing = Json::array();
  if (data.personas > 0)
    for (const std::string_view attribute : kAttributes)
      if (!data.attributes.contains(std::string(attribute))) missing.push_back(attribute);
  return {{"files", sources},
          {"personas", data.personas},
          {"questions", data.questions},
          {"seen_again", data.seen_again},
          {"missing_attributes", missing},
          {"further_attributes", data.further},
          {"unused_columns", data.unused},
          {"question_columns", data.question_from},
          {"dropped", data.dropped.to_json()},
          {"odd", data.odd.to_json()}};
}

}  // namespace personascope::eval::persona_bench
