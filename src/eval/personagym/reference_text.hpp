// How the published program reads what its models write, and its arithmetic. Faithful to the last
// digit, faults included: what it does not check is not checked here.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eval/personagym/sheet.hpp"

namespace personascope::eval::personagym {

// The number a judge gave in each "(n) Evaluation:" block of its reply, in the order of the blocks:
// the first that follows "Therefore, the final score is", or 0.
std::vector<double> read_grades(std::string_view reply);

// The examples in the reply of the example call for each of `count` rubrics, rendered as
// `Score N: "response"`. Where the reply does not name its rubrics, all share the whole of it.
std::vector<std::string> read_examples(std::string_view reply, std::size_t count);
// What the published program puts there instead: the n-th character of all examples together.
std::vector<std::string> read_examples_as_published(std::string_view reply, std::size_t count);

// The mean of the numbers that are not 0, and 0 if there are none.
double average_of_read(const std::vector<double>& scores);
// The batch's score: the mean over its judges. Expects one judge at least.
double score_of(const Batch& batch);
// The mean, summed from the left. Expects one value at least.
double plain_mean(std::span<const double> values);

}  // namespace personascope::eval::personagym
