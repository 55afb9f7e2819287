#pragma once

#include <span>

#include "models/encoders/minimol/inputs.h"
#include "numerics/ops/operators.h"

namespace headroom::encoders::minimol {

/// Molecules side by side, as the network takes them: n atoms in all, k kinds of edges. Tensors are the
/// operators' (numerics/ops/operators.h), float32 but for edges and molecules, all in one place.
template <typename Operators>
struct BatchOf {
  using Tensor = typename Operators::Tensor;

  Tensor feat;                             ///< [n, kAtomFeatures]
  Tensor laplacian_eigval;                 ///< [n, kEigenpairs]
  Tensor laplacian_eigvec;                 ///< [n, kEigenpairs]
  Tensor rw_return_probs;                  ///< [n, kWalkSteps]
  Tensor edge_kinds;                       ///< [k, kBondFeatures] distinct rows of edge_feat, as they appear
  typename Operators::Edges edges;         ///< kind: row of edge_kinds
  typename Operators::Segments molecules;  ///< the atoms of each molecule
  /// [molecules, 1] what the sum over a molecule's n atoms is multiplied by on its way to the virtual node:
  /// ln(n) / n.
  Tensor pool_factor;
};

using Batch = BatchOf<ops::Operators>;

/// Concatenates molecules; without molecules the batch is empty. Throws std::invalid_argument when an edge
/// names an atom that its molecule lacks.
Batch pack(std::span<const Inputs* const> molecules);

}  // namespace headroom::encoders::minimol
