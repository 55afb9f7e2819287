#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/numerics/ops/precision.h"
#include "molecules/encoders/minimol/batch.h"

namespace molgauge::encoders::minimol {

inline constexpr std::int64_t kFingerprintWidth = 512, kHiddenWidth = 336;

/// The MiniMol v1 network (Klaser et al. 2024, arXiv:2404.14986) up to the fingerprint: 16 GINE layers with a
/// virtual node, 7.9 million parameters. network_definition.h defines it over a set of operators:
/// ops::Operators for plain arrays on the CPU, and torch::Operators for LibTorch tensors on any device.
///
/// Thread safety: forward() is const and may be called from several threads at once.
template <typename Operators>
class Network {
 public:
  using Tensor = typename Operators::Tensor;
  using Dense = typename Operators::Dense;
  using LayerNorm = typename Operators::LayerNorm;

  /// Returns a parameter of the network. Called once for each tensor with name and shape.
  using ParameterSource =
      std::function<Tensor(const std::string& name, const std::vector<std::int64_t>& shape)>;
  /// Receives the intermediate results of a forward pass: la_pos, rw_pos, pre_nn, pre_nn_edges, layer0 to
  /// layer15 (the input of the next layer) and vn0 to vn14 (state of the virtual nodes, one row for each
  /// molecule).
  using Trace = std::function<void(const std::string& name, const Tensor& value)>;

  /// `precision`: precision of the products in the layers. The inputs of the first layer are always computed
  /// in fp32, which is about 3 % of the work.
  explicit Network(const ParameterSource& parameter, ops::Precision precision = ops::Precision::fp32);

  /// Returns fingerprints [molecules, 512], float32, on the device of the batch and of the parameters. On
  /// plain arrays, the fingerprint of a molecule is bit-identical in any batch. On LibTorch tensors it is
  /// not, because LibTorch chooses the order of sums by the batch size.
  Tensor forward(const BatchOf<Operators>& batch, const Trace& trace = {}) const;

 private:
  /// Positional encoding [n, 32] of atoms from eigenvalues [n, 8] and eigenvectors [n, 8] of the Laplacian.
  struct LaplacianEncoder {
    Dense linear_in, hidden, out, post_mlp;
  };
  /// Positional encoding [n, 32] of atoms from return probabilities [n, 16] of random walks.
  struct RandomWalkEncoder {
    LayerNorm first_normalization;
    Dense hidden, out;
    LayerNorm unused_normalization;  ///< part of the checkpoint, but without effect
  };
  /// A round of message passing between neighbours (GINE).
  struct GineLayer {
    Dense edge_projection, hidden, out;
  };
  /// An exchange between the atoms of a molecule and its virtual node.
  struct VirtualNode {
    Dense update, node_projection;
  };
  struct Parts;  ///< creates the layers from the named tensors of the checkpoint

  static Tensor apply(const std::vector<Dense>& blocks, Tensor x);
  static Tensor apply(const LaplacianEncoder& encoder, const Tensor& eigval, const Tensor& eigvec);
  static Tensor apply(const RandomWalkEncoder& encoder, const Tensor& return_probabilities);
  Tensor encode_positions(const BatchOf<Operators>& batch, const Trace& trace) const;

  LaplacianEncoder laplacian_encoder_;
  RandomWalkEncoder random_walk_encoder_;
  std::vector<Dense> atom_input_, edge_input_;  ///< pre_nn and pre_nn_edges
  std::vector<GineLayer> layers_;
  std::vector<VirtualNode> virtual_nodes_;  ///< virtual nodes after every layer except the last
};

/// The network on plain arrays (network.cpp). torch_encoder.cpp has the network on LibTorch tensors.
extern template class Network<ops::Operators>;

}  // namespace molgauge::encoders::minimol
