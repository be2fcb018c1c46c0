#include "judge/likelihood.hpp"

#include <cmath>
#include <set>

#include "base/text.hpp"
#include "judge/fold.hpp"
#include "judge/words.hpp"
#include "stats/sum.hpp"

namespace personascope::judge {
namespace {

Result<void> check_reading(const LiftReading& reading) {
  if (reading.under_persona.empty())
    return fail(ErrorKind::Invalid, "the answer has no tokens to read");
  if (reading.under_persona.size() != reading.under_neutral.size())
    return fail(ErrorKind::Invalid, "the answer was read as {} tokens and as {}",
                reading.under_persona.size(), reading.under_neutral.size());
  for (const auto* side : {&reading.under_persona, &reading.under_neutral})
    for (const double value : *side)
      if (!std::isfinite(value))
        return fail(ErrorKind::Invalid, "a token of the answer has no proper log-probability");
  return {};
}

}  // namespace

Result<double> persona_lift(const LiftReading& reading) {
  RETURN_IF_ERROR(check_reading(reading));
  stats::Sum sum;
  for (std::size_t i = 0; i < reading.under_persona.size(); ++i)
    sum.add(reading.under_persona[i] - reading.under_neutral[i]);
  return sum.value() / stats::real(reading.under_persona.size());
}

Result<double> parroted_lift(const LiftReading& reading, std::string_view persona) {
  RETURN_IF_ERROR(check_reading(reading));
  const std::size_t count = reading.under_persona.size();
  if (reading.tokens.size() != count)
    return fail(ErrorKind::Invalid, "the answer's tokens are not given");
  const std::set<std::string> own = words_of(persona);
  stats::Sum parroted;
  // A word may be several tokens: the lift of its tokens is the word's.
  std::string word;
  stats::Sum lift_of_word;
  const auto end_word = [&] {
    if (own.contains(lower(word))) parroted.add(lift_of_word.value());
    word.clear();
    lift_of_word = {};
  };
  for (std::size_t i = 0; i < count; ++i) {
    const std::string token = fold(reading.tokens[i]);
    if (!token.empty() && !is_word_part(token.front())) end_word();
    for (const char c : token)
      if (is_word_part(c)) word += c;
    lift_of_word.add(reading.under_persona[i] - reading.under_neutral[i]);
    if (!token.empty() && !is_word_part(token.back())) end_word();
  }
  end_word();
  return parroted.value();
}

}  // namespace personascope::judge
