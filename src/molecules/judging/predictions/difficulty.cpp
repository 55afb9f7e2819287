#include "molecules/judging/predictions/difficulty.h"

#include <algorithm>

#include "molecules/judging/predictions/non_negative_fit.h"

namespace molgauge::domain {
namespace {

constexpr std::size_t kRounds = 5;
constexpr double kLeastShare = 0.1;

/// The molecules of a fit, with winsorised terms.
struct Sample {
  DifficultyTerms terms;
  std::vector<double> errors;
};

Sample sample_of(const DifficultyTerms& terms, std::span<const double> errors,
                 const std::vector<bool>& uses) {
  Sample sample{DifficultyTerms(terms.count()), {}};
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (uses.empty() || uses[i]) {
      places.push_back(i);
    }
  }
  std::vector<double> limits, values(places.size());
  for (std::size_t j = 0; j < terms.count(); ++j) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      values[i] = terms.of(places[i])[j];
    }
    limits.push_back(winsor_limit(values));
  }
  for (const std::size_t i : places) {
    std::vector<double> own(terms.of(i).begin(), terms.of(i).end());
    for (std::size_t j = 0; j < own.size(); ++j) {
      own[j] = std::min(own[j], limits[j]);
    }
    sample.terms.append(own);
    sample.errors.push_back(errors[i]);
  }
  return sample;
}

/// One weighted fit. `fitted`: the difficulties of the round before, which winsorise the errors.
std::vector<double> coefficients_of(const Sample& sample, std::span<const double> fitted, bool is_weighted) {
  const std::size_t columns = sample.terms.count() + 1;
  std::vector<double> ratios(sample.errors.size());
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    ratios[i] = sample.errors[i] / fitted[i];
  }
  const double limit = winsor_limit(ratios);
  std::vector<double> products(columns * columns), right(columns), row(columns, 1);
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    const auto terms = sample.terms.of(i);
    std::copy(terms.begin(), terms.end(), row.begin() + 1);
    const double error = std::min(ratios[i], limit) * fitted[i];
    const double weight = is_weighted ? 1 / (fitted[i] * fitted[i]) : 1;
    for (std::size_t j = 0; j < columns; ++j) {
      for (std::size_t k = 0; k < columns; ++k) {
        products[j * columns + k] += weight * row[j] * row[k];
      }
      right[j] += weight * row[j] * error;
    }
  }
  return non_negative_least_squares(products, right);
}

}  // namespace

double Difficulty::of(std::span<const double> terms) const {
  double sum = constant;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    sum += gradients[i] * terms[i];
  }
  return std::max(sum, least);
}

Difficulty fit_difficulty(const DifficultyTerms& terms, std::span<const double> errors,
                          const std::vector<bool>& uses) {
  const Sample sample = sample_of(terms, errors, uses);
  const double mean = sample.errors.empty() ? 0 : winsorised_mean(sample.errors);
  if (terms.count() == 0 || !(mean > 0)) {
    return {.constant = 1};
  }
  Difficulty difficulty{.constant = mean, .least = kLeastShare * mean};
  std::vector<double> fitted(sample.errors.size(), mean);
  for (std::size_t round = 0; round <= kRounds; ++round) {
    const std::vector<double> solution = coefficients_of(sample, fitted, /*is_weighted=*/round > 0);
    difficulty.constant = solution[0];
    std::copy(solution.begin() + 1, solution.end(), difficulty.gradients.begin());
    for (std::size_t i = 0; i < fitted.size(); ++i) {
      fitted[i] = difficulty.of(sample.terms.of(i));
    }
  }
  return difficulty;
}

std::vector<double> cross_fitted_difficulties(const DifficultyTerms& terms, std::span<const double> errors,
                                              const std::vector<std::size_t>& fold_of, std::size_t folds) {
  std::vector<double> difficulties(errors.size());
  std::vector<bool> uses(errors.size());
  for (std::size_t fold = 0; fold < folds; ++fold) {
    for (std::size_t i = 0; i < errors.size(); ++i) {
      uses[i] = fold_of[i] != fold;
    }
    const Difficulty fitted = fit_difficulty(terms, errors, uses);
    for (std::size_t i = 0; i < errors.size(); ++i) {
      if (!uses[i]) {
        difficulties[i] = fitted.of(terms.of(i));
      }
    }
  }
  return difficulties;
}

}  // namespace molgauge::domain
