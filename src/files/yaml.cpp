#include "files/yaml.hpp"

#include <yaml-cpp/yaml.h>

#include "base/text.hpp"
#include "files/text_file.hpp"

namespace personascope::files {
namespace {

// Aliases can make a small text huge: this is what they may add to it.
constexpr std::size_t kMoreNodes = 100'000;
constexpr std::size_t kMoreBytes = 16u << 20;
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

// How much more may be read.
struct Room {
  std::size_t nodes = 0;
  std::size_t bytes = 0;
};

Result<void> take_room(const YAML::Node& node, Room& room) {
  const std::size_t bytes = node.IsScalar() ? node.Scalar().size() : 0;
  if (room.nodes == 0 || room.bytes < bytes)
    return fail(ErrorKind::Unparsable, "its aliases make it too large");
  --room.nodes;
  room.bytes -= bytes;
  // The library lets through bytes that JSON cannot hold.
  if (node.IsScalar() && !is_utf8(node.Scalar()))
    return fail(ErrorKind::Unparsable, "line {}: not UTF-8", node.Mark().line + 1);
  return {};
}

Result<Json> read_node(const YAML::Node& node, int depth, Room& room) {
  if (depth > kDeepest)
    return fail(ErrorKind::Unparsable, "nested deeper than {} levels", kDeepest);
  RETURN_IF_ERROR(take_room(node, room));
  switch (node.Type()) {
    case YAML::NodeType::Sequence: {
      Json list = Json::array();
      for (const YAML::Node& entry : node) {
        ASSIGN_OR_RETURN(Json value, read_node(entry, depth + 1, room));
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
        RETURN_IF_ERROR(take_room(entry.first, room));
        ASSIGN_OR_RETURN(Json value, read_node(entry.second, depth + 1, room));
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
    // Without aliases a byte makes at most two nodes ("a:" is a key and null), and a byte of UTF-16
    // at most two of UTF-8.
    Room room{2 * text.size() + kMoreNodes, 2 * text.size() + kMoreBytes};
    auto value = read_node(YAML::Load(std::string(text)), 0, room);
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
