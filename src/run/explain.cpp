#include "run/explain.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "http/client.hpp"
#include "llm/model_registry.hpp"
#include "llm/structured.hpp"
#include "llm/thinking.hpp"
#include "run/session.hpp"

namespace personascope::run {
namespace {

constexpr std::int64_t kCompared = 100;
constexpr std::size_t kExcerpt = 60;

// Endpoint, request and replicate as one value, with a pointer for each leaf.
Json flatten(const std::string& endpoint, const std::string& request,
             const std::string& replicate) {
  Json whole = Json::object();
  const auto add = [&whole](const char* name, const std::string& text) {
    if (auto value = parse_json(text)) whole[name] = std::move(*value);
  };
  add("endpoint", endpoint);
  add("request", request);
  add("replicate", replicate);
  return whole.flatten();
}

// The part of `text` where it begins to differ from `other`.
std::string excerpt(const std::string& text, const std::string& other) {
  if (text.size() <= 2 * kExcerpt) return text;
  const auto [end, unused] = std::ranges::mismatch(text, other);
  const auto at = static_cast<std::size_t>(end - text.begin());
  const std::size_t start = at > kExcerpt / 2 ? at - kExcerpt / 2 : 0;
  return (start > 0 ? "…" : "") + shorten(make_utf8(text.substr(start)), kExcerpt);
}

std::vector<Difference> compare(const Json& stored, const Json& wanted) {
  std::vector<Difference> differences;
  const auto text_of = [](const Json& flat, const std::string& place) {
    return flat.contains(place) ? render_json(flat[place]) : std::string();
  };
  const auto note = [&](const std::string& place) {
    const std::string a = text_of(stored, place);
    const std::string b = text_of(wanted, place);
    if (a != b) differences.push_back({place.substr(1), excerpt(a, b), excerpt(b, a)});
  };
  for (const auto& [place, value] : wanted.items()) note(place);
  for (const auto& [place, value] : stored.items())
    if (!wanted.contains(place)) note(place);
  return differences;
}

}  // namespace

Json to_json(const MissExplanation& explanation) {
  Json value = {{"item", explanation.item},
                {"role", explanation.role},
                {"nearest_item", nullptr},
                {"differences", Json::array()}};
  if (explanation.has_nearest) value["nearest_item"] = explanation.nearest_item;
  for (const Difference& difference : explanation.differences)
    value["differences"].push_back({{"place", difference.place},
                                    {"stored", difference.stored},
                                    {"wanted", difference.wanted}});
  return value;
}

Result<MissExplanation> explain_miss(store::Store& store, const llm::Miss& miss) {
  MissExplanation explanation;
  explanation.item = miss.draw.item;
  explanation.role = miss.draw.role;
  ASSIGN_OR_RETURN(auto candidates,
                   store.reader().load_calls(miss.draw.item, miss.draw.role, kCompared));
  if (candidates.empty()) {
    ASSIGN_OR_RETURN(candidates, store.reader().load_calls("", miss.draw.role, kCompared));
  }
  const Json wanted = flatten(miss.call.endpoint, miss.call.request, miss.call.replicate);
  for (const store::StoredCall& call : candidates) {
    auto differences = compare(flatten(call.endpoint, call.request, call.replicate), wanted);
    if (explanation.has_nearest && differences.size() >= explanation.differences.size()) continue;
    explanation.has_nearest = true;
    explanation.nearest_item = call.item;
    explanation.differences = std::move(differences);
  }
  return explanation;
}

Result<void> MissFinder::visit(const llm::Model& model, const core::Request& request,
                               const llm::Draw& draw, const std::string& salt) {
  if (item_ && draw.item != *item_) return {};
  found_item_ = true;
  const llm::Call call =
      llm::make_call(model.endpoint(), llm::make_first_request(model, request), draw, salt);
  ASSIGN_OR_RETURN(const auto answer, store_.find_answer(call.key));
  if (answer || explanations_.size() >= kMostMisses) return {};
  ASSIGN_OR_RETURN(auto explanation, explain_miss(store_, {draw, call}));
  explanations_.push_back(std::move(explanation));
  return {};
}

Result<std::vector<MissExplanation>> MissFinder::finish(const std::string& input) {
  if (item_ && !found_item_)
    return fail(ErrorKind::Invalid, "{} has no line with the id \"{}\"", printable(input),
                printable(*item_));
  return std::move(explanations_);
}

Result<std::vector<MissExplanation>> explain_batch_misses(const RunEnvironment& environment,
                                                          const store::RunRecord& run,
                                                          const BatchPlan& plan,
                                                          const std::optional<std::string>& item) {
  sched::Loop loop;
  http::Client client(loop);
  const llm::ModelOptions options{plan.base_url};
  ASSIGN_OR_RETURN(const auto model,
                   environment.models.make(plan.model, {options, environment.settings, client}));
  ASSIGN_OR_RETURN(const RoleRules rules, load_role_rules(environment.store, run.plan));
  MissFinder finder(environment.store, item);
  RETURN_IF_ERROR(check_batch_file(plan.input.path, [&](const BatchLine& line) {
    core::Request request = line.request;
    llm::add_thinking(request, thinking_of(plan.engine, line.role));
    return finder.visit(*model, request, {.item = line.id, .role = line.role},
                        salt_for(line.role, rules, plan.engine, run.uid));
  }));
  return finder.finish(plan.input.path);
}

}  // namespace personascope::run
