// A user: who they are, what they like, what was noted about them, and what they want.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace personascope::eval::personalens {

struct Attribute {
  std::string name;
  std::vector<std::string> values;  // one, unless it is a list
};
using Attributes = std::vector<Attribute>;  // in the order of the file

struct User {
  int number = 0;
  Attributes demographics;
  std::vector<std::pair<std::string, Attributes>> affinities;     // by domain
  std::vector<std::pair<std::string, bool>> interests;            // by domain
  std::vector<std::pair<std::string, std::string>> interactions;  // a summary by domain
  std::vector<std::string> oddities;  // what is strange in the file and does no harm, in sentences

  // Null if the user has none in that domain.
  const Attributes* find_affinities(std::string_view domain) const;
  const std::string* find_summary(std::string_view domain) const;
};

enum class Span { Single, Multi };  // a task in one domain, or across several

struct LensTask {
  std::string id;  // "ps-Alarm-1", in published data "SD-Alarm-task-1": safe as a file's name
  std::string description;
  std::string intent;                       // what the user is told
  std::string goal;                         // what must have happened
  std::vector<std::string> affinity_types;  // those that matter
  std::vector<std::string> domains;
  Attributes situation;
  Span span = Span::Single;
};

// "Alarm" for ps-Alarm-1 and SD-Alarm-task-1, "Multi-domain" for ps-multi-3 and MD-task-3.
std::string domain_of(std::string_view task_id);

// "- name: value" lines, values of a list joined by ", ".
std::string render_attributes(const Attributes& attributes);

// Texts of profile.json, tasks.json or tasks_md.json. Each fails as Invalid, naming `path`, the
// member and what it should be.
Result<User> parse_user(std::string_view text, const std::string& path, int number);
Result<std::vector<LensTask>> parse_tasks(std::string_view text, const std::string& path,
                                          Span span);

// The same the other way round, indented by 4 as Python's json.dump writes them.
std::string render_user(const User& user);
std::string render_tasks(const std::vector<LensTask>& tasks);

// Where users come from. May be asked by several threads at once.
class UserSource {
 public:
  virtual ~UserSource() = default;
  // Their numbers, ascending.
  virtual std::vector<int> list_users() const = 0;
  // Fails as NotFound for a user or file that is not there, as Invalid for what is in it.
  virtual Result<User> load_user(int number) const = 0;
  virtual Result<std::vector<LensTask>> load_tasks(int number, Span span) const = 0;
};

}  // namespace personascope::eval::personalens
