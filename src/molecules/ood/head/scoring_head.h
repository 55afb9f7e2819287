#pragma once

#include <array>

#include "base/numerics/ops/dense.h"
#include "molecules/ood/head/head_weights.h"

namespace molgauge::ood {

/// An energy head for scoring on the CPU: a copy of its parameters, packed for the kernels
/// (base/numerics/ops/dense.h), in float32. The energy of a row is bit-identical for every batch size and
/// position in the batch.
///
/// Thread safety: energies() may be called from several threads at once.
class ScoringHead {
 public:
  explicit ScoringHead(const HeadWeights& weights);

  std::int64_t feature_width() const { return layers_.front().packed().in; }
  std::int64_t hidden_width() const { return layers_.front().packed().out; }

  /// Energies [n] of features [n, width].
  ops::Floats energies(const ops::Floats& features) const;

 private:
  std::array<ops::Dense, 3> layers_;
};

}  // namespace molgauge::ood
