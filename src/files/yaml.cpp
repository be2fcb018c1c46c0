#include "files/yaml.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <sstream>

#include "base/text.hpp"
#include "files/text_file.hpp"

namespace personascope::files {
namespace {

constexpr int kDeepest = 100;

// What is left to read: aliases can make a small text huge, in nodes or in bytes.
struct Allowance {
  std::int64_t nodes = 1'000'000;
  std::int64_t bytes = 64 << 20;

  bool take(std::size_t size) {
    bytes -= static_cast<std::int64_t>(size);
    return --nodes >= 0 && bytes >= 0;
  }
};

bool is_text(const YAML::Node& node) {
  return node.Tag() == "!" || node.Tag() == "tag:yaml.org,2002:str";  // quoted, or !!str
}

class Skim : public YAML::EventHandler {
 public:
  using Mark = YAML::Mark;
  using Anchor = YAML::anchor_t;
  using Style = YAML::EmitterStyle::value;
  void OnDocumentStart(const Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const Mark&, Anchor) override {}
  void OnAlias(const Mark&, Anchor) override {}
  void OnScalar(const Mark&, const std::string&, Anchor, const std::string&) override {}
  void OnSequenceStart(const Mark&, const std::string&, Anchor, Style) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const Mark&, const std::string&, Anchor, Style) override {}
  void OnMapEnd() override {}
};

// YAML::Load would drop a second one in silence, and LoadAll hangs on some malformed texts.
bool has_second_document(const std::string& text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  Skim skim;
  return parser.HandleNextDocument(skim) && parser;
}

Json read_scalar(const YAML::Node& node) {
  const std::string& text = node.Scalar();
  if (is_text(node)) return text;
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL")
    return nullptr;
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  if (const auto integer = find_integer_in(text)) return *integer;
  if (const char last = text.back(); (last >= '0' && last <= '9') || last == '.')
    if (const auto number = find_number_in(text)) return *number;
  return text;
}

// The library lets through bytes that JSON cannot hold.
Result<void> check_scalar(const YAML::Node& node) {
  if (is_utf8(node.Scalar())) return {};
  return fail(ErrorKind::Unparsable, "line {}: not UTF-8", node.Mark().line + 1);
}

Result<Json> read_node(const YAML::Node& node, int depth, Allowance& left) {
  if (node.IsScalar()) RETURN_IF_ERROR(check_scalar(node));
  if (depth > kDeepest || !left.take(node.IsScalar() ? node.Scalar().size() : 0))
    return fail(ErrorKind::Unparsable, "nested too deep or too large");
  switch (node.Type()) {
    case YAML::NodeType::Sequence: {
      Json list = Json::array();
      for (const YAML::Node& entry : node) {
        ASSIGN_OR_RETURN(Json value, read_node(entry, depth + 1, left));
        list.push_back(std::move(value));
      }
      return list;
    }
    case YAML::NodeType::Map: {
      Json object = Json::object();
      for (const auto& entry : node) {
        if (!entry.first.IsScalar())
          return fail(ErrorKind::Unparsable, "line {}: a key must be plain text",
                      entry.first.Mark().line + 1);
        RETURN_IF_ERROR(check_scalar(entry.first));
        ASSIGN_OR_RETURN(Json value, read_node(entry.second, depth + 1, left));
        const std::string& key = entry.first.Scalar();
        if (!left.take(key.size())) return fail(ErrorKind::Unparsable, "too large");
        if (!object.emplace(key, std::move(value)).second)
          return fail(ErrorKind::Unparsable, "line {}: \"{}\" occurs twice",
                      entry.first.Mark().line + 1, printable(key));
      }
      return object;
    }
    case YAML::NodeType::Scalar:
      return read_scalar(node);
    default:
      return Json(nullptr);
  }
}

}  // namespace

Result<Json> parse_yaml(std::string_view text, const std::string& name) {
  try {
    if (has_second_document(std::string(text)))
      return fail(ErrorKind::Unparsable, "{}: more follows where the text should end",
                  printable(name));
    Allowance left;
    auto value = read_node(YAML::Load(std::string(text)), 0, left);
    if (!value)
      return fail(ErrorKind::Unparsable, "{}: {}", printable(name), value.error().message);
    return value;
  } catch (const YAML::Exception& error) {
    return fail(ErrorKind::Unparsable, "{}, line {}: {}", printable(name), error.mark.line + 1,
                printable(error.msg));
  }
}

Result<Json> load_yaml(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, load_text(path, 16u << 20));
  return parse_yaml(text, path);
}

}  // namespace personascope::files
