#include "llm/embedded/grammar.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/text.hpp"

namespace personascope::llm::embedded {
namespace {

constexpr int kDeepest = 32;
constexpr std::size_t kMostRules = 2000;
constexpr std::size_t kLongestGrammar = 100'000;
// Longer limits are left to the check of the answer: llama.cpp unrolls every repetition.
constexpr std::int64_t kMostRepeats = 200;
constexpr std::int64_t kMostListedNumbers = 200;

constexpr std::string_view kCommonRules = R"(
value ::= object | array | string | number | "true" | "false" | "null"
object ::= "{" space (string ":" space value ("," space string ":" space value)*)? space "}"
array ::= "[" space (value ("," space value)*)? space "]"
string ::= "\"" char* "\""
char ::= [^"\\\x7F\x00-\x1F] | "\\" (["\\/bfnrt] | "u" hex hex hex hex)
hex ::= [0-9a-fA-F]
integer ::= "-"? ("0" | [1-9] [0-9]{0,15})
number ::= integer ("." [0-9]{1,15})? ([eE] [-+]? [0-9]{1,3})?
space ::= " "?
)";

// Text as a literal of the notation.
std::string quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      quoted += fmt::format("\\{}", c);
    else if (byte < 0x20 || byte == 0x7F)
      quoted += fmt::format("\\x{:02X}", byte);
    else
      quoted += c;
  }
  return quoted + "\"";
}

bool is_inside_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// One of the texts, which are sorted and differ, from a place on up to which they are equal. As a
// tree of what they have in common: llama.cpp tries every alternative of a place with every token
// of the vocabulary, and thousands would take seconds a token.
std::string write_tree(std::span<const std::string> texts, std::size_t from, int depth) {
  const std::string& first = texts.front();
  const std::string& last = texts.back();
  if (texts.size() == 1) return quote(first.substr(from));
  std::size_t end = from;
  while (end < first.size() && first[end] == last[end]) ++end;
  while (end > from && is_inside_character(last[end])) --end;
  std::vector<std::string> branches;
  for (std::size_t begin = 0; begin < texts.size();) {
    const std::string& text = texts[begin];
    std::size_t next = std::min(end + 1, text.size());
    while (next < text.size() && is_inside_character(text[next])) ++next;
    std::size_t count = 1;
    while (depth < kDeepest && begin + count < texts.size() && next > end &&
           texts[begin + count].compare(0, next, text, 0, next) == 0)
      ++count;
    branches.push_back(write_tree(texts.subspan(begin, count), end, depth + 1));
    begin += count;
  }
  const std::string common = end > from ? quote(first.substr(from, end - from)) + " " : "";
  return common + "(" + join(branches, " | ") + ")";
}

class Writer {
 public:
  explicit Writer(const Json& schema) : schema_(schema) {}

  Result<std::string> write() {
    ASSIGN_OR_RETURN(const std::string root, expression(schema_, 0));
    std::string text = "root ::= " + root + "\n";
    for (const auto& [name, rule] : rules_) text += name + " ::= " + rule + "\n";
    if (text.size() > kLongestGrammar)
      return fail(ErrorKind::Invalid,
                  "the schema is too long: its grammar has {} bytes, and at most {} are allowed; "
                  "list fewer values or members",
                  text.size(), kLongestGrammar);
    return text + std::string(kCommonRules.substr(1));
  }

 private:
  Result<std::string> expression(const Json& schema, int depth) {
    if (depth > kDeepest) return fail(ErrorKind::Invalid, "the schema is too deep for a grammar");
    if (schema.is_boolean() && schema.get<bool>()) return std::string("value");
    if (!schema.is_object()) return fail(ErrorKind::Invalid, "the schema allows no answer at all");
    if (const auto target = find_text(schema, "$ref")) return reference(*target, depth);
    if (schema.contains("const")) return quote(render_json(schema["const"]));
    if (const Json* values = find_member(schema, "enum")) return one_of_values(*values);
    for (const char* name : {"anyOf", "oneOf"})
      if (const Json* schemas = find_member(schema, name)) return one_of(*schemas, depth);
    if (const Json* all = find_member(schema, "allOf"); all && all->is_array() && all->size() == 1)
      return expression(all->front(), depth + 1);
    const Json* type = find_member(schema, "type");
    if (type && type->is_array()) return one_of_types(schema, *type, depth);
    return of_type(schema, type && type->is_string() ? type->get<std::string>() : "", depth);
  }

  Result<std::string> of_type(const Json& schema, const std::string& type, int depth) {
    if (type == "object" || (type.empty() && find_member(schema, "properties")))
      return object(schema, depth);
    if (type == "array" || (type.empty() && find_member(schema, "items")))
      return array(schema, depth);
    if (type == "string") return text(schema);
    if (type == "integer") return integer(schema);
    if (type == "number") return number(schema);
    if (type == "boolean") return std::string(R"(("true" | "false"))");
    if (type == "null") return std::string(R"("null")");
    if (type.empty()) return std::string("value");
    return fail(ErrorKind::Invalid, "the schema has an unknown type \"{}\"",
                printable(shorten(type, 40)));
  }

  Result<std::string> one_of_types(const Json& schema, const Json& types, int depth) {
    std::vector<std::string> parts;
    for (const Json& type : types) {
      ASSIGN_OR_RETURN(std::string part,
                       of_type(schema, type.is_string() ? type.get<std::string>() : "", depth));
      parts.push_back(std::move(part));
    }
    return alternatives(parts);
  }

  Result<std::string> one_of(const Json& schemas, int depth) {
    std::vector<std::string> parts;
    if (schemas.is_array())
      for (const Json& schema : schemas) {
        ASSIGN_OR_RETURN(std::string part, expression(schema, depth + 1));
        parts.push_back(std::move(part));
      }
    return alternatives(parts);
  }

  static Result<std::string> one_of_values(const Json& values) {
    std::vector<std::string> texts;
    if (values.is_array())
      for (const Json& value : values) texts.push_back(render_json(value));
    return one_of_texts(std::move(texts));
  }

  static Result<std::string> one_of_texts(std::vector<std::string> texts) {
    std::ranges::sort(texts);
    const auto twins = std::ranges::unique(texts);
    texts.erase(twins.begin(), twins.end());
    if (texts.empty()) return fail(ErrorKind::Invalid, "the schema allows no answer at all");
    return write_tree(texts, 0, 0);
  }

  static Result<std::string> alternatives(const std::vector<std::string>& parts) {
    if (parts.empty()) return fail(ErrorKind::Invalid, "the schema allows no answer at all");
    return "(" + join(parts, " | ") + ")";
  }

  Result<std::string> reference(const std::string& target, int depth) {
    if (const auto known = references_.find(target); known != references_.end())
      return known->second;
    const std::string name = fmt::format("ref-{}", references_.size());
    references_[target] = name;  // before it is written: it may refer to itself
    const Json* found = nullptr;
    if (target == "#") found = &schema_;
    try {
      const Json::json_pointer pointer(target.starts_with('#') ? target.substr(1) : target);
      if (!found && schema_.contains(pointer)) found = &schema_.at(pointer);
    } catch (const Json::exception&) {
      found = nullptr;
    }
    if (!found)
      return fail(ErrorKind::Invalid, "the schema refers to {}, which it does not contain",
                  printable(shorten(target, 80)));
    ASSIGN_OR_RETURN(std::string rule, expression(*found, depth + 1));
    return add_rule(name, std::move(rule));
  }

  Result<std::string> add_rule(const std::string& name, std::string rule) {
    if (rules_.size() >= kMostRules)
      return fail(ErrorKind::Invalid, "the schema is too long for a grammar");
    rules_[name] = std::move(rule);
    return name;
  }

  Result<std::string> add_numbered(std::string_view kind, std::string rule) {
    return add_rule(fmt::format("{}-{}", kind, rules_.size()), std::move(rule));
  }

  struct Member {
    std::string name;
    bool is_required;
  };

  static std::vector<Member> members_in_order(const Json& schema, const Json& properties) {
    std::vector<Member> members;
    const auto is_listed = [&](const std::string& name) {
      return std::ranges::find(members, name, &Member::name) != members.end();
    };
    if (const Json* required = find_member(schema, "required"); required && required->is_array())
      for (const Json& name : *required)
        if (name.is_string() && !is_listed(name.get<std::string>()))
          members.push_back({name.get<std::string>(), true});
    for (const auto& [name, unused] : properties.items())
      if (!is_listed(name)) members.push_back({name, false});
    return members;
  }

  Result<std::string> object(const Json& schema, int depth) {
    const Json* properties = find_member(schema, "properties");
    if (!properties || !properties->is_object() || properties->empty())
      return std::string("object");
    std::vector<std::string> required;
    std::vector<std::string> others;
    for (const Member& member : members_in_order(schema, *properties)) {
      const Json* inner = find_member(*properties, member.name);
      ASSIGN_OR_RETURN(const std::string value, expression(inner ? *inner : Json(true), depth + 1));
      std::string written =
          fmt::format(R"({} ":" space {})", quote(render_json(Json(member.name))), value);
      if (member.is_required) {
        required.push_back(std::move(written));
      } else {
        ASSIGN_OR_RETURN(std::string name, add_numbered("member", std::move(written)));
        others.push_back(std::move(name));
      }
    }
    const std::string comma = R"("," space )";
    // Each of the others may be left out: tails[i] is what may follow if those before i are
    // through.
    std::vector<std::string> tails(others.size() + 1);
    for (std::size_t i = others.size(); i-- > 0;) {
      ASSIGN_OR_RETURN(tails[i], add_numbered("tail", fmt::format("({}{})? {}", comma, others[i],
                                                                  tails[i + 1])));
    }
    std::string members = join(required, " " + comma) + " " + tails.front();
    if (required.empty()) {  // the first one that is there has no comma before it
      std::vector<std::string> beginnings;
      for (std::size_t i = 0; i < others.size(); ++i)
        beginnings.push_back(others[i] + " " + tails[i + 1]);
      members = "(" + join(beginnings, " | ") + ")?";
    }
    return add_numbered("object", fmt::format(R"("{{" space {} space "}}")", members));
  }

  struct Repeats {
    std::int64_t least = 0;
    std::optional<std::int64_t> most;
  };

  static Result<Repeats> repeats_of(const Json& schema, const char* least, const char* most) {
    Repeats repeats{std::max<std::int64_t>(0, find_integer(schema, least).value_or(0)),
                    find_integer(schema, most)};
    if (repeats.most && *repeats.most < repeats.least)
      return fail(ErrorKind::Invalid, "the schema has a {} above its {}", least, most);
    repeats.least = std::min(repeats.least, kMostRepeats);
    if (repeats.most && *repeats.most > kMostRepeats) repeats.most.reset();
    return repeats;
  }

  static std::string bounds(const Repeats& repeats) {
    return repeats.most ? fmt::format("{{{},{}}}", repeats.least, *repeats.most)
                        : fmt::format("{{{},}}", repeats.least);
  }

  Result<std::string> array(const Json& schema, int depth) {
    std::string item = "value";
    if (const Json* items = find_member(schema, "items")) {
      ASSIGN_OR_RETURN(item, expression(*items, depth + 1));
    }
    ASSIGN_OR_RETURN(Repeats repeats, repeats_of(schema, "minItems", "maxItems"));
    const bool may_be_empty = repeats.least == 0;
    if (repeats.most == 0) return std::string(R"("[" space "]")");
    repeats.least = std::max<std::int64_t>(0, repeats.least - 1);
    if (repeats.most) --*repeats.most;
    ASSIGN_OR_RETURN(const std::string name, add_numbered("item", std::move(item)));
    const std::string list = fmt::format(R"({} ("," space {}){})", name, name, bounds(repeats));
    return fmt::format(R"("[" space {} space "]")", may_be_empty ? "(" + list + ")?" : list);
  }

  static Result<std::string> text(const Json& schema) {
    ASSIGN_OR_RETURN(const Repeats repeats, repeats_of(schema, "minLength", "maxLength"));
    if (repeats.least == 0 && !repeats.most) return std::string("string");
    return fmt::format(R"("\"" char{} "\"")", bounds(repeats));
  }

  static Result<std::string> number(const Json& schema) {
    const auto least = find_number(schema, "minimum");
    const auto most = find_number(schema, "maximum");
    if (least && most && *least > *most)
      return fail(ErrorKind::Invalid, "the schema has a minimum above its maximum");
    return std::string("number");
  }

  static Result<std::string> integer(const Json& schema) {
    RETURN_IF_ERROR(number(schema));
    const auto least = find_integer(schema, "minimum");
    const auto most = find_integer(schema, "maximum");
    if (!least || !most) return std::string("integer");
    if (static_cast<std::uint64_t>(*most) - static_cast<std::uint64_t>(*least) >=
        static_cast<std::uint64_t>(kMostListedNumbers))
      return std::string("integer");
    std::vector<std::string> numbers;
    for (std::int64_t i = 0; i <= *most - *least; ++i)
      numbers.push_back(std::to_string(*least + i));
    return one_of_texts(std::move(numbers));
  }

  const Json& schema_;
  std::map<std::string, std::string> references_;  // by what they point to
  std::map<std::string, std::string> rules_;
};

}  // namespace

Result<std::string> make_grammar(const Json& schema) {
  return Writer(schema).write();
}

}  // namespace personascope::llm::embedded
