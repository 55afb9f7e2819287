#pragma once

#include <span>

#include <ATen/core/Tensor.h>

#include "encoders/minimol/inputs.h"
#include "ops/message_passing.h"
#include "ops/segment.h"

namespace headroom::encoders::minimol {

/// Molecules side by side, as the network takes them: n atoms in all, k kinds of edges. Float tensors are
/// float32, everything is on one device.
struct Batch {
  at::Tensor feat;              ///< [n, kAtomFeatures]
  at::Tensor laplacian_eigval;  ///< [n, kEigenpairs]
  at::Tensor laplacian_eigvec;  ///< [n, kEigenpairs]
  at::Tensor rw_return_probs;   ///< [n, kWalkSteps]
  at::Tensor edge_kinds;        ///< [k, kBondFeatures] the distinct rows of edge_feat, in order of appearance
  ops::Edges edges;             ///< kind: row of edge_kinds
  ops::Segments molecules;      ///< the atoms of each molecule
  /// [molecules, 1] what the sum over a molecule's n atoms is multiplied by on its way to the virtual node:
  /// ln(n) / n.
  at::Tensor pool_factor;

  Batch to(c10::Device device) const;
};

/// Concatenates molecules; no molecules give a batch of nothing. Throws std::invalid_argument when an edge
/// names an atom that its molecule has not.
Batch pack(std::span<const Inputs* const> molecules);

}  // namespace headroom::encoders::minimol
