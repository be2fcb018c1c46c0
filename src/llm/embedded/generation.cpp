#include "llm/embedded/generation.hpp"

#include <algorithm>
#include <cmath>

#include "llm/embedded/exponentials.hpp"

namespace personascope::llm::embedded {

Generation::Generation(std::shared_ptr<Job> job, const Vocabulary& vocabulary, AnswerRoom room,
                       std::optional<TokenSampler> sampler)
    : job_(std::move(job)),
      vocabulary_(vocabulary),
      sampler_(std::move(sampler)),
      stream_(job_->sampling.stop),
      room_(std::move(room)) {
  reply_.usage.input_tokens = static_cast<std::int64_t>(job_->tokens.size());
  reply_.usage.output_tokens = 0;
}

Result<std::unique_ptr<Generation>> Generation::create(std::shared_ptr<Job> job,
                                                       const Vocabulary& vocabulary,
                                                       AnswerRoom room) {
  std::optional<TokenSampler> sampler;
  if (!job->scored_from && job->labels.empty()) {
    ASSIGN_OR_RETURN(auto made,
                     TokenSampler::create(vocabulary, job->sampling, job->seed, job->grammar));
    sampler = std::move(made);
  }
  return std::unique_ptr<Generation>(
      new Generation(std::move(job), vocabulary, std::move(room), std::move(sampler)));
}

void Generation::begin_at(PrefixCache::Place where) {
  place = where;
  computed_ = where.known;
  reply_.usage.cached_input_tokens = where.known;
}

std::span<const Token> Generation::next() const {
  const auto computed = static_cast<std::size_t>(computed_);
  // The last token of a scored text is read, never computed.
  const std::size_t end = job_->tokens.size() - (job_->scored_from ? 1 : 0);
  if (computed < end) return std::span(job_->tokens).subspan(computed, end - computed);
  return answer_.empty() ? std::span<const Token>() : std::span(answer_).last(1);
}

bool Generation::wants_logits(int position) const {
  const auto index = static_cast<std::size_t>(position) + 1;
  return index >= job_->scored_from.value_or(job_->tokens.size());
}

void Generation::take(std::span<const float> logits) {
  if (result_) return;
  if (!are_finite(logits))
    result_ = fail(ErrorKind::Internal,
                   "the model's results are not numbers, so its file may be damaged: compare its "
                   "SHA-256, or fetch it again");
  else if (job_->scored_from)
    take_score(logits);
  else if (!job_->labels.empty())
    take_labels(logits);
  else
    take_token(logits);
}

void Generation::take_score(std::span<const float> logits) {
  const std::size_t index = *job_->scored_from + reply_.logprobs.size();
  reply_.logprobs.push_back(
      read_logprobs(vocabulary_, logits, job_->tokens[index], job_->top_logprobs));
  if (index + 1 == job_->tokens.size()) result_ = std::move(reply_);
}

void Generation::take_labels(std::span<const float> logits) {
  const double all = log_sum_exp(logits);
  for (const std::vector<Token>& label : job_->labels) {
    double probability = 0;
    for (const Token token : label)
      probability += std::exp(logits[static_cast<std::size_t>(token)] - all);
    reply_.choices.push_back({"", std::log(probability)});
  }
  result_ = std::move(reply_);
}

void Generation::take_token(std::span<const float> logits) {
  auto token = sampler_->choose(logits);
  if (!token) {
    result_ = std::unexpected(std::move(token).error());
    return;
  }
  if (vocabulary_.ends_answer(*token)) return end(core::FinishReason::Stop);
  answer_.push_back(*token);
  if (job_->top_logprobs > 0)
    reply_.logprobs.push_back(read_logprobs(vocabulary_, logits, *token, job_->top_logprobs));
  const std::string text = stream_.add(vocabulary_.piece(*token));
  if (!text.empty() && job_->on_text) job_->on_text(text);
  reply_.text += text;
  if (stream_.is_stopped()) return end(core::FinishReason::Stop);
  if (static_cast<int>(answer_.size()) < room_.most) return;
  if (room_.shortage.empty()) return end(core::FinishReason::Length);
  result_ = fail(ErrorKind::ContextTooLong, "{}", room_.shortage);
}

void Generation::end(core::FinishReason reason) {
  const std::string rest = stream_.finish();
  if (!rest.empty() && job_->on_text) job_->on_text(rest);
  reply_.text += rest;
  reply_.finish = reason;
  reply_.usage.output_tokens = static_cast<std::int64_t>(answer_.size());
  result_ = std::move(reply_);
}

void Generation::finish() {
  const bool is_cut = stream_.is_stopped();
  job_->done(std::move(*result_), is_cut ? std::vector<Token>() : std::move(answer_));
}

void Generation::finish_with(Error error) {
  result_ = std::unexpected(std::move(error));
  finish();
}

}  // namespace personascope::llm::embedded
