#include "files/yaml.hpp"

#include <yaml-cpp/yaml.h>

#include "base/text.hpp"
#include "files/text_file.hpp"

namespace personascope::files {
namespace {

// Aliases can make a small text huge.
constexpr std::size_t kMostNodes = 1'000'000;
constexpr std::size_t kMostBytes = 64u << 20;
constexpr int kDeepest = 100;

Json read_scalar(const YAML::Node& node) {
  const std::string& text = node.Scalar();
  if (node.Tag() == "!") return text;  // quoted
  if (text.empty() || text == "~" || text == "null") return nullptr;
  if (text == "true" || text == "false") return text == "true";
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

struct Size {
  std::size_t nodes = 0;
  std::size_t bytes = 0;
};

Result<Json> read_node(const YAML::Node& node, int depth, Size& size) {
  if (node.IsScalar()) {
    RETURN_IF_ERROR(check_scalar(node));
    size.bytes += node.Scalar().size();
  }
  if (depth > kDeepest || ++size.nodes > kMostNodes || size.bytes > kMostBytes)
    return fail(ErrorKind::Unparsable, "nested too deep or too large");
  switch (node.Type()) {
    case YAML::NodeType::Sequence: {
      Json list = Json::array();
      for (const YAML::Node& entry : node) {
        ASSIGN_OR_RETURN(Json value, read_node(entry, depth + 1, size));
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
        ASSIGN_OR_RETURN(Json value, read_node(entry.second, depth + 1, size));
        const std::string& key = entry.first.Scalar();
        if (!object.emplace(key, std::move(value)).second)
          return fail(ErrorKind::Unparsable, "line {}: \"{}\" is there twice",
                      entry.first.Mark().line + 1, printable(key));
      }
      return object;
    }
    case YAML::NodeType::Scalar: return read_scalar(node);
    default: return Json(nullptr);
  }
}

}  // namespace

Result<Json> parse_yaml(std::string_view text, const std::string& name) {
  try {
    Size size;
    auto value = read_node(YAML::Load(std::string(text)), 0, size);
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
