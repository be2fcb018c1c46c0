#include "llm/embedded/embedded_model.hpp"

#include <algorithm>
#include <utility>

#include "llm/embedded/batcher.hpp"
#include "llm/embedded/grammar.hpp"
#include "llm/embedded/job.hpp"
#include "llm/embedded/vocabulary.hpp"
#include "llm/embedded/weights.hpp"
#include "sched/signal.hpp"

namespace personascope::llm {
namespace {

using embedded::Batcher;
using embedded::Job;
using embedded::Token;
using embedded::Vocabulary;

// So many requests are let in for each that runs: the more there are to choose from, the more find
// another with the same beginning.
constexpr int kWaitingPerSlot = 4;

class EmbeddedModel : public Model {
 public:
  EmbeddedModel(Endpoint endpoint, embedded::ModelPtr model, std::string kernels,
                const embedded::BatcherOptions& options, sched::Loop& loop)
      : endpoint_(std::move(endpoint)),
        vocabulary_(std::move(model)),
        identity_(fmt::format("{} {} sha256:{}", endpoint_.model,
                              embedded::quantization_of(vocabulary_.model()),
                              endpoint_.weights.substr(0, 12))),
        kernels_(std::move(kernels)),
        options_(options),
        loop_(loop),
        batcher_(options, vocabulary_) {}

  const Endpoint& endpoint() const override { return endpoint_; }
  Features features() const override {
    return {.output_schema = true,
            .logprobs = true,
            .choices = true,
            .likelihood = true,
            .local_slots = options_.parallel == 1 ? 1 : kWaitingPerSlot * options_.parallel};
  }

  Json describe() const override {
    return {{"file", options_.path},
            {"sha256", endpoint_.weights},
            {"quantization", embedded::quantization_of(vocabulary_.model())},
            {"kernels", kernels_},
            {"memory_mb", options_.memory_mb},
            {"parallel", options_.parallel}};
  }

  Task<Attempt> ask(const core::Request& request, Delivery delivery) override {
    if (delivery.cancel && delivery.cancel->requested())
      co_return Attempt{fail(ErrorKind::Cancelled, "cancelled before it was started"), {}};
    auto job = make_job(request, delivery);
    if (!job) co_return Attempt{std::unexpected(std::move(job).error()), {}};
    // Shared: what the batcher posts may arrive after the loop has dropped this coroutine.
    const auto answer = std::make_shared<Answer>(loop_);
    answer->on_text = std::move(delivery.on_text);
    listen(**job, answer);
    if (delivery.cancel)
      delivery.cancel->on_request([this, cancelled = *job] {
        cancelled->is_cancelled = true;
        batcher_.wake();
      });
    batcher_.submit(*job);
    co_await answer->done.wait();
    if (delivery.cancel) delivery.cancel->on_request(nullptr);
    if (answer->reply) finish(*answer->reply, request, answer->tokens);
    co_return Attempt{std::move(answer->reply), {}};
  }

 private:
  struct Answer {
    explicit Answer(sched::Loop& loop) : done(loop) {}
    sched::Signal done;
    std::function<void(std::string_view)> on_text;
    Result<core::Reply> reply;
    std::vector<Token> tokens;
  };

  Result<std::shared_ptr<Job>> make_job(const core::Request& request, const Delivery& delivery) {
    std::size_t bytes = request.continuation ? request.continuation->size() : 0;
    for (const core::Message& message : request.messages) bytes += message.content.size();
    RETURN_IF_ERROR(vocabulary_.check_length(bytes));
    auto job = std::make_shared<Job>();
    ASSIGN_OR_RETURN(job->tokens, vocabulary_.tokenize_chat(request.messages));
    if (job->tokens.empty())
      return fail(ErrorKind::Invalid, "there is nothing to read in the request");
    if (request.continuation) {
      job->scored_from = job->tokens.size();
      const std::vector<Token> text = vocabulary_.tokenize(*request.continuation);
      if (text.empty()) return fail(ErrorKind::Invalid, "the text to be read has no tokens");
      job->tokens.insert(job->tokens.end(), text.begin(), text.end());
    }
    ASSIGN_OR_RETURN(job->labels, read_labels(request.choices));
    if (request.output) {
      ASSIGN_OR_RETURN(job->grammar, embedded::make_grammar(request.output->schema));
    }
    job->sampling = request.sampling;
    job->seed =
        request.sampling.seed ? static_cast<std::uint64_t>(*request.sampling.seed) : delivery.seed;
    job->top_logprobs = request.top_logprobs;
    if (delivery.time_left < std::chrono::hours(24))
      job->deadline = SteadyClock::now() + delivery.time_left;
    return job;
  }

  // The tokens that begin each label. Fails as Invalid if one could begin two labels.
  Result<std::vector<std::vector<Token>>> read_labels(
      const std::vector<std::string>& labels) const {
    std::vector<std::vector<Token>> read;
    for (const std::string& label : labels) {
      std::vector<Token> first = vocabulary_.first_tokens(label);
      if (first.empty())
        return fail(ErrorKind::Unsupported,
                    "this model has no token that the label \"{}\" could begin with", label);
      for (std::size_t other = 0; other < read.size(); ++other)
        for (const Token token : first)
          if (std::ranges::find(read[other], token) != read[other].end())
            return fail(ErrorKind::Invalid,
                        "the labels \"{}\" and \"{}\" begin with the same token of this model: "
                        "choose labels that differ from the first letter on",
                        labels[other], label);
      read.push_back(std::move(first));
    }
    return read;
  }

  void listen(Job& job, const std::shared_ptr<Answer>& answer) {
    if (answer->on_text)
      job.on_text = [this, answer](std::string_view text) {
        loop_.post([answer, piece = std::string(text)] { answer->on_text(piece); });
      };
    job.done = [this, answer](Result<core::Reply> reply, std::vector<Token> tokens) {
      loop_.post([answer, reply = std::move(reply), tokens = std::move(tokens)]() mutable {
        answer->reply = std::move(reply);
        answer->tokens = std::move(tokens);
        answer->done.set();
      });
    };
  }

  void finish(core::Reply& reply, const core::Request& request, const std::vector<Token>& tokens) {
    reply.model = identity_;
    if (request.continuation) reply.text = *request.continuation;
    for (std::size_t i = 0; i < reply.choices.size(); ++i)
      reply.choices[i].token = request.choices[i];
    if (!reply.choices.empty())
      reply.text = std::ranges::max_element(reply.choices, {}, &core::TokenChoice::logprob)->token;
    // With one at a time nothing is shared, and a text must mean the same tokens in every process.
    if (options_.parallel > 1 && !tokens.empty()) vocabulary_.remember(reply.text, tokens);
  }

  Endpoint endpoint_;
  Vocabulary vocabulary_;
  std::string identity_;  // file, quantization and hash
  std::string kernels_;
  embedded::BatcherOptions options_;
  sched::Loop& loop_;
  Batcher batcher_;  // last: it uses the vocabulary
};

}  // namespace

Result<std::unique_ptr<Model>> make_embedded_model(const std::string& name,
                                                   const EmbeddedOptions& options,
                                                   const files::Environment& environment,
                                                   sched::Loop& loop) {
  ASSIGN_OR_RETURN(const embedded::Weights weights, embedded::find_weights(name, environment));
  ASSIGN_OR_RETURN(auto model, embedded::load_model(weights.path, embedded::Part::Vocabulary));
  ASSIGN_OR_RETURN(std::string kernels, embedded::load_kernels());
  Endpoint endpoint{"embedded", "", weights.name, weights.sha256};
  const embedded::BatcherOptions batcher{
      .path = weights.path, .parallel = options.parallel, .memory_mb = options.memory_mb};
  return std::make_unique<EmbeddedModel>(std::move(endpoint), std::move(model), std::move(kernels),
                                         batcher, loop);
}

}  // namespace personascope::llm
