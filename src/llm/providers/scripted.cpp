#include "llm/providers/scripted.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <vector>

#include "base/hash.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "files/text_file.hpp"
#include "files/yaml.hpp"
#include "llm/estimate.hpp"
#include "sched/loop.hpp"

namespace personascope::llm {
namespace {

constexpr std::int64_t kLongestDelayMs = 24 * 3600 * 1000;

struct Rule {
  std::string when = "*";
  std::vector<std::string> replies;
  bool refuse = false;
  std::optional<ErrorKind> error;
  std::map<std::string, double> choices;  // probabilities of labels
  std::int64_t times = -1;                // how often it fits one request; -1 = always
  milliseconds delay{0};
};

// Whether `text` fits `pattern`, in which * stands for any run of characters.
bool fits(std::string_view pattern, std::string_view text) {
  const auto pieces = split(pattern, '*');
  if (pieces.size() == 1) return pattern == text;
  if (!text.starts_with(pieces.front())) return false;
  text.remove_prefix(pieces.front().size());
  for (std::size_t i = 1; i + 1 < pieces.size(); ++i) {
    const std::size_t at = text.find(pieces[i]);
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at + pieces[i].size());
  }
  return text.ends_with(pieces.back());
}

bool is_probabilities(const Json& value) {
  double mass = 0;
  for (const auto& [label, probability] : value.items()) {
    if (!probability.is_number() || !(probability.get<double>() >= 0)) return false;
    mass += probability.get<double>();
  }
  return !value.empty() && mass <= 1 + 1e-9;
}

bool is_count(const Json& value) {
  return value.is_number_integer() && value.get<std::int64_t>() >= 0;
}

Result<Rule> parse_rule(const Json& value) {
  Rule rule;
  if (!value.is_object()) return fail(ErrorKind::Invalid, "a rule must be a map");
  for (const auto& [name, member] : value.items()) {
    if (name == "when" && member.is_string()) {
      rule.when = member;
    } else if ((name == "reply" || name == "refuse") && member.is_string()) {
      rule.replies = {member.get<std::string>()};
      rule.refuse = name == "refuse";
    } else if (name == "replies" && member.is_array() && !member.empty() &&
               std::ranges::all_of(member, [](const Json& e) { return e.is_string(); })) {
      rule.replies = member.get<std::vector<std::string>>();
    } else if (name == "error" && member.is_string()) {
      const auto kind = member.get<std::string>();
      rule.error = error_kind_named(kind);
      if (name_of(*rule.error) != kind)
        return fail(ErrorKind::Invalid, "\"{}\" is not a kind of error", printable(kind));
    } else if (name == "choices" && member.is_object() && is_probabilities(member)) {
      rule.choices = member.get<std::map<std::string, double>>();
    } else if (name == "times" && is_count(member)) {
      rule.times = member;
    } else if (name == "delay_ms" && is_count(member) && member <= kLongestDelayMs) {
      rule.delay = milliseconds(member.get<long long>());
    } else {
      return fail(ErrorKind::Invalid,
                  "\"{}\" is unknown: a rule has when, reply, replies, refuse, error, choices, "
                  "times and delay_ms",
                  printable(name));
    }
  }
  if (rule.replies.empty() && !rule.error && rule.choices.empty())
    return fail(ErrorKind::Invalid, "a rule needs reply, replies, refuse, error or choices");
  return rule;
}

std::string last_user_text(const core::Request& request) {
  for (auto message = request.messages.rbegin(); message != request.messages.rend(); ++message)
    if (message->role == core::Role::User) return message->content;
  return "";
}

class ScriptedModel : public Model {
 public:
  ScriptedModel(Endpoint endpoint, std::vector<Rule> rules)
      : endpoint_(std::move(endpoint)), rules_(std::move(rules)) {}

  const Endpoint& endpoint() const override { return endpoint_; }
  Features features() const override {
    Features features;
    features.choices =
        std::ranges::any_of(rules_, [](const Rule& rule) { return !rule.choices.empty(); });
    return features;
  }

  Task<Attempt> ask(const core::Request& request, Delivery delivery) override {
    if (request.top_logprobs > 0)
      co_return Attempt{
          fail(ErrorKind::Unsupported, "a script gives no log-probabilities (logprobs)"), {}};
    const std::string prompt = last_user_text(request);
    const std::string canonical = render_json(core::to_json(request));
    const Rule* rule = find_rule(prompt, canonical);
    if (!rule)
      co_return Attempt{fail(ErrorKind::Invalid, "no rule of the script matches \"{}\"",
                             printable(shorten(prompt, 80))),
                        {}};
    if (rule->delay.count() > 0) co_await sched::sleep_for(rule->delay);
    if (rule->error) co_return Attempt{fail(*rule->error, "as the script says"), {}};
    const bool wants_labels = !request.choices.empty();
    if (wants_labels ? rule->choices.empty() : rule->replies.empty())
      co_return Attempt{
          fail(ErrorKind::Invalid, "the script's rule for \"{}\" has no {}",
               printable(shorten(rule->when, 80)), wants_labels ? "choices" : "reply"),
          {}};
    core::Reply reply;
    if (wants_labels)
      read_labels(*rule, request.choices, reply);
    else
      reply.text = pick(*rule, prompt, canonical);
    reply.model = endpoint_.model;
    reply.finish = rule->refuse ? core::FinishReason::Refusal : core::FinishReason::Stop;
    reply.usage.input_tokens = estimate_size(request).input_tokens;
    reply.usage.output_tokens = static_cast<std::int64_t>(reply.text.size() / 3 + 1);
    if (delivery.on_text) delivery.on_text(reply.text);
    co_return Attempt{std::move(reply), {}};
  }

 private:
  const Rule* find_rule(const std::string& prompt, const std::string& canonical) {
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      if (!fits(rules_[i].when, prompt)) continue;
      if (rules_[i].times < 0 || used_[{i, canonical}]++ < rules_[i].times) return &rules_[i];
    }
    return nullptr;
  }

  static std::string pick(const Rule& rule, const std::string& prompt,
                          const std::string& canonical) {
    const std::size_t index = Random(0, "script", canonical).below(rule.replies.size());
    return replace_all(rule.replies[index], "{prompt}", prompt);
  }

  static void read_labels(const Rule& rule, const std::vector<std::string>& labels,
                          core::Reply& reply) {
    double best = -1;
    for (const std::string& label : labels) {
      const auto found = rule.choices.find(label);
      const double probability = found == rule.choices.end() ? 0 : found->second;
      reply.choices.push_back({label, std::log(probability)});
      if (probability <= best) continue;
      best = probability;
      reply.text = label;
    }
  }

  Endpoint endpoint_;
  std::vector<Rule> rules_;
  std::map<std::pair<std::size_t, std::string>, std::int64_t> used_;  // by rule and request
};

}  // namespace

Result<std::unique_ptr<Model>> parse_scripted_model(std::string_view script,
                                                    const std::string& name) {
  ASSIGN_OR_RETURN(const Json file, files::parse_yaml(script, name));
  const Json* list = find_member(file, "rules");
  if (!list || !list->is_array() || list->empty())
    return fail(ErrorKind::Invalid, "{}: a script needs a list \"rules\"", printable(name));
  std::vector<Rule> rules;
  for (const Json& entry : *list) {
    auto rule = parse_rule(entry);
    if (!rule)
      return fail(ErrorKind::Invalid, "{}, rule {}: {}", printable(name), rules.size() + 1,
                  rule.error().message);
    rules.push_back(std::move(*rule));
  }
  // The script is the weights of this model: another script, another journal entry. Where the file
  // lies makes no difference.
  Endpoint endpoint{"scripted", "", std::filesystem::path(name).filename().string(),
                    render_hex(sha256(script))};
  return std::make_unique<ScriptedModel>(std::move(endpoint), std::move(rules));
}

Result<std::unique_ptr<Model>> load_scripted_model(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string script, files::load_text(path, 16u << 20));
  return parse_scripted_model(script, path);
}

}  // namespace personascope::llm
