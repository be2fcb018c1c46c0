// What a model writes when it is asked for questions or for example answers.
#include "eval/personagym/question_list.hpp"

#include "eval/personagym/grading.hpp"
#include "property.hpp"

using namespace personascope;
namespace gym = personascope::eval::personagym;

FUZZ_TARGET(gym_questions, bytes) {
  for (const auto read : {gym::parse_text_list, gym::parse_python_texts}) {
    const auto questions = read(bytes, "questions");
    if (!fuzz::succeeds(questions)) continue;
    const auto count = static_cast<std::int64_t>(questions->size());
    fuzz::succeeds(gym::check_count(*questions, count));
    fuzz::succeeds(gym::check_questions(*questions, count, "A baker from Lyon"));
  }
  const judge::Scale scale = judge::make_number_scale(1, 5);
  fuzz::succeeds(gym::parse_examples(bytes, scale));
}
