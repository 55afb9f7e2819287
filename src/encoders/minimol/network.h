#pragma once

#include <functional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "encoders/minimol/batch.h"
#include "encoders/minimol/parameters.h"
#include "ops/dense.h"
#include "ops/layers.h"
#include "ops/precision.h"

namespace headroom::encoders::minimol {

inline constexpr std::int64_t kFingerprintWidth = 512;

/// Where a network gets its parameters from: called once for each tensor with name and shape.
using ParameterSource =
    std::function<at::Tensor(const std::string& name, const std::vector<std::int64_t>& shape)>;

/// Shown the intermediate results of a forward pass: la_pos, rw_pos, pre_nn, pre_nn_edges, layer0 to layer15
/// (what goes into the next layer) and vn0 to vn14 (state of the virtual node, one row a molecule).
using Trace = std::function<void(const std::string& name, const at::Tensor& value)>;

/// Atoms' places in the molecule, from eigenpairs of its Laplacian: [n, 8] twice -> [n, 32].
struct LaplacianEncoder {
  ops::Dense linear_in, hidden, out, post_mlp;
};

/// Atoms' places in the molecule, from return probabilities of random walks: [n, 16] -> [n, 32].
struct RandomWalkEncoder {
  ops::LayerNorm first_normalization;
  ops::Dense hidden, out;
  ops::LayerNorm unused_normalization;  ///< in the checkpoint, not in the formula
};

/// One round of message passing between neighbours (GINE).
struct GineLayer {
  ops::Dense edge_projection, hidden, out;
};

/// One exchange between a molecule's atoms and its virtual node.
struct VirtualNode {
  ops::Dense update, node_projection;
};

/// The MiniMol v1 network (Klaser et al. 2024, arXiv:2404.14986) up to the fingerprint: 16 GINE layers with a
/// virtual node, 7.9 million parameters.
///
/// Thread safety: forward() is const and may be called from several threads at once.
class Network {
 public:
  /// `precision` is that of the layers' products; what makes the layers' inputs, some 3 % of the work, is
  /// computed in fp32. One other than fp32 has an effect where no gradient is wanted: on the CPU, and bf16
  /// on a GPU.
  explicit Network(const ParameterSource& parameter, ops::Precision precision = ops::Precision::fp32);
  explicit Network(const Parameters& parameters, ops::Precision precision = ops::Precision::fp32);

  /// Fingerprints [molecules, 512], float32 on the batch's device, which is the parameters' device. Fast
  /// kernels are used where no gradient is wanted. They give a molecule the same bytes in any batch, wherever
  /// it stands there; a GPU's matrix library, and ATen where a gradient is wanted, choose the order of their
  /// sums by the size of the batch.
  at::Tensor forward(const Batch& batch, const Trace& trace = {}) const;

 private:
  at::Tensor encode_positions(const Batch& batch, const Trace& trace) const;

  LaplacianEncoder laplacian_encoder_;
  RandomWalkEncoder random_walk_encoder_;
  std::vector<ops::Dense> atom_input_, edge_input_;  ///< pre_nn and pre_nn_edges
  std::vector<GineLayer> layers_;
  std::vector<VirtualNode> virtual_nodes_;  ///< after every layer but the last
};

}  // namespace headroom::encoders::minimol
