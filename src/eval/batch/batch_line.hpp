// The lines of `batch`: requests in, answers out.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "core/reply.hpp"
#include "core/request.hpp"
#include "eval/input_file.hpp"

namespace personascope::eval::batch {

struct BatchLine {
  std::string id;       // as text
  std::string id_json;  // as it was written: a number stays one
  std::string role;     // "model" unless the line says "user" or "judge"
  core::Request request;
};

// An OpenAI-style chat request with an "id"; or OpenAI's own batch form, {"custom_id", "body"}.
// A line's "model" is left aside: the run's model answers.
Result<BatchLine> parse_batch_line(std::string_view line);

// {"id", "outcome", "text", "model", "usage", "error"} on one line, plus "finish" and "logprobs"
// where there are any.
std::string render_answer_line(const std::string& id_json, const Result<core::Reply>& answer);

// Checks a whole file of requests (see check_input_file); `visit`, if given, sees each line.
Result<InputFile> check_batch_file(const std::string& path,
                                   const std::function<Result<void>(const BatchLine&)>& visit = {});

}  // namespace personascope::eval::batch
