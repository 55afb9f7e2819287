#include "pockets/graphs/normalization.h"

#include <cmath>

namespace molgauge::pocket {

void FeatureNormalization::apply(ops::Floats& features) const {
  for (std::int64_t i = 0; i < features.count(); ++i) {
    const auto column = static_cast<std::size_t>(i % 3);
    features.data()[i] = static_cast<float>((features.data()[i] - mean[column]) / deviation[column]);
  }
}

void FeatureNormalization::undo(ops::Floats& features) const {
  for (std::int64_t i = 0; i < features.count(); ++i) {
    const auto column = static_cast<std::size_t>(i % 3);
    features.data()[i] = static_cast<float>(features.data()[i] * deviation[column] + mean[column]);
  }
}

FeatureMoments FeatureMoments::of(const ops::Floats& features) {
  FeatureMoments moments;
  moments.atoms = features.size(0);
  const auto atoms = static_cast<double>(moments.atoms);
  for (std::size_t column = 0; column < 3; ++column) {
    const float* const first = features.data() + column;
    double sum = 0, squares = 0;
    for (std::int64_t atom = 0; atom < moments.atoms; ++atom) {
      sum += first[3 * atom];
    }
    const double mean = moments.atoms == 0 ? 0 : sum / atoms;
    for (std::int64_t atom = 0; atom < moments.atoms; ++atom) {
      squares += (first[3 * atom] - mean) * (first[3 * atom] - mean);
    }
    moments.mean[column] = mean;
    moments.squares[column] = squares;
  }
  return moments;
}

void FeatureMoments::add(const FeatureMoments& other) {
  if (other.atoms == 0) {
    return;
  }
  const auto here = static_cast<double>(atoms), there = static_cast<double>(other.atoms);
  for (std::size_t column = 0; column < 3; ++column) {
    const double apart = other.mean[column] - mean[column];
    mean[column] += apart * there / (here + there);
    squares[column] += other.squares[column] + apart * apart * here * there / (here + there);
  }
  atoms += other.atoms;
}

FeatureNormalization FeatureMoments::normalization() const {
  FeatureNormalization normalization;
  if (atoms == 0) {
    return normalization;
  }
  normalization.mean = mean;
  for (std::size_t column = 0; column < 3; ++column) {
    const double deviation = std::sqrt(squares[column] / static_cast<double>(atoms));
    normalization.deviation[column] = deviation < 1e-8 ? 1.0 : deviation;
  }
  return normalization;
}

}  // namespace molgauge::pocket
