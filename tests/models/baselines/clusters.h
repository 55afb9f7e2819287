#pragma once

#include <cstdint>

#include "models/baselines/detectors/detector.h"

namespace headroom::test {

/// Molecules of made-up features: normal clouds around one centre a class, and labels of a kind.
struct Clusters {
  at::Tensor features;       ///< [n, 12]
  std::vector<int> classes;  ///< [n]
};
Clusters clusters(std::int64_t rows, int classes, std::uint64_t seed);

/// Three classes as classes; two tasks of which a fifth is unknown; the class as a number.
baselines::Labels labels_of(const Clusters& clusters, baselines::LabelKind kind, int classes);

/// Training and validation molecules with labels of that kind.
baselines::ClassifierData classifier_data(baselines::LabelKind kind, int classes);

/// A classifier that is trained in a moment.
baselines::ClassifierOptions small_options();

}  // namespace headroom::test
