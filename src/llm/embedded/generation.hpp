// One job under way: which tokens it wants computed next, and what it makes of their logits.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/reply.hpp"
#include "llm/embedded/job.hpp"
#include "llm/embedded/prefix_cache.hpp"
#include "llm/embedded/text_stream.hpp"
#include "llm/embedded/token_sampler.hpp"
#include "llm/embedded/vocabulary.hpp"

namespace personascope::llm::embedded {

struct AnswerRoom {
  int most = 0;          // so many tokens the answer may have
  std::string shortage;  // if that is less than the job allows: what to say of an answer cut there
};

class Generation {
 public:
  // Fails as Invalid on a grammar that cannot be.
  static Result<std::unique_ptr<Generation>> create(std::shared_ptr<Job> job,
                                                    const Vocabulary& vocabulary, AnswerRoom room);

  Job& job() { return *job_; }
  const Job& job() const { return *job_; }

  // Where its tokens are, once it was let in.
  PrefixCache::Place place;

  // The tokens that are left to compute now, from position computed() on.
  std::span<const Token> next() const;
  int computed() const { return computed_; }
  void advance(int count) { computed_ += count; }
  // Whether the logits of the token at this position are wanted.
  bool wants_logits(int position) const;
  bool is_in_prompt() const { return computed_ < static_cast<int>(job_->tokens.size()) - 1; }

  void begin_at(PrefixCache::Place where);
  // Takes the logits of a token that wanted them, in the order of their positions.
  void take(std::span<const float> logits);
  bool is_finished() const { return result_.has_value(); }
  // Hands the result to the job. Once.
  void finish();
  void finish_with(Error error);

 private:
  Generation(std::shared_ptr<Job> job, const Vocabulary& vocabulary, AnswerRoom room,
             std::optional<TokenSampler> sampler);
  void take_score(std::span<const float> logits);
  void take_labels(std::span<const float> logits);
  void take_token(std::span<const float> logits);
  void end(core::FinishReason reason);

  std::shared_ptr<Job> job_;  // shared with whoever may cancel it
  const Vocabulary& vocabulary_;
  std::optional<TokenSampler> sampler_;
  TextStream stream_;
  AnswerRoom room_;
  int computed_ = 0;
  std::vector<Token> answer_;
  core::Reply reply_;
  std::optional<Result<core::Reply>> result_;
};

}  // namespace personascope::llm::embedded
