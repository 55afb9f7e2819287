#include "molecules/judging/predictions/wrong_class_model.h"

#include <algorithm>
#include <cmath>

#include "molecules/judging/predictions/non_negative_fit.h"

namespace molgauge::domain {
namespace {

constexpr double kLeastProbability = 1e-3, kPenalty = 1;
constexpr std::size_t kReweightings = 25;

double logit(double probability) {
  const double kept = std::clamp(probability, kLeastProbability, 1 - kLeastProbability);
  return std::log(kept / (1 - kept));
}

double sigmoid(double number) { return 1 / (1 + std::exp(-number)); }

/// The columns of the regression: 1, the logit, and the terms, centred and divided by their deviation.
struct Columns {
  std::size_t count;
  std::vector<double> numbers;  ///< [molecules, count]
  std::vector<double> centres, deviations;

  const double* row(std::size_t molecule) const { return &numbers[molecule * count]; }
};

Columns columns_of(std::span<const double> others, const DifficultyTerms& terms) {
  const std::size_t molecules = others.size();
  Columns all{terms.count() + 2, std::vector<double>(molecules * (terms.count() + 2)), {}, {}};
  for (std::size_t i = 0; i < molecules; ++i) {
    all.numbers[i * all.count] = 1;
    all.numbers[i * all.count + 1] = logit(others[i]);
  }
  std::vector<double> values(molecules);
  for (std::size_t j = 0; j < terms.count(); ++j) {
    for (std::size_t i = 0; i < molecules; ++i) {
      values[i] = terms.of(i)[j];
    }
    const double limit = winsor_limit(values);
    double sum = 0, squares = 0;
    for (double& value : values) {
      value = std::min(value, limit);
      sum += value;
    }
    const double centre = sum / static_cast<double>(molecules);
    for (const double value : values) {
      squares += (value - centre) * (value - centre);
    }
    const double deviation = std::sqrt(squares / static_cast<double>(molecules));
    all.centres.push_back(centre);
    all.deviations.push_back(deviation);
    for (std::size_t i = 0; i < molecules; ++i) {
      all.numbers[i * all.count + 2 + j] = deviation > 0 ? (values[i] - centre) / deviation : 0;
    }
  }
  return all;
}

/// One step of iteratively reweighted least squares from `current`.
std::vector<double> next_coefficients(const Columns& columns, const std::vector<bool>& wrong,
                                      const std::vector<double>& current) {
  const std::size_t count = columns.count;
  std::vector<double> products(count * count), right(count);
  for (std::size_t j = 0; j < count; ++j) {
    products[j * count + j] = kPenalty;
  }
  right[1] = kPenalty;  // the slope of the logit is drawn to 1, all other coefficients to 0
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    const double* const row = columns.row(i);
    double sum = 0;
    for (std::size_t j = 0; j < count; ++j) {
      sum += row[j] * current[j];
    }
    const double probability = std::clamp(sigmoid(sum), kLeastProbability, 1 - kLeastProbability),
                 weight = probability * (1 - probability);
    const double target = weight * sum + (wrong[i] ? 1 : 0) - probability;
    for (std::size_t j = 0; j < count; ++j) {
      for (std::size_t k = 0; k < count; ++k) {
        products[j * count + k] += weight * row[j] * row[k];
      }
      right[j] += row[j] * target;
    }
  }
  return non_negative_least_squares(products, right, /*free_columns=*/1);
}

}  // namespace

WrongClassModel::WrongClassModel(std::span<const double> others, const DifficultyTerms& terms,
                                 const std::vector<bool>& wrong) {
  const auto count = static_cast<std::size_t>(std::count(wrong.begin(), wrong.end(), true));
  if (std::min(count, wrong.size() - count) < kMinOfAKind) {
    return;
  }
  const Columns columns = columns_of(others, terms);
  std::vector<double> coefficients(columns.count);
  coefficients[1] = 1;
  for (std::size_t round = 0; round < kReweightings; ++round) {
    coefficients = next_coefficients(columns, wrong, coefficients);
  }
  intercept_ = coefficients[0];
  slope_ = coefficients[1];
  for (std::size_t j = 0; j < terms.count(); ++j) {
    const double deviation = columns.deviations[j];
    gradients_.push_back(deviation > 0 ? coefficients[j + 2] / deviation : 0);
    intercept_ -= gradients_[j] * columns.centres[j];
  }
}

double WrongClassModel::probability(double other, std::span<const double> terms) const {
  if (!is_fitted()) {
    return other;
  }
  double sum = intercept_ + slope_ * logit(other);
  for (std::size_t j = 0; j < gradients_.size(); ++j) {
    sum += gradients_[j] * terms[j];
  }
  return sigmoid(sum);
}

}  // namespace molgauge::domain
