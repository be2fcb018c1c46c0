#include "llm/providers/bot_file.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "files/yaml.hpp"

namespace personascope::llm {
namespace {

// A small file must not make a large request out of one message.
constexpr std::size_t kMostGaps = 100;
constexpr std::size_t kMostHeaders = 50;
constexpr std::array<std::string_view, 5> kMethods{"GET", "POST", "PUT", "PATCH", "DELETE"};
// The client's own, and those that tell where a message ends.
constexpr std::array<std::string_view, 8> kOwnHeaders{
    "host",    "content-length", "transfer-encoding", "connection", "upgrade", "te",
    "trailer", "expect"};

// A map of the file, with where it is.
struct BotSection {
  const Json& value;
  std::string name;  // "", "session.open."

  Result<void> check(std::initializer_list<std::string_view> known) const {
    if (!value.is_object())
      return fail(ErrorKind::Invalid, "{} must be a map",
                  name.empty() ? "a bot file" : name.substr(0, name.size() - 1));
    const std::vector<std::string> names(known.begin(), known.end());
    for (const auto& [member, content] : value.items()) {
      if (std::ranges::find(names, member) != names.end()) continue;
      const auto near = near_matches(member, names);
      return fail(ErrorKind::Invalid, "unknown member \"{}{}\"{}", name,
                  printable(shorten(member, 60)),
                  near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near.front()));
    }
    return {};
  }

  // Fails as Invalid if it is there and not text.
  Result<std::optional<std::string>> text(std::string_view member) const {
    const Json* found = find_member(value, member);
    if (!found) return std::nullopt;
    if (!found->is_string() || found->get<std::string>().empty())
      return fail(ErrorKind::Invalid, "\"{}{}\" must be text", name, member);
    return found->get<std::string>();
  }

  Result<std::optional<BotPath>> path(std::string_view member) const {
    ASSIGN_OR_RETURN(const auto written, text(member));
    if (!written) return std::nullopt;
    auto path = BotPath::parse(*written);
    if (!path) return fail(ErrorKind::Invalid, "\"{}{}\": {}", name, member, path.error().message);
    return std::move(*path);
  }

  template <class T>
  Result<T> choice(std::string_view member, T otherwise,
                   std::initializer_list<std::pair<std::string_view, T>> choices) const {
    ASSIGN_OR_RETURN(const auto chosen, text(member));
    if (!chosen) return otherwise;
    std::vector<std::string> names;
    for (const auto& [choice, meaning] : choices) {
      if (*chosen == choice) return meaning;
      names.emplace_back(choice);
    }
    return fail(ErrorKind::Invalid, "\"{}{}\" must be one of {}", name, member, join(names, ", "));
  }

  Error locate(std::string_view member, const Error& error) const {
    return {error.kind, fmt::format("\"{}{}\": {}", name, member, error.message)};
  }
};

bool is_header_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

bool breaks_out(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return (c >= 0 && c < ' ') || c == '\x7F'; });
}

// Scheme, host and port of a URL that names a server; placeholders may come only after them.
Result<std::string> read_origin(const BotText& url) {
  const std::string_view text = url.beginning();
  const std::size_t scheme = text.starts_with("https://") ? 8 : text.starts_with("http://") ? 7 : 0;
  if (scheme == 0) return fail(ErrorKind::Invalid, "it must start with http:// or https://");
  const std::size_t end = text.find_first_of("/?#", scheme);
  if (end == std::string_view::npos && url.gaps() > 0)
    return fail(ErrorKind::Invalid, "the server must be named before the first placeholder");
  const std::string_view origin = text.substr(0, end);
  const bool is_odd = std::ranges::any_of(text, [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == '\x7F' || c == '\\';
  });
  if (is_odd || origin.size() == scheme || origin.ends_with('@'))
    return fail(ErrorKind::Invalid, "it is not an address");
  return without_credentials(origin);
}

Result<std::vector<std::pair<std::string, BotText>>> read_headers(const BotSection& section,
                                                                  BotVariables& variables) {
  std::vector<std::pair<std::string, BotText>> headers;
  const Json* members = find_member(section.value, "headers");
  if (!members) return headers;
  const auto complain = [&](std::string_view why) {
    return fail(ErrorKind::Invalid, "\"{}headers\": {}", section.name, why);
  };
  if (!members->is_object() || members->size() > kMostHeaders)
    return complain(fmt::format("it must be a map of at most {} names and texts", kMostHeaders));
  for (const auto& [name, value] : members->items()) {
    if (!is_header_name(name)) return complain("a name has a character that headers cannot have");
    if (std::ranges::find(kOwnHeaders, lower(name)) != kOwnHeaders.end())
      return complain(fmt::format("{} is not yours to set", name));
    if (!value.is_string() || breaks_out(value.get<std::string>()))
      return complain(fmt::format("{} must be text on one line", name));
    auto text = BotText::parse(value.get<std::string>(), BotPlace::Header, variables);
    if (!text) return std::unexpected(section.locate("headers." + name, text.error()));
    if (text->uses("message") || text->uses("system"))
      return complain(fmt::format("{} can hold {{session}} only", name));
    headers.emplace_back(name, std::move(*text));
  }
  return headers;
}

Result<BotRequest> read_request(const BotSection& section, BotVariables& variables) {
  BotRequest request;
  ASSIGN_OR_RETURN(const auto method, section.text("method"));
  if (method) request.method = upper(*method);
  if (std::ranges::find(kMethods, request.method) == kMethods.end())
    return fail(ErrorKind::Invalid, "\"{}method\" must be one of GET, POST, PUT, PATCH, DELETE",
                section.name);
  ASSIGN_OR_RETURN(const auto url, section.text("url"));
  if (!url) return fail(ErrorKind::Invalid, "\"{}url\" is missing", section.name);
  auto parsed = BotText::parse(*url, BotPlace::Url, variables);
  if (!parsed) return std::unexpected(section.locate("url", parsed.error()));
  request.url = std::move(*parsed);
  if (auto origin = read_origin(request.url); !origin)
    return std::unexpected(section.locate("url", origin.error()));
  ASSIGN_OR_RETURN(request.headers, read_headers(section, variables));
  if (const Json* body = find_member(section.value, "body")) {
    if (request.method == "GET")
      return fail(ErrorKind::Invalid, "\"{}body\": a GET request has none", section.name);
    auto read = BotBody::parse(*body, variables);
    if (!read) return std::unexpected(section.locate("body", read.error()));
    request.body = std::move(*read);
  }
  std::size_t gaps = request.url.gaps() + (request.body ? request.body->gaps() : 0);
  for (const auto& [name, text] : request.headers) gaps += text.gaps();
  if (gaps > kMostGaps)
    return fail(ErrorKind::Invalid, "a request has at most {} placeholders", kMostGaps);
  return request;
}

Result<BotReplyRules> read_reply_rules(const BotSection& section) {
  BotReplyRules rules;
  ASSIGN_OR_RETURN(rules.form, section.choice("reply", BotReplyForm::Json,
                                              {{"json", BotReplyForm::Json},
                                               {"text", BotReplyForm::Text},
                                               {"events", BotReplyForm::Events},
                                               {"lines", BotReplyForm::Lines}}));
  ASSIGN_OR_RETURN(rules.pieces,
                   section.choice("pieces", BotPieces::Add,
                                  {{"add", BotPieces::Add}, {"replace", BotPieces::Replace}}));
  ASSIGN_OR_RETURN(rules.answer, section.path("answer"));
  ASSIGN_OR_RETURN(rules.error, section.path("error"));
  ASSIGN_OR_RETURN(rules.done, section.path("done"));
  if (!rules.answer && (rules.form == BotReplyForm::Json || rules.form == BotReplyForm::Lines))
    return fail(ErrorKind::Invalid, "\"answer\" is missing: where the answer is in the reply");
  if (rules.answer && rules.form == BotReplyForm::Text)
    return fail(ErrorKind::Invalid,
                "\"answer\": with \"reply: text\" the whole reply is the answer");
  if (const Json* tokens = find_member(section.value, "tokens")) {
    const BotSection counts{*tokens, "tokens."};
    RETURN_IF_ERROR(counts.check({"input", "output"}));
    ASSIGN_OR_RETURN(rules.input_tokens, counts.path("input"));
    ASSIGN_OR_RETURN(rules.output_tokens, counts.path("output"));
  }
  return rules;
}

Result<BotTurns> read_turns(const BotSection& section) {
  BotTurns turns;
  const Json* given = find_member(section.value, "turns");
  if (!given) return turns;
  const BotSection names{*given, "turns."};
  RETURN_IF_ERROR(names.check({"role", "text", "user", "assistant", "system"}));
  for (const auto& [member, name] : {std::pair<std::string_view, std::string&>{"role", turns.role},
                                     {"text", turns.text},
                                     {"user", turns.user},
                                     {"assistant", turns.assistant},
                                     {"system", turns.system}}) {
    ASSIGN_OR_RETURN(const auto text, names.text(member));
    if (text) name = *text;
  }
  if (turns.role == turns.text)
    return fail(ErrorKind::Invalid, "\"turns.role\" and \"turns.text\" must differ");
  return turns;
}

Result<void> read_session(const BotSection& section, BotVariables& variables, BotFile& file) {
  const Json* given = find_member(section.value, "session");
  if (!given) return {};
  const BotSection session{*given, "session."};
  RETURN_IF_ERROR(session.check({"open", "close"}));
  const Json* open = find_member(*given, "open");
  const Json* close = find_member(*given, "close");
  if (!open) return fail(ErrorKind::Invalid, "\"session.open\" is missing");
  const BotSection opening{*open, "session.open."};
  RETURN_IF_ERROR(opening.check({"url", "method", "headers", "body", "id"}));
  ASSIGN_OR_RETURN(file.open, read_request(opening, variables));
  ASSIGN_OR_RETURN(file.session_id, opening.path("id"));
  if (!file.session_id)
    return fail(ErrorKind::Invalid, "\"session.open.id\" is missing: where the session's id is");
  for (const char* gap : {"session", "message", "history", "messages"})
    if (file.open->uses(gap))
      return fail(ErrorKind::Invalid, "\"session.open\": there is no {{{}}} yet", gap);
  if (!file.ask.uses("session"))
    return fail(ErrorKind::Invalid, "\"session\": the bot's request must use {{session}}");
  if (!close) return {};
  const BotSection closing{*close, "session.close."};
  RETURN_IF_ERROR(closing.check({"url", "method", "headers", "body"}));
  ASSIGN_OR_RETURN(file.close, read_request(closing, variables));
  if (!file.close->uses("session"))
    return fail(ErrorKind::Invalid, "\"session.close\" must use {{session}}");
  return {};
}

Result<BotFile> read_bot(const Json& value, const files::Environment& environment) {
  const BotSection section{value, ""};
  RETURN_IF_ERROR(section.check({"url", "method", "headers", "body", "reply", "answer", "error",
                                 "done", "pieces", "tokens", "turns", "system", "session"}));
  BotFile file;
  BotVariables variables(environment);
  ASSIGN_OR_RETURN(file.ask, read_request(section, variables));
  ASSIGN_OR_RETURN(file.reply, read_reply_rules(section));
  ASSIGN_OR_RETURN(file.turns, read_turns(section));
  ASSIGN_OR_RETURN(file.system, section.choice("system", BotSystem::FirstMessage,
                                               {{"first_message", BotSystem::FirstMessage},
                                                {"leave_out", BotSystem::LeaveOut}}));
  RETURN_IF_ERROR(read_session(section, variables, file));
  if (!file.ask.uses("message") && !file.ask.uses("messages"))
    return fail(ErrorKind::Invalid,
                "neither \"url\" nor \"body\" uses {{message}} or {{messages}}");
  ASSIGN_OR_RETURN(file.origin, read_origin(file.ask.url));
  for (const auto* request :
       {&file.ask, file.open ? &*file.open : nullptr, file.close ? &*file.close : nullptr}) {
    if (!request || request->url.first_variable().empty()) continue;
    for (const std::string& key : variables.names())
      if (key != request->url.first_variable())
        RETURN_IF_ERROR(files::check_same_source(environment, request->url.first_variable(), key));
  }
  for (const std::string& name : variables.names()) {
    if (name == file.ask.url.first_variable()) continue;
    file.keys.push_back(name);
    file.secrets.emplace_back(environment.find(name).value_or(""));
  }
  return file;
}

}  // namespace

bool BotRequest::uses(std::string_view placeholder) const {
  return url.uses(placeholder) || (body && body->uses(placeholder)) ||
         std::ranges::any_of(headers,
                             [&](const auto& header) { return header.second.uses(placeholder); });
}

bool BotFile::has_session() const {
  return open || ask.uses("session");
}

Result<BotFile> parse_bot_file(std::string_view text, const std::string& name,
                               const files::Environment& environment) {
  ASSIGN_OR_RETURN(const Json value, files::parse_yaml(text, name));
  auto file = read_bot(value, environment);
  if (!file)
    return std::unexpected(
        Error{file.error().kind, fmt::format("{}: {}", printable(name), file.error().message)});
  file->hash = render_hex(sha256(text));
  return file;
}

}  // namespace personascope::llm
