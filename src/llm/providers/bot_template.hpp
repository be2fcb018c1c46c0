// The texts of a bot file with gaps: ${VARIABLES} of the environment, filled in when the file is
// read, and {placeholders}, filled in for each request.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "base/secret.hpp"
#include "files/environment.hpp"

namespace personascope::llm {

// The values of the placeholders. {message}, {system} and {session} are texts and may stand within
// one; {history}, {messages}, {temperature} and {max_tokens} are values and stand alone in the
// body.
using BotValues = std::map<std::string, Json, std::less<>>;

// How a value is written where it is filled in. Address: at the beginning of a URL.
enum class BotPlace { Address, Url, Header, Body };

// What reading a bot file collects: the variables that it uses, and their values.
class BotVariables {
 public:
  explicit BotVariables(const files::Environment& environment) : environment_(environment) {}

  // Fails as Invalid if the name does not begin with BOT_ (a file from somebody else must not be
  // able to send a key of another service), as Misconfigured if the variable is not set or has a
  // line end in it.
  Result<std::string> take(std::string_view name, BotPlace place);

  const std::vector<std::string>& names() const { return names_; }

 private:
  const files::Environment& environment_;
  std::vector<std::string> names_;
};

// A text with gaps.
class BotText {
 public:
  BotText() = default;
  // Fails as Invalid on a placeholder that is unknown or cannot stand here, and as `variables` do.
  static Result<BotText> parse(std::string_view text, BotPlace place, BotVariables& variables);

  // In a URL values are percent-encoded; elsewhere they are as they are.
  std::string fill(const BotValues& values) const;
  bool uses(std::string_view placeholder) const;
  std::size_t gaps() const;
  // The text before the first placeholder.
  std::string_view beginning() const {
    return parts_.empty() ? std::string_view() : std::string_view(parts_.front().text);
  }
  // The variable that the text begins with; empty if none.
  const std::string& first_variable() const { return first_variable_; }

 private:
  struct Part {
    std::string text;         // before the placeholder
    std::string placeholder;  // empty for the last part
  };
  std::vector<Part> parts_;
  std::string first_variable_;
  BotPlace place_ = BotPlace::Body;
};

// A body with gaps in its texts: whatever is filled in is one JSON value or part of one text, and
// cannot break out of it.
class BotBody {
 public:
  BotBody() = default;
  static Result<BotBody> parse(const Json& value, BotVariables& variables);

  Json fill(const BotValues& values) const;
  bool uses(std::string_view placeholder) const;
  std::size_t gaps() const;

 private:
  Json shape_;  // with null where `texts_` or `values_` go
  struct Gap {
    Json::json_pointer where;
    BotText text;
    std::string value;  // the placeholder that stands alone; empty: `text`
  };
  std::vector<Gap> gaps_;

  Result<void> read(const Json& value, const Json::json_pointer& where, BotVariables& variables);
};

}  // namespace personascope::llm
