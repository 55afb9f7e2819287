#pragma once

#include <array>

#include <ATen/core/Tensor.h>

#include "ood/energy_head.h"
#include "ops/dense.h"

namespace headroom::ood {

/// An energy head for scoring: its numbers as they are when this is made, packed for the CPU's kernels
/// (ops/dense.h), without gradients and in float32. On the CPU the energy of a row is the same bytes in a
/// batch of any size, at any place in it; the matrix library that EnergyHead::forward() calls, and a GPU's,
/// choose the order of their sums by the number of rows.
///
/// Thread safety: energies() may be called from several threads at once.
class ScoringHead {
 public:
  explicit ScoringHead(const EnergyHead& head);

  /// Energies [n], float32, of features [n, width].
  at::Tensor energies(const at::Tensor& features) const;

 private:
  std::array<ops::Dense, 3> layers_;
};

}  // namespace headroom::ood
