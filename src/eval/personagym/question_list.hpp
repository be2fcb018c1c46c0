// Reading the lists that models write: bounded, checked, and never silently short.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace personascope::eval::personagym {

// {"questions": [exactly `count` texts]}, as a schema for the writer.
Json make_question_schema(std::int64_t count);

// The list under `member`, or the list itself where the reply is one, with prose or a code fence
// around it or not; Python's quotes will do. Fails as Unparsable.
Result<std::vector<std::string>> parse_text_list(std::string_view reply, std::string_view member);

// The list as the published program reads it, a Python literal without its code fence; where the
// reply is none, whatever parse_text_list finds.
Result<std::vector<std::string>> parse_python_texts(std::string_view reply,
                                                    std::string_view member);

// Fails as Unparsable unless there are `count`.
Result<void> check_count(const std::vector<std::string>& questions, std::int64_t count);

// Whether the questions can be put to the persona: exactly `count` of them, none blank, short of
// three words, over 2,000 characters, twice the same, or in a script or language other than the
// persona's text. Fails as Unparsable, saying which.
Result<void> check_questions(const std::vector<std::string>& questions, std::int64_t count,
                             std::string_view persona);

// Whether the two texts are plainly in different scripts, or the first is English and the second
// is not. Never true for texts of under five words.
bool is_other_language(std::string_view known, std::string_view text);

}  // namespace personascope::eval::personagym
