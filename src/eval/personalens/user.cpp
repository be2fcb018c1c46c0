#include "eval/personalens/user.hpp"

#include <algorithm>
#include <set>

#include "base/json.hpp"
#include "base/text.hpp"
#include "eval/personalens/ordered_json.hpp"
#include "files/safe_name.hpp"

namespace personascope::eval::personalens {
namespace {

using Kind = OrderedJson::Kind;

// What reads and names a file's members.
struct JsonPlace {
  const std::string& path;
  std::string within;  // "Task 3"; empty at the top

  template <class... Args>
  std::unexpected<Error> fail_here(fmt::format_string<Args...> format, Args&&... args) const {
    return fail(ErrorKind::Invalid, "{}{}{}: {}", printable(path), within.empty() ? "" : ", ",
                printable(within), fmt::format(format, std::forward<Args>(args)...));
  }
};

Result<const OrderedJson*> need_object(const OrderedJson& parent, const char* name,
                                       const JsonPlace& place) {
  const OrderedJson* member = parent.find(name);
  if (!member || member->kind != Kind::Object)
    return place.fail_here("\"{}\" {}", name,
                           member ? "must be an object {\"name\": …}" : "is missing");
  return member;
}

Result<std::string> need_text(const OrderedJson& parent, const char* name, const JsonPlace& place) {
  const OrderedJson* member = parent.find(name);
  if (!member || member->kind != Kind::Text)
    return place.fail_here("\"{}\" {}", name, member ? "must be a text" : "is missing");
  if (trim(member->text).empty()) return place.fail_here("\"{}\" is empty", name);
  return member->text;
}

Result<std::vector<std::string>> need_texts(const OrderedJson& parent, const char* name,
                                            const JsonPlace& place) {
  const OrderedJson* member = parent.find(name);
  if (!member || member->kind != Kind::List)
    return place.fail_here("\"{}\" {}", name, member ? "must be a list of texts" : "is missing");
  std::vector<std::string> texts;
  for (const OrderedJson& text : member->children) {
    if (text.kind != Kind::Text) return place.fail_here("\"{}\" must be a list of texts", name);
    texts.push_back(text.text);
  }
  return texts;
}

Result<Attributes> read_attributes(const OrderedJson& object, const JsonPlace& place) {
  Attributes attributes;
  for (const OrderedJson& member : object.children) {
    Attribute attribute{member.key, {}};
    if (member.kind == Kind::Object)
      return place.fail_here("\"{}\" must be a text or a list of texts", printable(member.key));
    if (member.kind != Kind::List) attribute.values.push_back(member.text);
    for (const OrderedJson& value : member.children) {
      if (value.kind == Kind::Object || value.kind == Kind::List)
        return place.fail_here("\"{}\" must be a text or a list of texts", printable(member.key));
      attribute.values.push_back(value.text);
    }
    attributes.push_back(std::move(attribute));
  }
  return attributes;
}

bool is_domain_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ' ' ||
           c == '-' || c == '_' || c == '&';
  });
}

template <class Value>
const Value* find_in(const std::vector<std::pair<std::string, Value>>& list,
                     std::string_view name) {
  for (const auto& [key, value] : list)
    if (key == name) return &value;
  return nullptr;
}

std::string quote(const std::string& text) {
  return Json(make_utf8(text)).dump(-1, ' ', true);
}

// Writes JSON as Python's json.dump(indent=4) does.
class PythonWriter {
 public:
  void open(char bracket) {
    text_ += bracket;
    ++depth_;
    first_ = true;
  }
  void close(char bracket) {
    --depth_;
    if (!first_) break_line();
    text_ += bracket;
    first_ = false;
  }
  void key(const std::string& name) {
    next();
    text_ += quote(name) + ": ";
  }
  void next() {
    if (!first_) text_ += ',';
    break_line();
    first_ = false;
  }
  void put(const std::string& text) { text_ += text; }
  void put_list(const std::vector<std::string>& values) {
    if (values.empty()) return put("[]");
    open('[');
    for (const std::string& value : values) {
      next();
      put(quote(value));
    }
    close(']');
  }
  void put_attributes(const Attributes& attributes) {
    if (attributes.empty()) return put("{}");
    open('{');
    for (const Attribute& attribute : attributes) {
      key(attribute.name);
      if (attribute.values.size() == 1)
        put(quote(attribute.values.front()));
      else
        put_list(attribute.values);
    }
    close('}');
  }
  std::string take() { return std::move(text_); }

 private:
  void break_line() {
    text_ += '\n';
    text_.append(4 * depth_, ' ');
  }
  std::string text_;
  std::size_t depth_ = 0;
  bool first_ = true;
};

}  // namespace

const Attributes* User::find_affinities(std::string_view domain) const {
  return find_in(affinities, domain);
}

const std::string* User::find_summary(std::string_view domain) const {
  return find_in(interactions, domain);
}

std::string domain_of(std::string_view task_id) {
  // Ours: ps-Alarm-1, ps-multi-1. Published: SD-Alarm-task-1, MD-task-1.
  const bool is_ours = task_id.starts_with("ps-");
  const std::size_t end = is_ours ? task_id.rfind('-') : task_id.rfind("-task-");
  if ((is_ours || task_id.starts_with("SD-")) && end != std::string_view::npos && end > 3 &&
      task_id.substr(0, end) != "ps-multi")
    return std::string(task_id.substr(3, end - 3));
  return "Multi-domain";
}

std::string render_attributes(const Attributes& attributes) {
  std::string text;
  for (const Attribute& attribute : attributes)
    text += fmt::format("{}- {}: {}", text.empty() ? "" : "\n", attribute.name,
                        join(attribute.values, ", "));
  return text;
}

Result<User> parse_user(std::string_view text, const std::string& path, int number) {
  const JsonPlace place{path, ""};
  const auto value = parse_ordered_json(text);
  if (!value) return place.fail_here("{}", value.error().message);
  User user;
  user.number = number;
  const auto note_domain = [&user](const char* what, const std::string& domain) {
    if (!is_domain_name(domain))
      user.oddities.push_back(fmt::format("user{} has {} a domain called \"{}\"", user.number, what,
                                          printable(domain)));
  };
  ASSIGN_OR_RETURN(const OrderedJson* demographics, need_object(*value, "demographics", place));
  ASSIGN_OR_RETURN(user.demographics, read_attributes(*demographics, place));
  ASSIGN_OR_RETURN(const OrderedJson* affinities, need_object(*value, "affinities", place));
  for (const OrderedJson& domain : affinities->children) {
    if (domain.kind != Kind::Object)
      return place.fail_here("the affinities of \"{}\" must be an object {{\"name\": …}}",
                             printable(domain.key));
    note_domain("affinities for", domain.key);
    ASSIGN_OR_RETURN(Attributes attributes, read_attributes(domain, place));
    user.affinities.emplace_back(domain.key, std::move(attributes));
  }
  ASSIGN_OR_RETURN(const OrderedJson* interactions, need_object(*value, "interactions", place));
  for (const OrderedJson& summary : interactions->children) {
    if (summary.kind != Kind::Text)
      return place.fail_here("the interactions of \"{}\" must be a text", printable(summary.key));
    user.interactions.emplace_back(summary.key, summary.text);
  }
  if (const OrderedJson* interests = value->find("interests"))
    for (const OrderedJson& interest : interests->children) {
      note_domain("an interest in", interest.key);
      user.interests.emplace_back(interest.key, interest.text == "1" || interest.text == "true");
    }
  return user;
}

Result<std::vector<LensTask>> parse_tasks(std::string_view text, const std::string& path,
                                          Span span) {
  const auto value = parse_ordered_json(text);
  if (!value || value->kind != Kind::Object)
    return JsonPlace{path, ""}.fail_here(
        "{}", value ? "it must be an object {\"Task 1\": …}" : value.error().message.c_str());
  std::vector<LensTask> tasks;
  std::set<std::string> ids;
  for (const OrderedJson& member : value->children) {
    const JsonPlace place{path, member.key};
    if (member.kind != Kind::Object) return place.fail_here("a task must be an object");
    LensTask task;
    task.span = span;
    ASSIGN_OR_RETURN(task.id, need_text(member, "task_id", place));
    if (!files::is_safe_name(task.id))
      return place.fail_here("the task_id \"{}\" cannot be the name of a file", printable(task.id));
    if (!ids.insert(task.id).second)
      return place.fail_here("the task_id \"{}\" is used twice", printable(task.id));
    if (const OrderedJson* description = member.find("Task Description"))
      task.description = description->text;
    ASSIGN_OR_RETURN(task.intent, need_text(member, "User Intent", place));
    ASSIGN_OR_RETURN(task.goal, need_text(member, "Task Goal", place));
    if (member.find("Relevant Affinity Types")) {
      ASSIGN_OR_RETURN(task.affinity_types, need_texts(member, "Relevant Affinity Types", place));
    }
    ASSIGN_OR_RETURN(task.domains, need_texts(member, "Relevant Domains", place));
    if (task.domains.empty()) return place.fail_here("\"Relevant Domains\" is empty");
    ASSIGN_OR_RETURN(const OrderedJson* situation, need_object(member, "situations", place));
    ASSIGN_OR_RETURN(task.situation, read_attributes(*situation, place));
    tasks.push_back(std::move(task));
  }
  return tasks;
}

std::string render_user(const User& user) {
  PythonWriter writer;
  writer.open('{');
  writer.key("affinities");
  writer.open('{');
  for (const auto& [domain, attributes] : user.affinities) {
    writer.key(domain);
    writer.put_attributes(attributes);
  }
  writer.close('}');
  writer.key("demographics");
  writer.put_attributes(user.demographics);
  writer.key("interests");
  writer.open('{');
  for (const auto& [domain, interested] : user.interests) {
    writer.key(domain);
    writer.put(interested ? "1" : "0");
  }
  writer.close('}');
  writer.key("interactions");
  writer.open('{');
  for (const auto& [domain, summary] : user.interactions) {
    writer.key(domain);
    writer.put(quote(summary));
  }
  writer.close('}');
  writer.close('}');
  return writer.take();
}

std::string render_tasks(const std::vector<LensTask>& tasks) {
  PythonWriter writer;
  writer.open('{');
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const LensTask& task = tasks[i];
    writer.key(fmt::format("Task {}", i + 1));
    writer.open('{');
    const auto add = [&](const char* name, const std::string& text) {
      writer.key(name);
      writer.put(quote(text));
    };
    add("Task Description", task.description);
    add("User Intent", task.intent);
    add("Task Goal", task.goal);
    writer.key("Relevant Affinity Types");
    writer.put_list(task.affinity_types);
    add("task_id", task.id);
    writer.key("situations");
    writer.put_attributes(task.situation);
    writer.key("Relevant Domains");
    writer.put_list(task.domains);
    writer.close('}');
  }
  writer.close('}');
  return writer.take();
}

}  // namespace personascope::eval::personalens
