// A grammar made from a schema. Input: the schema.
#include "llm/embedded/grammar.hpp"

#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(grammar, bytes) {
  const auto schema = parse_json(bytes);
  if (!schema) return;
  const auto grammar = llm::embedded::make_grammar(*schema);
  if (!grammar) return fuzz::require_printable(grammar.error());
  fuzz::require(grammar->starts_with("root ::= "), "a grammar begins with its root");
  fuzz::require(grammar->find('\0') == std::string::npos, "a grammar is one text to llama.cpp");
}
