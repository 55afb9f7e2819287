#pragma once

#include <cstdint>

#include "molecules/baselines/detectors/detector.h"

namespace molgauge::test {

/// Molecules with synthetic features. The features of a class are normally distributed around the centre of
/// the class.
struct Clusters {
  at::Tensor features;       ///< [n, 12]
  std::vector<int> classes;  ///< [n]
};
Clusters clusters(std::int64_t rows, int classes, std::uint64_t seed);

/// Returns labels of the given kind: the classes, two tasks in which a fifth of the labels is unknown, or the
/// class as a number.
baselines::Labels labels_of(const Clusters& clusters, baselines::LabelKind kind, int classes);

/// Returns training and validation molecules with labels of the given kind.
baselines::ClassifierData classifier_data(baselines::LabelKind kind, int classes);

/// Returns options of a classifier that trains quickly.
baselines::ClassifierOptions small_options();

}  // namespace molgauge::test
