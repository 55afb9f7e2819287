#pragma once

#include <span>

#include "base/numerics/ops/operators.h"
#include "molecules/encoders/minimol/inputs.h"

namespace molgauge::encoders::minimol {

/// A batch of molecules as input of the network, with n atoms and k kinds of edges. Tensors have the type of
/// the operators (base/numerics/ops/operators.h) and are float32, except for edges and molecules. All are on
/// one device.
template <typename Operators>
struct BatchOf {
  using Tensor = typename Operators::Tensor;

  Tensor feat;                      ///< [n, kAtomFeatures]
  Tensor laplacian_eigval;          ///< [n, kEigenpairs]
  Tensor laplacian_eigvec;          ///< [n, kEigenpairs]
  Tensor rw_return_probs;           ///< [n, kWalkSteps]
  Tensor edge_kinds;                ///< [k, kBondFeatures] distinct rows of edge_feat in order of appearance
  typename Operators::Edges edges;  ///< the kind of an edge is a row of edge_kinds
  typename Operators::Segments molecules;  ///< the atoms of each molecule
  /// [molecules, 1], ln(n) / n for a molecule with n atoms. The input of its virtual node is the sum over its
  /// atoms times this factor.
  Tensor pool_factor;
};

using Batch = BatchOf<ops::Operators>;

/// Concatenates molecules. Without molecules, the batch is empty. Throws std::invalid_argument if an edge
/// refers to an atom outside its molecule.
Batch pack(std::span<const Inputs* const> molecules);

}  // namespace molgauge::encoders::minimol
