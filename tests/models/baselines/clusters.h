#pragma once

#include <cstdint>

#include "models/baselines/detectors/detector.h"

namespace headroom::test {

/// Molecules with synthetic features. The features of a class are normally distributed around a centre. All
/// labels are of one kind.
struct Clusters {
  at::Tensor features;       ///< [n, 12]
  std::vector<int> classes;  ///< [n]
};
Clusters clusters(std::int64_t rows, int classes, std::uint64_t seed);

/// Three classes, or two tasks with a fifth of unknown labels, or the class as a number.
baselines::Labels labels_of(const Clusters& clusters, baselines::LabelKind kind, int classes);

/// Training and validation molecules with labels of that kind.
baselines::ClassifierData classifier_data(baselines::LabelKind kind, int classes);

/// A classifier that trains quickly.
baselines::ClassifierOptions small_options();

}  // namespace headroom::test
