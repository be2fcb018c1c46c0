// Leads many dialogues with a model at once, without limits, retries and journal:
// perf_dialogues MODEL FILE [BASE_URL PID], where PID is the server's.
//
// A line of FILE is {"messages": [...], "users": ["...", ...], ...}: a chat request as `batch`
// takes it, and what the user says turn by turn; each turn's messages hold the answers before it.
// Prints one JSON object: seconds, seconds of CPU (the server's, if there is one), and every answer
// with its tokens.
#include <fmt/format.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/json.hpp"
#include "files/environment.hpp"
#include "files/line_reader.hpp"
#include "llm/model_registry.hpp"
#include "sched/loop.hpp"

namespace {

using namespace personascope;

struct Dialogue {
  core::Request request;
  std::vector<std::string> users;
  Json answers = Json::array();
};

Result<std::deque<Dialogue>> load_dialogues(const std::string& path) {
  ASSIGN_OR_RETURN(auto reader, files::LineReader::open(path));
  std::deque<Dialogue> dialogues;
  for (;;) {
    ASSIGN_OR_RETURN(const auto line, reader.next());
    if (!line) return dialogues;
    ASSIGN_OR_RETURN(const Json value, parse_json(*line));
    Dialogue& dialogue = dialogues.emplace_back();
    ASSIGN_OR_RETURN(dialogue.request, core::parse_request(value, {"id", "users"}));
    if (const Json* users = find_member(value, "users"))
      for (const Json& user : *users) dialogue.users.push_back(user.get<std::string>());
  }
}

double seconds_since(TimePoint start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

double cpu_seconds(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

Json render_turn(const core::Reply& reply, double seconds) {
  return {{"text", reply.text},
          {"finish", core::name_of(reply.finish)},
          {"input", reply.usage.input_tokens.value_or(0)},
          {"cached", reply.usage.cached_input_tokens.value_or(0)},
          {"output", reply.usage.output_tokens.value_or(0)},
          {"seconds", seconds}};
}

Task<void> lead(llm::Model& model, Dialogue& dialogue, Result<void>& state) {
  for (const std::string& user : dialogue.users) {
    dialogue.request.messages.push_back({core::Role::User, user});
    const TimePoint start = SteadyClock::now();
    llm::Attempt attempt = co_await model.ask(dialogue.request, llm::Delivery());
    if (!attempt.reply) {
      state = std::unexpected(attempt.reply.error());
      co_return;
    }
    dialogue.answers.push_back(render_turn(*attempt.reply, seconds_since(start)));
    dialogue.request.messages.push_back({core::Role::Assistant, attempt.reply->text});
  }
}

// Seconds until a request is answered, and until the first piece of its text.
struct Delay {
  double whole = 0;
  double first = 0;
};

Task<Result<Delay>> time_one(llm::Model& model, std::string prompt, std::int64_t tokens) {
  core::Request request;
  request.messages.push_back({core::Role::User, std::move(prompt)});
  request.sampling.temperature = 0;
  request.sampling.max_tokens = tokens;
  Delay delay;
  const TimePoint start = SteadyClock::now();
  llm::Delivery delivery;
  delivery.on_text = [&](std::string_view) {
    if (delay.first == 0) delay.first = seconds_since(start);
  };
  llm::Attempt attempt = co_await model.ask(request, std::move(delivery));
  if (!attempt.reply) co_return std::unexpected(attempt.reply.error());
  delay.whole = seconds_since(start);
  co_return delay;
}

// So many tokens that computing them takes longer than all else that happens before the first word.
std::string make_long_prompt() {
  std::string prompt = "Sum up this list.";
  for (int i = 0; i < 60; ++i) prompt += fmt::format(" Item {} is red.", i);
  return prompt;
}

Result<Json> run(const std::string& name, const std::string& path, const std::string& base_url,
                 pid_t server) {
  ASSIGN_OR_RETURN(auto dialogues, load_dialogues(path));
  ASSIGN_OR_RETURN(const auto environment, files::Environment::load("."));
  sched::Loop loop;
  http::Client client(loop);
  llm::ModelOptions options;
  if (!base_url.empty()) options.base_url = base_url;
  ASSIGN_OR_RETURN(const auto model,
                   llm::ModelRegistry::make_default().make(name, {options, environment, client}));
  ASSIGN_OR_RETURN(const Delay load, sched::run_to_end(loop, time_one(*model, "Hello", 1)));
  loop.context().restart();
  ASSIGN_OR_RETURN(const Delay prompt,
                   sched::run_to_end(loop, time_one(*model, make_long_prompt(), 4)));
  loop.context().restart();

  Result<void> state;
  const double cpu_before = cpu_seconds(server);
  const TimePoint start = SteadyClock::now();
  for (Dialogue& dialogue : dialogues) loop.spawn(lead(*model, dialogue, state));
  loop.run();
  const double seconds = seconds_since(start);
  const double cpu = cpu_seconds(server) - cpu_before;
  RETURN_IF_ERROR(state);
  Json answers = Json::array();
  for (const Dialogue& dialogue : dialogues) answers.push_back(dialogue.answers);
  return Json{{"seconds", seconds},
              {"cpu_seconds", cpu},
              {"first_answer_seconds", load.whole},
              {"first_token_seconds", prompt.first},
              {"dialogues", std::move(answers)}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 5) {
    fmt::print(stderr, "perf_dialogues MODEL FILE [BASE_URL PID]\n");
    return 2;
  }
  const auto result =
      run(argv[1], argv[2], argc == 5 ? argv[3] : "", argc == 5 ? std::atoi(argv[4]) : 0);
  if (!result) {
    fmt::print(stderr, "perf_dialogues: {}\n", result.error().message);
    return 1;
  }
  fmt::print("{}\n", render_json(*result));
  return 0;
}
