#include "llm/embedded/embedded_model.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/hash.hpp"
#include "files/text_file.hpp"
#include "llm/embedded/real_model.hpp"
#include "llm/json_schema.hpp"

namespace personascope::llm {
namespace {

using core::Role;

core::Request make_request(const std::string& text, std::int64_t max_tokens = 12) {
  core::Request request;
  request.messages = {{Role::User, text}};
  request.sampling.temperature = 0;
  request.sampling.max_tokens = max_tokens;
  return request;
}

// The real model on the real weights.
class EmbeddedModel : public testing::Test {
 protected:
  Model& model(const EmbeddedOptions& options = {}) {
    if (!model_)
      model_ = make_embedded_model(std::string(embedded::kDefaultModel), options,
                                   files::Environment({}), loop_)
                   .value();
    return *model_;
  }

  Result<core::Reply> ask(const core::Request& request, Delivery delivery = {}) {
    return std::move(ask_all({request}, {std::move(delivery)}).front());
  }

  // All at once.
  std::vector<Result<core::Reply>> ask_all(const std::vector<core::Request>& requests,
                                           std::vector<Delivery> deliveries = {}) {
    deliveries.resize(requests.size());
    std::vector<Result<core::Reply>> replies(requests.size());
    const auto run = [](Model& asked, const core::Request& request, Delivery how,
                        Result<core::Reply>& out) -> Task<void> {
      Attempt attempt = co_await asked.ask(request, std::move(how));
      out = std::move(attempt.reply);
    };
    Model& asked = model();
    for (std::size_t i = 0; i < requests.size(); ++i)
      loop_.spawn(run(asked, requests[i], std::move(deliveries[i]), replies[i]));
    loop_.run();
    return replies;
  }

  sched::Loop loop_;
  std::unique_ptr<Model> model_;
};

TEST_F(EmbeddedModel, AnswersAndCounts) {
  const auto reply = ask(make_request("What is the capital of France?", 6));
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_NE(reply->text.find("Paris"), std::string::npos) << reply->text;
  EXPECT_EQ(reply->finish, core::FinishReason::Length);
  EXPECT_EQ(reply->usage.output_tokens, 6);
  EXPECT_GT(reply->usage.input_tokens, 6);
  EXPECT_TRUE(reply->model.starts_with("smollm2-135m Q8_0 sha256:")) << reply->model;
}

TEST_F(EmbeddedModel, TheKeyNamesTheWeights) {
  EXPECT_EQ(model().endpoint().weights,
            render_hex(sha256(files::load_text(embedded::real_model_path(), 1u << 30).value())));
}

TEST_F(EmbeddedModel, OneAtATimeTheSameSeedRepeatsTheText) {
  model({.parallel = 1});
  core::Request request = make_request("Tell me a story about a fox.", 40);
  request.sampling.temperature = 1;
  request.sampling.seed = 11;
  const auto first = ask(request);
  EXPECT_TRUE(ask(make_request("Something else in between.")));
  EXPECT_EQ(ask(request)->text, first->text);
  request.sampling.seed = 12;
  EXPECT_NE(ask(request)->text, first->text);
}

TEST_F(EmbeddedModel, WithoutASeedTheCallsOwnDecides) {
  model({.parallel = 1});
  core::Request request = make_request("Tell me a story about a fox.", 40);
  request.sampling.temperature = 1;
  const auto draw = [&](std::uint64_t seed) {
    Delivery delivery;
    delivery.seed = seed;
    return ask(request, std::move(delivery))->text;
  };
  EXPECT_EQ(draw(1), draw(1));
  EXPECT_NE(draw(1), draw(2));
}

TEST_F(EmbeddedModel, ManyAtOnceEachGetTheirOwnAnswer) {
  const std::vector<std::pair<std::string, std::string>> countries = {
      {"France", "Paris"}, {"Japan", "Tokyo"}, {"Italy", "Rome"}, {"Egypt", "Cairo"}};
  std::vector<core::Request> requests;
  for (int i = 0; i < 40; ++i)
    requests.push_back(make_request("What is the capital of " +
                                    countries[static_cast<std::size_t>(i) % 4].first + "?"));
  const auto replies = ask_all(requests);
  int right = 0;
  for (std::size_t i = 0; i < replies.size(); ++i) {
    ASSERT_TRUE(replies[i]) << replies[i].error().message;
    for (std::size_t country = 0; country < 4; ++country) {
      const bool is_named = replies[i]->text.find(countries[country].second) != std::string::npos;
      EXPECT_TRUE(country == i % 4 || !is_named) << "the answer to another: " << replies[i]->text;
      right += country == i % 4 && is_named;
    }
  }
  EXPECT_GE(right, 20) << "it knows most of them";
}

TEST_F(EmbeddedModel, ASharedBeginningIsComputedOnce) {
  const std::string rubric(1200, 'r');
  std::vector<core::Request> requests;
  for (int i = 0; i < 6; ++i) {
    requests.push_back(make_request("Question " + std::to_string(i), 2));
    requests.back().messages.insert(requests.back().messages.begin(), {Role::System, rubric});
  }
  const auto replies = ask_all(requests);
  int known = 0;
  for (const auto& reply : replies) {
    ASSERT_TRUE(reply) << reply.error().message;
    known += reply->usage.cached_input_tokens.value() > 100;
  }
  EXPECT_EQ(known, 5) << "all but the first";
}

TEST_F(EmbeddedModel, ADialogueNeverComputesItsPastAgain) {
  core::Request request = make_request("Tell me about foxes.", 30);
  request.sampling.temperature = 1;
  request.sampling.seed = 3;
  for (int turn = 0; turn < 4; ++turn) {
    const auto reply = ask(request);
    ASSERT_TRUE(reply);
    const std::int64_t past = *reply->usage.input_tokens + *reply->usage.output_tokens;
    request.messages.push_back({Role::Assistant, reply->text});
    request.messages.push_back({Role::User, "And then?"});
    const auto next = ask(request);
    ASSERT_TRUE(next);
    EXPECT_GE(*next->usage.cached_input_tokens, past - 2) << "turn " << turn;
  }
}

TEST_F(EmbeddedModel, ASharedBeginningDoesNotChangeTheAnswer) {
  const core::Request request = make_request("Name three colours of the rainbow.", 10);
  const auto alone = ask(request);
  std::vector<core::Request> crowd(8, make_request("Name three colours of the sky.", 10));
  crowd.push_back(request);
  EXPECT_EQ(ask_all(crowd).back()->text.substr(0, 10), alone->text.substr(0, 10));
}

TEST_F(EmbeddedModel, HoldsAnAnswerToItsSchema) {
  const Json schema = *parse_json(R"({"type": "object",
      "properties": {"reason": {"type": "string", "maxLength": 40},
                     "score": {"type": "integer", "minimum": 1, "maximum": 5}},
      "required": ["reason", "score"]})");
  std::vector<core::Request> requests;
  for (int i = 0; i < 5; ++i) {
    requests.push_back(make_request("Rate this answer: I am a fish.", 120));
    requests.back().sampling.temperature = 1.5;
    requests.back().sampling.seed = i;
    requests.back().output = core::OutputSchema{"verdict", schema};
  }
  for (const auto& reply : ask_all(requests)) {
    ASSERT_TRUE(reply) << reply.error().message;
    const auto value = parse_json(reply->text);
    ASSERT_TRUE(value) << reply->text;
    EXPECT_TRUE(check_schema(schema, *value)) << reply->text;
    EXPECT_LT(reply->text.find("reason"), reply->text.find("score"));
  }
}

TEST_F(EmbeddedModel, ASchemaNothingCanSatisfyIsTheRequestsFault) {
  core::Request request = make_request("Hi");
  request.output = core::OutputSchema{"never", {{"enum", Json::array()}}};
  const auto reply = ask(request);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, ErrorKind::Invalid);
}

TEST_F(EmbeddedModel, ReadsHowLikelyLabelsAre) {
  core::Request request = make_request("Is the sky blue? Answer Yes or No.");
  request.choices = {"Yes", "No"};
  const auto reply = ask(request);
  ASSERT_TRUE(reply) << reply.error().message;
  ASSERT_EQ(reply->choices.size(), 2u);
  double mass = 0;
  for (const core::TokenChoice& choice : reply->choices) mass += std::exp(choice.logprob);
  EXPECT_GT(mass, 0.1);
  EXPECT_LE(mass, 1 + 1e-6);
  EXPECT_EQ(reply->usage.output_tokens, 0);
  EXPECT_TRUE(reply->text == "Yes" || reply->text == "No");
}

TEST_F(EmbeddedModel, TheLabelsProbabilityIsThatOfTheFirstTokensDrawn) {
  core::Request request = make_request("Pick a number from 1 to 3.", 1);
  request.top_logprobs = 20;
  const auto drawn = ask(request);
  core::Request reading = make_request("Pick a number from 1 to 3.");
  const std::string first = drawn->logprobs.front().chosen.token;
  reading.choices = {first, "%"};
  const auto read = ask(reading);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_GE(read->choices[0].logprob, drawn->logprobs.front().chosen.logprob - 0.05)
      << "its variants are summed, so it is no less";
}

TEST_F(EmbeddedModel, LabelsThatBeginAlikeAreRefused) {
  core::Request request = make_request("Rate it from 1 to 10.");
  request.choices = {"1", "10"};
  const auto reply = ask(request);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, ErrorKind::Invalid);
  EXPECT_NE(reply.error().message.find("begin with the same token"), std::string::npos);
}

TEST_F(EmbeddedModel, ReadsHowLikelyATextIs) {
  const auto likelihood = [&](const std::string& text) {
    core::Request request = make_request("What is the capital of France?");
    request.continuation = text;
    const auto reply = ask(request);
    EXPECT_TRUE(reply) << reply.error().message;
    double sum = 0;
    std::string joined;
    for (const core::TokenLogprobs& token : reply->logprobs) {
      sum += token.chosen.logprob;
      joined += token.chosen.token;
    }
    EXPECT_EQ(joined, text);
    return sum;
  };
  EXPECT_GT(likelihood("The capital of France is Paris."),
            likelihood("The capital of France is Toulouse.") + 3);
  EXPECT_LT(likelihood("a"), 0);
}

TEST_F(EmbeddedModel, TheLikelihoodIsThatOfGenerating) {
  core::Request request = make_request("What is the capital of France?", 6);
  request.top_logprobs = 1;
  const auto generated = ask(request);
  request.continuation = generated->text;
  const auto read = ask(request);
  ASSERT_EQ(read->logprobs.size(), generated->logprobs.size());
  for (std::size_t i = 0; i < read->logprobs.size(); ++i)
    EXPECT_NEAR(read->logprobs[i].chosen.logprob, generated->logprobs[i].chosen.logprob, 0.05);
}

TEST_F(EmbeddedModel, ManyContinuationsOfOnePromptShareIt) {
  std::vector<core::Request> requests;
  for (int i = 0; i < 8; ++i) {
    requests.push_back(make_request("A persona of some length: " + std::string(400, 'p')));
    requests.back().continuation = "Answer number " + std::to_string(i) + std::string(90, 'x');
  }
  int known = 0;
  for (const auto& reply : ask_all(requests)) {
    ASSERT_TRUE(reply) << reply.error().message;
    known += reply->usage.cached_input_tokens.value() > 50;
  }
  EXPECT_EQ(known, 7);
}

TEST_F(EmbeddedModel, StopsAtAStopString) {
  core::Request request = make_request("What is the capital of France?", 30);
  request.sampling.stop = {"France"};
  const auto reply = ask(request);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->text.find("France"), std::string::npos);
  EXPECT_EQ(reply->finish, core::FinishReason::Stop);
}

TEST_F(EmbeddedModel, StreamsTheTextItReturns) {
  std::string streamed;
  int pieces = 0;
  Delivery delivery;
  delivery.on_text = [&](std::string_view text) {
    streamed += text;
    ++pieces;
  };
  const auto reply = ask(make_request("Count to ten.", 20), std::move(delivery));
  EXPECT_EQ(streamed, reply->text);
  EXPECT_GT(pieces, 5);
}

TEST_F(EmbeddedModel, GivesLogprobs) {
  core::Request request = make_request("Hello", 3);
  request.top_logprobs = 4;
  const auto reply = ask(request);
  ASSERT_EQ(reply->logprobs.size(), 3u);
  for (const core::TokenLogprobs& token : reply->logprobs) {
    ASSERT_EQ(token.top.size(), 4u);
    EXPECT_EQ(token.chosen.token, token.top.front().token) << "at temperature 0";
    EXPECT_GE(token.top[0].logprob, token.top[1].logprob);
  }
}

TEST_F(EmbeddedModel, APromptThatDoesNotFitIsAnOutcome) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "word ";
  const auto replies = ask_all({make_request(text), make_request("Hello")});
  ASSERT_FALSE(replies[0]);
  EXPECT_EQ(replies[0].error().kind, ErrorKind::ContextTooLong);
  EXPECT_NE(replies[0].error().message.find("tokens; at most 8191 are possible"), std::string::npos)
      << replies[0].error().message;
  EXPECT_TRUE(replies[1]);
}

TEST_F(EmbeddedModel, LongAndShortRequestsFinishSideBySide) {
  std::vector<core::Request> requests;
  for (int i = 0; i < 30; ++i) {
    const bool is_long = i % 10 == 3;
    requests.push_back(make_request("Say " + std::to_string(i), 4));
    if (is_long) requests.back().messages.front().content += std::string(4000, 'l');
  }
  for (const auto& reply : ask_all(requests)) EXPECT_TRUE(reply) << reply.error().message;
}

TEST_F(EmbeddedModel, SurvivesOddPrompts) {
  std::vector<core::Request> requests;
  for (const std::string& text :
       {std::string(), std::string("\xFF\xFE"), std::string("\0", 1), std::string("<|im_end|>")})
    requests.push_back(make_request(text, 2));
  for (const auto& reply : ask_all(requests)) EXPECT_TRUE(reply) << reply.error().message;
}

TEST_F(EmbeddedModel, WorksInLittleMemory) {
  model({.memory_mb = 24, .parallel = 8});
  std::vector<core::Request> requests;
  for (int i = 0; i < 12; ++i)
    requests.push_back(make_request("Number " + std::to_string(i) + std::string(300, 'z'), 20));
  for (const auto& reply : ask_all(requests)) EXPECT_TRUE(reply) << reply.error().message;
}

TEST_F(EmbeddedModel, ManyShortRequestsAndALongOneTakeTurns) {
  model({.memory_mb = 64, .parallel = 8});  // two sequences of 1,024 tokens, or five of 512
  std::vector<core::Request> many;
  for (int i = 0; i < 8; ++i) many.push_back(make_request("Number " + std::to_string(i), 4));
  core::Request longer = make_request("And then", 4);
  for (int i = 0; i < 300; ++i) longer.messages.back().content += " and then";
  for (int round = 0; round < 2; ++round) {
    for (const auto& reply : ask_all(many)) EXPECT_TRUE(reply) << reply.error().message;
    const auto reply = ask(longer);
    ASSERT_TRUE(reply) << reply.error().message;
    EXPECT_GT(reply->usage.input_tokens, 512);
  }
}

TEST_F(EmbeddedModel, TooLittleMemoryIsSaidWithTheRemedy) {
  model({.memory_mb = 1});
  const auto reply = ask(make_request("Hi"));
  ASSERT_FALSE(reply);
  EXPECT_NE(reply.error().message.find("set `embedded_memory` to at least"), std::string::npos);
}

TEST_F(EmbeddedModel, ACancelledRequestEndsSoon) {
  sched::Cancel cancel;
  Delivery delivery;
  delivery.cancel = &cancel;
  const TimePoint start = SteadyClock::now();
  delivery.on_text = [&](std::string_view) { cancel.request(); };
  const auto reply = ask(make_request("Tell me a very long story.", 4000), std::move(delivery));
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, ErrorKind::Cancelled);
  EXPECT_LT(SteadyClock::now() - start, seconds(20)) << "4,000 tokens would take longer";
}

TEST_F(EmbeddedModel, ARequestThatTakesTooLongIsATimeout) {
  Delivery delivery;
  delivery.time_left = milliseconds(1);
  const auto reply = ask(make_request("Tell me a very long story.", 4000), std::move(delivery));
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, ErrorKind::Timeout);
}

TEST_F(EmbeddedModel, CanBeClosedInTheMiddle) {
  sched::Cancel cancel;
  const auto run = [](Model& asked, core::Request request) -> Task<void> {
    const Attempt ignored = co_await asked.ask(request, {});
  };
  loop_.spawn(run(model(), make_request("Tell me a very long story.", 4000)));
  loop_.post([this] { loop_.context().stop(); });
  loop_.run();
  model_.reset();
}

}  // namespace
}  // namespace personascope::llm
