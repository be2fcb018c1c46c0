// The prompts, rubrics and task descriptions of a copy of PersonaGym's repository, as templates in
// Python's str.format syntax.
#pragma once

#include "eval/personagym/checkout.hpp"
#include "eval/personagym/import_pack.hpp"

namespace personascope::eval::personagym {

// Adds them below reference/, and to the findings what is missing or odd.
void read_reference_words(const Checkout& checkout, ImportedPack& pack);

}  // namespace personascope::eval::personagym
