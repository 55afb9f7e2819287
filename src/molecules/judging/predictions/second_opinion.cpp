#include "molecules/judging/predictions/second_opinion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "base/core/error.h"
#include "base/core/hash.h"
#include "base/core/session/cancellation.h"
#include "base/core/threads/worker_group.h"
#include "molecules/judging/label_curve.h"
#include "molecules/judging/predictions/scaffold_clusters.h"
#include "molecules/judging/ridge.h"

namespace molgauge::domain {
namespace {

constexpr std::array<double, 6> kRidgePenalties = {0.001, 0.01, 0.1, 1, 10, 100};
constexpr std::size_t kFitToAll = kFoldsOfPredictions;  ///< the fit to all molecules

using Training = SecondOpinion::Training;
static_assert(KernelRidge::kFits == kFoldsOfPredictions + 1);

/// Indices of the training molecules with values, sorted by SMILES, so that no result depends on their order
/// in the training set.
std::vector<std::size_t> selected(const Training& training) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < training.values.size(); ++i) {
    if (std::isfinite(training.values[i]) && std::abs(training.values[i]) <= kLargestLabel) {
      places.push_back(i);
    }
  }
  if (places.size() > SecondOpinion::kMaxMolecules) {
    std::vector<std::pair<Hash128, std::size_t>> keys;
    for (const std::size_t i : places) {
      keys.emplace_back(hash128(training.canonical_smiles[i]), i);
    }
    std::sort(keys.begin(), keys.end());
    places.clear();
    for (std::size_t i = 0; i < SecondOpinion::kMaxMolecules; ++i) {
      places.push_back(keys[i].second);
    }
  }
  std::sort(places.begin(), places.end(), [&](std::size_t one, std::size_t other) {
    return training.canonical_smiles[one] < training.canonical_smiles[other];
  });
  return places;
}

template <typename Values>
std::vector<typename Values::value_type> picked(const Values& all, const std::vector<std::size_t>& places) {
  std::vector<typename Values::value_type> some;
  some.reserve(places.size());
  for (const std::size_t i : places) {
    some.push_back(all[i]);
  }
  return some;
}

EnvironmentLists environments_of(const Training& training, std::span<const std::int64_t> places) {
  EnvironmentLists lists;
  for (const std::int64_t i : places) {
    lists.append(training.molecules.environments.of(static_cast<std::size_t>(i)));
  }
  return lists;
}

/// Fits the ridge regressions on the features. The penalty has the lowest out-of-fold error: the squared
/// error for two distinct values, which are classes, and the absolute error otherwise.
void fit_features(const Training& training, const std::vector<std::size_t>& places,
                  const std::vector<double>& values, const std::vector<std::size_t>& fold_of,
                  std::size_t threads, SecondOpinion::State& state) {
  const bool are_classes = std::set<double>(values.begin(), values.end()).size() == 2;
  const auto without = [&](std::size_t fold) {
    std::vector<float> rows;
    std::vector<double> own;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (fold_of[i] != fold) {
        const auto row = training.molecules.row(places[i]);
        rows.insert(rows.end(), row.begin(), row.end());
        own.push_back(values[i]);
      }
    }
    return RidgeRegression(rows, own, training.molecules.width, threads);
  };
  std::array<std::vector<double>, kRidgePenalties.size()> predictions;
  predictions.fill(std::vector<double>(places.size()));
  for (std::size_t fold = 0; fold < kFoldsOfPredictions; ++fold) {
    RidgeRegression ridge = without(fold);
    for (std::size_t k = 0; k < kRidgePenalties.size(); ++k) {
      throw_if_cancelled();
      ridge.fit(kRidgePenalties[k]);
      for (std::size_t i = 0; i < places.size(); ++i) {
        if (fold_of[i] == fold) {
          predictions[k][i] = ridge.predict(training.molecules.row(places[i]));
        }
      }
    }
  }
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < kRidgePenalties.size(); ++k) {
    double sum = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const double error = std::abs(predictions[k][i] - values[i]);
      sum += are_classes ? error * error : error;
    }
    if (sum < least) {
      least = sum;
      best = k;
    }
  }
  RidgeRegression ridge = without(kFitToAll);
  ridge.fit(kRidgePenalties[best]);
  state.by_features = ridge.linear();
  state.features_out_of_fold = std::move(predictions[best]);
}

void fit_environments(const Training& training, const std::vector<double>& values,
                      const std::vector<std::size_t>& fold_of, std::size_t threads,
                      SecondOpinion::State& state) {
  const std::size_t count = values.size();
  const EnvironmentLists lists = environments_of(training, state.molecules);
  const EnvironmentKernel kernel(lists);
  std::vector<float> similarities(count * count);
  parallel_for(count, threads, [&](std::size_t i) {
    throw_if_cancelled();
    const std::vector<float> row = kernel.similarities(lists.of(i));
    std::copy(row.begin(), row.end(), similarities.begin() + static_cast<std::ptrdiff_t>(i * count));
  });
  const KernelRidge ridge(similarities, values, fold_of, threads);
  state.by_environments = {ridge.mean(kFitToAll)};
  for (std::size_t i = 0; i < count; ++i) {
    state.by_environments.push_back(ridge.coefficient(i, kFitToAll));
    state.environments_out_of_fold.push_back(ridge.out_of_fold(i));
  }
}

/// The mean and the standard deviation of numbers, weighted by the square of the similarity.
struct WeightedMoments {
  double mean = 0, deviation = 0;
};

WeightedMoments weighted_moments(const std::vector<double>& numbers, std::span<const std::size_t> places,
                                 const std::vector<float>& similarities) {
  const auto weight_of = [&](std::size_t i) {
    constexpr double kLeastWeight = 1e-6;  // if no molecule is similar, all weights are equal
    return std::pow(static_cast<double>(similarities[i]), 2) + kLeastWeight;
  };
  double weights = 0, sum = 0, squares = 0;
  for (const std::size_t i : places) {
    weights += weight_of(i);
    sum += weight_of(i) * numbers[i];
  }
  const double mean = sum / weights;
  for (const std::size_t i : places) {
    squares += weight_of(i) * std::pow(numbers[i] - mean, 2);
  }
  return {mean, std::sqrt(squares / weights)};
}

/// Whether sums and squares of the numbers are finite.
bool are_usable(const std::vector<double>& numbers) {
  constexpr double kLargest = 1e120;
  return std::all_of(numbers.begin(), numbers.end(),
                     [](double number) { return std::abs(number) <= kLargest; });  // false for NaN
}

}  // namespace

std::shared_ptr<const SecondOpinion> SecondOpinion::fit(const Training& training, std::size_t threads) {
  const std::vector<std::size_t> places = selected(training);
  if (places.size() < kMinLabelled) {
    return nullptr;
  }
  const std::vector<double> values = picked(training.values, places);
  const auto scaffolds = picked(training.scaffolds, places);
  const auto smiles = picked(training.canonical_smiles, places);
  if (distinct_count(scaffolds) < kFoldsOfPredictions ||
      std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end()) {
    return nullptr;
  }
  const std::vector<std::size_t> fold_of = folds_of_predictions(scaffolds, smiles);
  State state;
  state.molecules.assign(places.begin(), places.end());
  state.folds.assign(fold_of.begin(), fold_of.end());
  if (training.uses_features) {
    fit_features(training, places, values, fold_of, threads, state);
  }
  fit_environments(training, values, fold_of, threads, state);
  return std::make_shared<const SecondOpinion>(training, std::move(state));
}

SecondOpinion::SecondOpinion(const Training& training, State state)
    : state_(std::move(state)), kernel_(EnvironmentLists()) {
  const std::size_t count = state_.molecules.size();
  const bool has_features = !state_.by_features.empty();
  const bool fits = count > 0 && state_.folds.size() == count && state_.by_environments.size() == count + 1 &&
                    state_.environments_out_of_fold.size() == count &&
                    state_.features_out_of_fold.size() == (has_features ? count : 0) &&
                    (!has_features || state_.by_features.size() == training.molecules.width + 1) &&
                    std::all_of(state_.molecules.begin(), state_.molecules.end(),
                                [&](std::int64_t i) {
                                  return i >= 0 && static_cast<std::size_t>(i) < training.values.size() &&
                                         std::isfinite(training.values[static_cast<std::size_t>(i)]);
                                }) &&
                    are_usable(state_.by_features) && are_usable(state_.by_environments) &&
                    are_usable(state_.features_out_of_fold) && are_usable(state_.environments_out_of_fold);
  if (!fits) {
    throw InputError("the tensors of the second opinion do not fit the training molecules");
  }
  kernel_ = EnvironmentKernel(environments_of(training, state_.molecules));
  for (std::size_t i = 0; i < count; ++i) {
    const auto place = static_cast<std::size_t>(state_.molecules[i]);
    const double value = training.values[place];
    values_.push_back(value);
    double error = std::abs(state_.environments_out_of_fold[i] - value);
    if (has_features) {
      error = (error + std::abs(state_.features_out_of_fold[i] - value)) / 2;
    }
    errors_.push_back(error);
    known_.emplace(training.canonical_smiles[place], i);
  }
}

std::vector<Opinion> SecondOpinion::of(const Molecules& molecules,
                                       const std::vector<std::string>& canonical_smiles,
                                       std::size_t threads) const {
  std::vector<Opinion> opinions(molecules.size());
  parallel_for(molecules.size(), threads, [&](std::size_t i) {
    throw_if_cancelled();
    opinions[i] = opinion(molecules.row(i), molecules.environments.of(i), canonical_smiles[i]);
  });
  return opinions;
}

Opinion SecondOpinion::opinion(std::span<const float> features, std::span<const Environment> environments,
                               const std::string& canonical_smiles) const {
  const std::vector<float> similarities = kernel_.similarities(environments);
  const auto known = known_.find(canonical_smiles);
  const bool has_features = !state_.by_features.empty();
  Opinion opinion;
  std::size_t own_fold = kFitToAll;
  if (known != known_.end()) {
    own_fold = state_.folds[known->second];
    opinion.by_environments = state_.environments_out_of_fold[known->second];
    opinion.by_features = has_features ? state_.features_out_of_fold[known->second] : kNoNumber;
  } else {
    opinion.by_environments = state_.by_environments[0];
    for (std::size_t i = 0; i < similarities.size(); ++i) {
      opinion.by_environments += static_cast<double>(similarities[i]) * state_.by_environments[i + 1];
    }
    if (has_features) {
      opinion.by_features = state_.by_features[0];
      for (std::size_t i = 0; i < features.size(); ++i) {
        opinion.by_features += static_cast<double>(features[i]) * state_.by_features[i + 1];
      }
    }
  }
  std::vector<std::size_t> others;
  others.reserve(similarities.size());
  for (std::size_t i = 0; i < similarities.size(); ++i) {
    if (state_.folds[i] != own_fold) {
      others.push_back(i);
    }
  }
  const std::size_t nearest = std::min(others.size(), kNeighbours);
  std::partial_sort(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(nearest), others.end(),
                    [&](std::size_t one, std::size_t other) {
                      return similarities[one] != similarities[other]
                                 ? similarities[one] > similarities[other]
                                 : one < other;
                    });
  others.resize(nearest);
  opinion.neighbours_error = weighted_moments(errors_, others, similarities).mean;
  opinion.neighbours_spread = weighted_moments(values_, others, similarities).deviation;
  return opinion;
}

std::uint64_t SecondOpinion::bytes(std::size_t molecules, std::size_t width) {
  constexpr std::uint64_t kBytesOfMolecule = 2000;  // environments in the index and in a list, and numbers
  const std::uint64_t used = std::min(molecules, kMaxMolecules);
  const std::uint64_t features =
      used * width * sizeof(float) + 4 * std::uint64_t{width} * width * sizeof(double);
  return std::max(used * used * sizeof(float), features) + used * kBytesOfMolecule;
}

}  // namespace molgauge::domain
