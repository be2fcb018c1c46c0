// The loopback server with its imitated providers as a program, for tests that start processes.
#include <fmt/format.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/text.hpp"
#include "http/loopback_provider.hpp"
#include "http/loopback_server.hpp"

namespace {

namespace http = personascope::http;

struct Arguments {
  http::LoopbackOptions server;
  http::LoopbackProviderOptions provider;
  std::string port_file;
};

// "N:STATUS"; the reason if it is not.
std::string read_fail_every(const std::string& text, http::LoopbackProviderOptions& options) {
  const auto parts = personascope::split(text, ':');
  const auto every = personascope::find_integer_in(parts[0]);
  const auto status = personascope::find_integer_in(parts.back());
  if (parts.size() != 2 || !every || !status || *every < 1 || *status < 400 || *status > 599)
    return "must be N:STATUS, e.g. 10:500";
  options.fail_every = static_cast<std::uint64_t>(*every);
  options.fail_status = static_cast<int>(*status);
  return {};
}

// "AFTER:FOR", in seconds; the reason if it is not.
std::string read_outage(const std::string& text, http::loopback::AdmissionOptions& options) {
  const auto parts = personascope::split(text, ':');
  const auto after = personascope::find_number_in(parts[0]);
  const auto length = personascope::find_number_in(parts.back());
  if (parts.size() != 2 || !after || !length || !(*after >= 0 && *length >= 0 && *length < 1e6))
    return "must be AFTER:FOR in seconds, e.g. 5:20";
  const auto in_ms = [](double in_seconds) {
    return personascope::milliseconds(static_cast<std::int64_t>(in_seconds * 1000));
  };
  options.outage_after = in_ms(*after);
  options.outage_for = in_ms(*length);
  return {};
}

void declare_limits(CLI::App& app, http::loopback::AdmissionOptions& options) {
  app.add_option("--rate-limit", options.rate_limit, "Requests a second, 429 beyond")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--tokens-per-minute", options.tokens_per_minute,
                 "Tokens of prompt and of max_tokens a minute, 429 beyond")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--burst", options.burst_seconds,
                 "Seconds' worth of the rates that may come at once")
      ->check(CLI::PositiveNumber);
  app.add_option("--concurrency-limit", options.concurrency_limit, "In flight, 429 beyond");
  app.add_option("--retry-after", options.retry_after, "Seconds that every 429 asks to wait")
      ->check(CLI::Range(0, 1'000'000));
  app.add_option("--fail-share", options.fail_share, "Share of requests that get a 500")
      ->check(CLI::Range(0.0, 1.0));
  app.add_option("--cut-share", options.cut_share, "Share of answers that break off half-way")
      ->check(CLI::Range(0.0, 1.0));
  app.add_option_function<std::string>(
      "--outage",
      [&](const std::string& text) {
        const std::string reason = read_outage(text, options);
        if (!reason.empty()) throw CLI::ValidationError("--outage", reason);
      },
      "AFTER:FOR seconds: from then on, for so long, every request gets a 503");
  app.add_option("--outage-status", options.outage_status, "Status in an outage; 0: no answer")
      ->check(CLI::Range(0, 599));
}

void declare(CLI::App& app, Arguments& arguments) {
  http::LoopbackProviderOptions& provider = arguments.provider;
  app.add_option("--port", arguments.server.port, "Port to listen on; 0 for any");
  app.add_option("--port-file", arguments.port_file, "File to write the port to, once it listens");
  app.add_option_function<std::int64_t>(
         "--latency-ms",
         [&](std::int64_t ms) { provider.latency = personascope::milliseconds(ms); },
         "Latency of every completion")
      ->check(CLI::Range(0, 3'600'000));
  app.add_option_function<std::string>(
      "--fail-every",
      [&](const std::string& text) {
        const std::string reason = read_fail_every(text, provider);
        if (!reason.empty()) throw CLI::ValidationError("--fail-every", reason);
      },
      "N:STATUS: every N-th request gets that status");
  declare_limits(app, provider.admission);
  app.add_option("--key", provider.key, "Key that every request must carry");
  app.add_option("--model", provider.models, "Known model; may be given again");
}

// Whole or not at all: who waits for the file must not read half a number.
bool write_port(const std::string& path, unsigned port) {
  const std::string temporary = path + ".part";
  std::ofstream(temporary) << port << '\n';
  std::error_code error;
  std::filesystem::rename(temporary, path, error);
  return !error;
}

}  // namespace

int main(int count, char** words) {
  CLI::App app("HTTP server on 127.0.0.1 that imitates model providers and their faults");
  Arguments arguments;
  declare(app, arguments);
  CLI11_PARSE(app, count, words);

  // Blocked before the server's thread starts, which inherits it: only sigwait sees them.
  sigset_t quitting;
  sigemptyset(&quitting);
  sigaddset(&quitting, SIGTERM);
  sigaddset(&quitting, SIGINT);
  pthread_sigmask(SIG_BLOCK, &quitting, nullptr);

  http::LoopbackProvider provider(arguments.provider);
  auto server = http::LoopbackServer::start(provider.handler(), arguments.server);
  if (!server) {
    fmt::print(stderr, "personascope_loopback: {}\n", server.error().message);
    return 1;
  }
  fmt::print("{}\n", server->base_url());
  std::fflush(stdout);
  if (!arguments.port_file.empty() && !write_port(arguments.port_file, server->port())) {
    fmt::print(stderr, "personascope_loopback: cannot write {}\n", arguments.port_file);
    return 1;
  }
  int signal = 0;
  sigwait(&quitting, &signal);
  return 0;
}
