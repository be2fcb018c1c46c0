#include "eval/personalens/ordered_json.hpp"

#include "base/json.hpp"

namespace personascope::eval::personalens {
namespace {

constexpr std::size_t kMaximumDepth = 20;

// Called by nlohmann's parser; false ends the parsing.
class Builder {
 public:
  using Kind = OrderedJson::Kind;

  bool null() { return put(Kind::Scalar, "null"); }
  bool boolean(bool value) { return put(Kind::Scalar, value ? "true" : "false"); }
  bool number_integer(Json::number_integer_t value) {
    return put(Kind::Scalar, std::to_string(value));
  }
  bool number_unsigned(Json::number_unsigned_t value) {
    return put(Kind::Scalar, std::to_string(value));
  }
  bool number_float(Json::number_float_t, const std::string& text) {
    return put(Kind::Scalar, text);
  }
  bool string(std::string& text) { return put(Kind::Text, std::move(text)); }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Kind::Object); }
  bool start_array(std::size_t) { return open(Kind::List); }
  bool key(std::string& name) {
    key_ = std::move(name);
    return true;
  }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool parse_error(std::size_t at, const std::string&, const Json::exception&) {
    at_ = at;
    return false;
  }

  bool too_deep() const { return too_deep_; }
  std::size_t at() const { return at_; }
  OrderedJson take() { return std::move(root_.children.front()); }

 private:
  OrderedJson& add(Kind kind, std::string text) {
    // Children of open nodes may move when their list grows, but only the last of each list is
    // open, and it gets no sibling before it is closed.
    OrderedJson& parent = open_.empty() ? root_ : *open_.back();
    OrderedJson& child = parent.children.emplace_back();
    child.kind = kind;
    child.key = std::move(key_);
    key_.clear();
    child.text = std::move(text);
    return child;
  }
  bool put(Kind kind, std::string text) {
    add(kind, std::move(text));
    return true;
  }
  bool open(Kind kind) {
    if (open_.size() >= kMaximumDepth) {
      too_deep_ = true;
      return false;
    }
    open_.push_back(&add(kind, ""));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  OrderedJson root_;
  std::vector<OrderedJson*> open_;
  std::string key_;
  std::size_t at_ = 0;
  bool too_deep_ = false;
};

}  // namespace

const OrderedJson* OrderedJson::find(std::string_view name) const {
  if (kind != Kind::Object) return nullptr;
  for (const OrderedJson& child : children)
    if (child.key == name) return &child;
  return nullptr;
}

Result<OrderedJson> parse_ordered_json(std::string_view text) {
  Builder builder;
  if (Json::sax_parse(text, &builder)) return builder.take();
  if (builder.too_deep())
    return fail(ErrorKind::Unparsable, "JSON is nested deeper than {} levels", kMaximumDepth);
  return fail(ErrorKind::Unparsable, "not valid JSON at character {}", builder.at());
}

}  // namespace personascope::eval::personalens
