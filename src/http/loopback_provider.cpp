#include "http/loopback_provider.hpp"

#include <algorithm>
#include <cmath>

#include "base/json.hpp"
#include "base/text.hpp"
#include "http/loopback/form.hpp"
#include "http/loopback/scenario.hpp"

namespace personascope::http {
namespace {

using loopback::Admission;
using loopback::Ask;
using loopback::Cause;
using loopback::Form;
using loopback::Scenario;

constexpr std::string_view kInvalidUtf8 = "\xFF\xFE\xC3(";

std::string_view path_of(const LoopbackRequest& request) {
  return std::string_view(request.target).substr(0, request.target.find('?'));
}

// The key that a request carries, in any of the providers' ways.
std::string find_key(const LoopbackRequest& request) {
  for (const char* const name : {"x-api-key", "api-key", "authorization"})
    if (const std::string* value = request.find_header(name)) return *value;
  return {};
}

bool has_key(const LoopbackRequest& request, const std::string& key) {
  const std::string sent = find_key(request);
  return sent == key || sent == "Bearer " + key ||
         sent.find("Credential=" + key + "/") != std::string::npos;
}

LoopbackReply make_limit_reply(const Form& form, const loopback::Admission::Decision& decision,
                               bool in_whole_seconds) {
  LoopbackReply reply = form.render_failure({decision.status, Cause::Status, decision.message});
  const double wait = decision.wait.count();
  reply.headers.emplace_back("Retry-After", fmt::format("{}", std::ceil(wait)));
  if (!in_whole_seconds)
    reply.headers.emplace_back("retry-after-ms", fmt::format("{}", std::ceil(wait * 1000)));
  return reply;
}

std::uint64_t size_of(const LoopbackReply& reply) {
  std::uint64_t size = reply.body.size() + reply.body_bytes;
  for (const LoopbackChunk& chunk : reply.chunks) size += chunk.bytes.size();
  return size;
}

LoopbackReply make_content(const Form& form, const Ask& ask, const Scenario& scenario,
                           const LoopbackRequest& request) {
  if (scenario.status) {
    const std::string message =
        scenario.words.value_or(fmt::format("asked for status {}", *scenario.status));
    LoopbackReply reply = form.render_failure({*scenario.status, Cause::Status, message});
    if (!scenario.retry_after.empty())
      reply.headers.emplace_back("Retry-After", scenario.retry_after);
    return reply;
  }
  if (scenario.report) {
    const std::string message =
        scenario.words.value_or(fmt::format("asked for error {}", *scenario.report));
    return loopback::make_json_reply(
        200, {{"error", {{"code", *scenario.report}, {"message", message}}}});
  }
  if (scenario.too_long) return form.render_failure({400, Cause::TooLong, {}});
  if (scenario.echo_key)
    return form.render_failure({400, Cause::Request, "received key: " + find_key(request)});
  LoopbackReply reply = form.render(ask, make_answer(ask, scenario));
  if (scenario.raw_body) {
    reply.chunks.clear();
    reply.body = *scenario.raw_body;
  }
  if (scenario.invalid_utf8) {
    reply.body = replace_all(reply.body, loopback::kInvalidUtf8Mark, kInvalidUtf8);
    for (LoopbackChunk& chunk : reply.chunks)
      chunk.bytes = replace_all(chunk.bytes, loopback::kInvalidUtf8Mark, kInvalidUtf8);
  }
  return reply;
}

// What a scenario does to a reply of whatever content.
void apply_faults(Scenario& scenario, LoopbackReply& reply) {
  for (auto& header : scenario.headers) reply.headers.push_back(std::move(header));
  reply.delay += scenario.delay;
  reply.close_without_answer = scenario.close;
  reply.endless_body = scenario.endless;
  if (scenario.huge > 0) {
    for (LoopbackChunk& chunk : reply.chunks) reply.body += chunk.bytes;
    reply.chunks.clear();
    reply.body_bytes = scenario.huge;
  }
  if (scenario.cut) reply.cut_after_bytes = size_of(reply) / 2;
  if (scenario.stall) reply.stall_after_bytes = size_of(reply) / 2;
}

// The reply to the `attempt`-th coming of a request that no limit holds back.
LoopbackReply make_reply(const Form& form, const LoopbackRequest& request,
                         const LoopbackProviderOptions& options, std::uint64_t attempt) {
  const auto body = parse_json(request.body);
  if (!body) return form.render_failure({400, Cause::Request, body.error().message});
  const auto ask = form.read(*body, path_of(request));
  if (!ask) return form.render_failure({400, Cause::Request, ask.error().message});
  if (!options.models.empty() &&
      std::ranges::find(options.models, ask->model) == options.models.end()) {
    const std::string message = fmt::format("The model `{}` does not exist", ask->model);
    return form.render_failure({404, Cause::Model, message});
  }
  auto scenario = loopback::parse_scenario(ask->instructions, attempt);
  if (!scenario) return form.render_failure({400, Cause::Request, scenario.error().message});
  LoopbackReply reply = make_content(form, *ask, *scenario, request);
  if (reply.status == 200) reply.delay = options.latency;
  apply_faults(*scenario, reply);
  return reply;
}

Json render_statistics(const LoopbackStatistics& statistics) {
  Json by_status = Json::object();
  for (const auto& [status, count] : statistics.by_status)
    by_status[std::to_string(status)] = count;
  return {{"requests", statistics.requests},     {"distinct", statistics.distinct},
          {"most_asked", statistics.most_asked}, {"in_flight_peak", statistics.in_flight_peak},
          {"tokens", statistics.tokens},         {"by_status", std::move(by_status)}};
}

LoopbackReply make_models_reply(const std::vector<std::string>& models) {
  Json list = Json::array();
  for (const std::string& model : models)
    list.push_back({{"id", model}, {"object", "model"}, {"owned_by", "loopback"}});
  return loopback::make_json_reply(200, {{"object", "list"}, {"data", std::move(list)}});
}

std::size_t limit_of(std::string_view target) {
  constexpr std::string_view kName = "?limit=";
  const std::size_t at = target.find(kName);
  const auto limit = at == std::string_view::npos
                         ? std::nullopt
                         : find_integer_in(target.substr(at + kName.size()));
  return limit && *limit >= 0 ? static_cast<std::size_t>(*limit) : 100;
}

}  // namespace

LoopbackProvider::LoopbackProvider(LoopbackProviderOptions options)
    : options_(std::move(options)), admission_(options_.admission) {}

LoopbackReply LoopbackProvider::answer(const LoopbackRequest& request) {
  const std::string_view path = path_of(request);
  const bool is_post = request.method == "POST";
  if (const Form* form = is_post ? loopback::find_form(path) : nullptr) {
    const std::scoped_lock lock(mutex_);
    LoopbackReply reply = answer_counted(*form, request);
    tally_.count_reply(reply);
    return reply;
  }
  if (request.method == "GET" && path == "/stats")
    return loopback::make_json_reply(200, render_statistics(statistics()));
  if (request.method == "GET" && path == "/requests")
    return loopback::make_json_reply(200, last_bodies(limit_of(request.target)));
  if (request.method == "GET" && path.ends_with("/models"))
    return make_models_reply(options_.models);
  if (is_post && path == "/reset") {
    reset();
    return loopback::make_json_reply(200, Json::object());
  }
  return loopback::make_json_reply(404, {{"error", {{"message", "no such path"}}}});
}

LoopbackReply LoopbackProvider::answer_counted(const Form& form, const LoopbackRequest& request) {
  const std::uint64_t attempt = tally_.count_request(request);
  if (!options_.key.empty() && !has_key(request, options_.key))
    return form.render_failure({401, Cause::Key, "Incorrect API key provided"});
  const Admission::Decision decision = admission_.decide(request, SteadyClock::now());
  if (decision.verdict == Admission::Verdict::Refuse)
    return make_limit_reply(form, decision, options_.admission.retry_after.has_value());
  if (decision.verdict == Admission::Verdict::Fail)
    return form.render_failure({decision.status, Cause::Status, "a fault at random or an outage"});
  if (options_.fail_every > 0 && tally_.statistics().requests % options_.fail_every == 0)
    return form.render_failure({options_.fail_status, Cause::Status, "every n-th request fails"});
  LoopbackReply reply = make_reply(form, request, options_, attempt);
  if (decision.verdict == Admission::Verdict::Close) reply.close_without_answer = true;
  if (decision.verdict == Admission::Verdict::Cut) reply.cut_after_bytes = size_of(reply) / 2;
  return reply;
}

LoopbackHandler LoopbackProvider::handler() {
  return [this](const LoopbackRequest& request) { return answer(request); };
}

LoopbackStatistics LoopbackProvider::statistics() const {
  const std::scoped_lock lock(mutex_);
  LoopbackStatistics statistics = tally_.statistics();
  statistics.tokens = admission_.tokens();
  return statistics;
}

std::vector<std::string> LoopbackProvider::last_bodies(std::size_t limit) const {
  const std::scoped_lock lock(mutex_);
  return tally_.last_bodies(limit);
}

void LoopbackProvider::reset() {
  const std::scoped_lock lock(mutex_);
  tally_ = {};
  admission_ = Admission(options_.admission);
}

}  // namespace personascope::http
