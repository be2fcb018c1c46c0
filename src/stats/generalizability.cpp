#include "stats/generalizability.hpp"

#include <algorithm>
#include <cmath>

#include "stats/check.hpp"
#include "stats/grouping.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

// One number a model and question: the mean of its draws.
struct QuestionMeans {
  std::vector<std::vector<double>> values;  // a list a model
  std::vector<std::size_t> persona;         // of each question, numbered from 0
  std::size_t personas = 0;
  double draws_per_question = 1;
  std::optional<double> draw;  // variance of the draws of one answer
};

QuestionMeans average_draws(const std::vector<std::vector<double>>& scores,
                            std::span<const std::size_t> personas,
                            std::span<const std::size_t> questions) {
  const Grouping by_persona = make_grouping(personas);
  const Grouping by_question = make_intersection(by_persona, make_grouping(questions));
  const auto rows = rows_by_cluster(by_question);
  QuestionMeans means;
  means.personas = by_persona.count;
  means.draws_per_question = real(personas.size()) / real(rows.size());
  Sum squares;
  std::size_t freedom = 0;
  for (const auto& own : rows) means.persona.push_back(by_persona.of_row[own.front()]);
  for (const std::vector<double>& model : scores) {
    std::vector<double> values;
    for (const auto& own : rows) {
      Sum sum;
      for (const std::size_t row : own) sum.add(model[row]);
      const double mean = sum.value() / real(own.size());
      for (const std::size_t row : own) squares.add((model[row] - mean) * (model[row] - mean));
      freedom += own.size() - 1;
      values.push_back(mean);
    }
    means.values.push_back(std::move(values));
  }
  if (freedom > 0) means.draw = squares.value() / real(freedom);
  return means;
}

// What is left of each number when its question's and its model's mean are taken away.
std::vector<std::vector<double>> take_away_means(const std::vector<std::vector<double>>& values) {
  auto rest = values;
  const std::size_t models = values.size();
  for (std::size_t q = 0; q < values.front().size(); ++q) {
    Sum sum;
    for (std::size_t m = 0; m < models; ++m) sum.add(values[m][q]);
    for (std::size_t m = 0; m < models; ++m) rest[m][q] -= sum.value() / real(models);
  }
  for (std::vector<double>& own : rest) {
    const double mean = mean_of(own);
    for (double& value : own) value -= mean;
  }
  return rest;
}

Result<void> check_shape(const std::vector<std::vector<double>>& scores, std::size_t rows) {
  if (scores.size() < 2)
    return fail(ErrorKind::Invalid, "one model cannot be ranked: at least 2 are needed");
  for (const std::vector<double>& model : scores) {
    RETURN_IF_ERROR(check_values(model, "scores"));
    RETURN_IF_ERROR(check_same_size(model.size(), rows, "scores and keys"));
  }
  return {};
}

}  // namespace

Result<RankingComponents> ranking_components(const std::vector<std::vector<double>>& scores,
                                             std::span<const std::size_t> personas,
                                             std::span<const std::size_t> questions) {
  RETURN_IF_ERROR(check_same_size(personas.size(), questions.size(), "keys"));
  RETURN_IF_ERROR(check_shape(scores, personas.size()));
  const QuestionMeans means = average_draws(scores, personas, questions);
  if (means.personas < 2)
    return fail(ErrorKind::Invalid, "one persona does not show how personas matter");
  const std::size_t count = means.persona.size();  // of questions
  std::vector<std::size_t> sizes(means.personas);
  for (const std::size_t persona : means.persona) ++sizes[persona];
  Sum squared_sizes;
  for (const std::size_t size : sizes) squared_sizes.add(real(size) * real(size));
  Sum within, between;
  for (const std::vector<double>& own : take_away_means(means.values)) {
    std::vector<double> sums(means.personas);
    for (std::size_t q = 0; q < count; ++q) sums[means.persona[q]] += own[q];
    for (std::size_t q = 0; q < count; ++q) {
      const double rest = own[q] - sums[means.persona[q]] / real(sizes[means.persona[q]]);
      within.add(rest * rest);
    }
    for (std::size_t p = 0; p < means.personas; ++p)
      between.add(sums[p] * sums[p] / real(sizes[p]));
  }
  const double freedom = real(scores.size() - 1);
  const double of_personas = between.value() / (freedom * real(means.personas - 1));
  const bool has_questions = count > means.personas;
  const double of_questions =
      has_questions ? within.value() / (freedom * real(count - means.personas)) : 0;
  const double usual_size =
      (real(count) - squared_sizes.value() / real(count)) / real(means.personas - 1);

  RankingComponents found;
  found.model_by_persona = std::max(0.0, (of_personas - of_questions) / usual_size);
  found.draw = means.draw;
  const double of_draws = means.draw.value_or(0) / means.draws_per_question;
  found.model_by_question = has_questions ? std::max(0.0, of_questions - of_draws) : 0;
  found.models = scores.size();
  found.personas = means.personas;
  found.questions_per_persona = real(count) / real(means.personas);
  found.draws_per_question = means.draws_per_question;
  std::vector<double> of_models;
  for (const std::vector<double>& own : means.values) of_models.push_back(mean_of(own));
  const double observed = squared_deviations(of_models) / freedom;
  const double error =
      found.model_by_persona * squared_sizes.value() / (real(count) * real(count)) +
      of_questions / real(count);
  found.model = std::max(0.0, observed - error);
  return found;
}

Result<double> model_by_judge_variance(
    const std::vector<std::vector<std::vector<double>>>& scores_by_judge) {
  const std::size_t judges = scores_by_judge.size();
  if (judges < 2) return fail(ErrorKind::Invalid, "one judge does not show how judges differ");
  const std::size_t models = scores_by_judge.front().size();
  const std::size_t rows = models == 0 ? 0 : scores_by_judge.front().front().size();
  if (rows < 2) return fail(ErrorKind::Invalid, "at least 2 scores of each judge are needed");
  for (const auto& judge : scores_by_judge) {
    RETURN_IF_ERROR(check_same_size(judge.size(), models, "models of the judges"));
    RETURN_IF_ERROR(check_shape(judge, rows));
  }
  // Of each row, what is left when model and judge means are taken away; then its mean over rows.
  std::vector<Sum> sums(models * judges), squares(models * judges);
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<double> of_model(models), of_judge(judges);
    double all = 0;
    for (std::size_t j = 0; j < judges; ++j)
      for (std::size_t m = 0; m < models; ++m) {
        const double score = scores_by_judge[j][m][row];
        of_model[m] += score / real(judges);
        of_judge[j] += score / real(models);
        all += score / real(models * judges);
      }
    for (std::size_t j = 0; j < judges; ++j)
      for (std::size_t m = 0; m < models; ++m) {
        const double rest = scores_by_judge[j][m][row] - of_model[m] - of_judge[j] + all;
        sums[j * models + m].add(rest);
        squares[j * models + m].add(rest * rest);
      }
  }
  Sum of_means, of_rows;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double mean = sums[i].value() / real(rows);
    of_means.add(mean * mean);
    of_rows.add(std::max(0.0, squares[i].value() - real(rows) * mean * mean));
  }
  const double freedom = real((models - 1) * (judges - 1));
  return std::max(
      0.0, of_means.value() / freedom - of_rows.value() / (freedom * real(rows - 1)) / real(rows));
}

TestSize size_of(const RankingComponents& components) {
  return {.personas = real(components.personas),
          .questions_per_persona = components.questions_per_persona,
          .draws_per_question = components.draws_per_question,
          .judges = real(components.judges)};
}

Generalizability generalize(const RankingComponents& components, const TestSize& size) {
  const double questions = size.personas * size.questions_per_persona;
  const double error = components.model_by_persona / size.personas +
                       components.model_by_question / questions +
                       components.draw.value_or(0) / (questions * size.draws_per_question) +
                       components.model_by_judge.value_or(0) / size.judges;
  const double all = components.model + error;
  return {.coefficient = all > 0 ? components.model / all : 0, .standard_error = std::sqrt(error)};
}

}  // namespace personascope::stats
