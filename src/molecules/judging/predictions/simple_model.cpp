#include "molecules/judging/predictions/simple_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "base/core/session/cancellation.h"
#include "molecules/judging/label_curve.h"
#include "molecules/judging/predictions/scaffold_clusters.h"
#include "molecules/judging/ridge.h"

namespace molgauge::domain {
namespace {

constexpr std::array<double, 5> kSimplePenalties = {0.01, 0.1, 1, 10, 100};
constexpr std::size_t kNoFold = kFoldsOfPredictions;

/// Molecules that fit a model, with their folds.
struct Fitted {
  const Molecules& molecules;
  std::vector<std::size_t> places;  ///< indices of molecules with a value
  std::vector<double> values;
  std::vector<std::size_t> fold_of;
};

/// Fits a model to the molecules outside of `fold`.
RidgeRegression ridge_without(const Fitted& fitted, std::size_t fold, std::size_t threads) {
  std::vector<float> rows;
  std::vector<double> values;
  for (std::size_t i = 0; i < fitted.places.size(); ++i) {
    if (fitted.fold_of[i] != fold) {
      const auto row = fitted.molecules.row(fitted.places[i]);
      rows.insert(rows.end(), row.begin(), row.end());
      values.push_back(fitted.values[i]);
    }
  }
  return {rows, values, fitted.molecules.width, threads};
}

/// The penalty with which the molecules outside the first fold predict this fold best.
double penalty_of(const Fitted& fitted, std::size_t threads) {
  RidgeRegression ridge = ridge_without(fitted, 0, threads);
  double best = kSimplePenalties.back(), least = std::numeric_limits<double>::infinity();
  for (const double penalty : kSimplePenalties) {
    throw_if_cancelled();
    ridge.fit(penalty);
    double error = 0;
    for (std::size_t i = 0; i < fitted.places.size(); ++i) {
      if (fitted.fold_of[i] == 0) {
        error += std::pow(ridge.predict(fitted.molecules.row(fitted.places[i])) - fitted.values[i], 2);
      }
    }
    if (error < least) {
      least = error;
      best = penalty;
    }
  }
  return best;
}

/// `fold_of_query`: the fold that the model of a calibration molecule leaves out, or kNoFold.
std::vector<double> predict_queries(const Fitted& fitted, const SimpleModelData& data,
                                    const std::vector<std::size_t>& fold_of_query) {
  const double penalty = penalty_of(fitted, data.threads);
  std::vector<double> predictions(data.measured.size());
  for (std::size_t fold = 0; fold <= kNoFold; ++fold) {
    if (std::find(fold_of_query.begin(), fold_of_query.end(), fold) == fold_of_query.end()) {
      continue;
    }
    throw_if_cancelled();
    RidgeRegression ridge = ridge_without(fitted, fold, data.threads);
    ridge.fit(penalty);
    for (std::size_t i = 0; i < predictions.size(); ++i) {
      if (fold_of_query[i] == fold) {
        const double own = ridge.predict(data.calibration.row(i));
        predictions[i] = data.are_classes ? std::clamp(own, 0.0, 1.0) : own;
      }
    }
  }
  return predictions;
}

bool suffices(const Fitted& fitted, const std::vector<std::string>& clusters) {
  return fitted.places.size() >= kMinLabelled && distinct_count(clusters) >= kFoldsOfPredictions &&
         std::adjacent_find(fitted.values.begin(), fitted.values.end(), std::not_equal_to<>()) !=
             fitted.values.end();
}

SimplePredictions by_training(const SimpleModelData& data) {
  Fitted fitted{data.training, {}, {}, {}};
  std::vector<std::string> scaffolds;
  for (std::size_t i = 0; i < data.training_values.size(); ++i) {
    if (std::isfinite(data.training_values[i])) {
      fitted.places.push_back(i);
      fitted.values.push_back(data.training_values[i]);
      scaffolds.push_back(data.training_scaffolds[i]);
    }
  }
  if (!suffices(fitted, scaffolds)) {
    return {};
  }
  fitted.fold_of = whole_scaffold_folds(scaffolds);
  std::unordered_map<std::string, std::size_t> folds;
  for (std::size_t i = 0; i < scaffolds.size(); ++i) {
    folds.emplace(scaffolds[i], fitted.fold_of[i]);
  }
  std::vector<std::size_t> fold_of_query;
  for (const std::string& scaffold : data.scaffolds) {
    const auto known = folds.find(scaffold);
    fold_of_query.push_back(known == folds.end() ? kNoFold : known->second);
  }
  return {predict_queries(fitted, data, fold_of_query),
          "ridge regression on the compared features, fitted to the training molecules"};
}

SimplePredictions by_calibration(const SimpleModelData& data) {
  Fitted fitted{data.calibration, {}, {data.measured.begin(), data.measured.end()}, {}};
  for (std::size_t i = 0; i < data.measured.size(); ++i) {
    fitted.places.push_back(i);
  }
  if (!suffices(fitted, scaffold_clusters(data.scaffolds, data.smiles))) {
    return {};
  }
  fitted.fold_of = folds_of_predictions(data.scaffolds, data.smiles);
  return {predict_queries(fitted, data, fitted.fold_of),
          "ridge regression on the compared features, in cross-validation on the calibration molecules"};
}

}  // namespace

SimplePredictions predict_simply(const SimpleModelData& data) {
  if (data.calibration.width == 0) {
    return {};
  }
  SimplePredictions found = by_training(data);
  return found.of_calibration.empty() ? by_calibration(data) : found;
}

}  // namespace molgauge::domain
