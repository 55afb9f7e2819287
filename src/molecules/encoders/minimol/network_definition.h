#pragma once

// The definition of the MiniMol network. Include it only to instantiate the network for a set of operators.

#include <utility>

#include <fmt/format.h>

#include "molecules/encoders/minimol/network.h"

namespace molgauge::encoders::minimol {

namespace sizes {
inline constexpr std::int64_t kLayers = 16;
inline constexpr std::int64_t kLaplacianHidden = 64, kWalkHidden = 64, kPosition = 32;
inline constexpr std::int64_t kAtomHidden = 256, kAtomInput = 128;
inline constexpr std::int64_t kEdgeHidden = 128, kEdgeInput = 168;
inline constexpr std::int64_t kHidden = kHiddenWidth;
/// The muP read-out multiplier (Yang et al. 2022, arXiv:2203.03466): base width over width.
inline constexpr float kReadOut = 168.0F / kHidden;
}  // namespace sizes

template <typename Operators>
struct Network<Operators>::Parts {
  using Activation = ops::Activation;
  using Precision = ops::Precision;
  using Linear = typename Operators::Linear;

  const ParameterSource& parameter;
  Precision precision;  ///< precision of the layers

  Linear linear(const std::string& name, std::int64_t out, std::int64_t in) const {
    return {.weight = parameter(name + ".weight", {out, in}), .bias = parameter(name + ".bias", {out})};
  }

  LayerNorm layer_norm(const std::string& name, std::int64_t width) const {
    return {.weight = parameter(name + ".weight", {width}), .bias = parameter(name + ".bias", {width})};
  }

  Dense dense(const std::string& name, std::int64_t out, std::int64_t in,
              Activation activation = Activation::none, Precision products = Precision::fp32) const {
    return {linear(name, out, in), activation, products};
  }

  /// A linear layer, a layer normalisation and an activation.
  Dense fully_connected(const std::string& name, std::int64_t out, std::int64_t in, Activation activation,
                        Precision products = Precision::fp32) const {
    return {linear(name + ".linear", out, in), layer_norm(name + ".normalization", out), activation,
            products};
  }

  LaplacianEncoder laplacian_encoder(const std::string& name) const {
    constexpr auto width = sizes::kLaplacianHidden;
    const std::string mlp = name + ".pe_encoder.fully_connected";
    return {.linear_in = dense(name + ".linear_in.linear", width, 2),
            .hidden = dense(mlp + ".0.linear", width, width, Activation::relu),
            .out = dense(mlp + ".1.linear", width, width),
            .post_mlp = dense(name + ".post_mlp.fully_connected.0.linear", sizes::kPosition, width)};
  }

  RandomWalkEncoder random_walk_encoder(const std::string& name) const {
    const std::string mlp = name + ".pe_encoder";
    return {.first_normalization = layer_norm(mlp + ".first_normalization", kWalkSteps),
            .hidden =
                fully_connected(mlp + ".fully_connected.0", sizes::kWalkHidden, kWalkSteps, Activation::relu),
            .out = fully_connected(mlp + ".fully_connected.1", sizes::kPosition, sizes::kWalkHidden,
                                   Activation::relu),
            .unused_normalization = layer_norm(name + ".first_normalization", kWalkSteps)};
  }

  GineLayer gine_layer(const std::string& name, std::int64_t out, std::int64_t in) const {
    const std::string model = name + ".model";
    return {.edge_projection = dense(model + ".lin", in, sizes::kEdgeInput),
            .hidden = fully_connected(model + ".nn.fully_connected.0", in, in, Activation::gelu, precision),
            .out = {linear(model + ".nn.fully_connected.1.linear", out, in),
                    layer_norm(name + ".norm_layer", out), Activation::gelu, precision}};
  }

  VirtualNode virtual_node(const std::string& name) const {
    constexpr auto width = sizes::kHidden;
    return {.update = fully_connected(name + ".fc_layer", width, width, Activation::gelu, precision),
            .node_projection = dense(name + ".node_projection", width, width, Activation::none, precision)};
  }
};

template <typename Operators>
Network<Operators>::Network(const ParameterSource& parameter, ops::Precision precision) {
  using ops::Activation;
  using namespace sizes;
  const Parts parts{parameter, precision};
  laplacian_encoder_ = parts.laplacian_encoder("encoder_manager.pe_encoders.la_pos");
  random_walk_encoder_ = parts.random_walk_encoder("encoder_manager.pe_encoders.rw_pos");
  constexpr std::int64_t features = kPosition + std::int64_t{kAtomFeatures};
  atom_input_ = {parts.fully_connected("pre_nn.layers.0", kAtomHidden, features, Activation::relu),
                 parts.fully_connected("pre_nn.layers.1", kAtomInput, kAtomHidden, Activation::none)};
  edge_input_ = {parts.fully_connected("pre_nn_edges.layers.0", kEdgeHidden, kBondFeatures, Activation::relu),
                 parts.fully_connected("pre_nn_edges.layers.1", kEdgeInput, kEdgeHidden, Activation::none)};
  for (std::int64_t l = 0; l < kLayers; ++l) {
    const bool last = l == kLayers - 1;
    layers_.push_back(parts.gine_layer(fmt::format("gnn.layers.{}", l), last ? kFingerprintWidth : kHidden,
                                       l == 0 ? kAtomInput : kHidden));
    if (!last) {
      virtual_nodes_.push_back(parts.virtual_node(fmt::format("gnn.virtual_node_layers.{}", l)));
    }
  }
}

template <typename Operators>
auto Network<Operators>::apply(const std::vector<Dense>& blocks, Tensor x) -> Tensor {
  for (const Dense& block : blocks) {
    x = block(x);
  }
  return x;
}

template <typename Operators>
auto Network<Operators>::apply(const LaplacianEncoder& encoder, const Tensor& eigval, const Tensor& eigvec)
    -> Tensor {
  const Tensor pairs = Operators::pair_up(eigval, eigvec);  // [n, 8, 2]
  // `out` is linear, so the sum of its results for eight pairs is eight times its result for their mean. This
  // takes an eighth of the work. Eight is a power of two, so the factors 1/8 and 8 cause no rounding.
  const Tensor mean = Operators::mean_over_second(encoder.hidden(encoder.linear_in(pairs)));  // [n, 64]
  return encoder.post_mlp(Operators::scale(encoder.out(mean), kEigenpairs));
}

template <typename Operators>
auto Network<Operators>::apply(const RandomWalkEncoder& encoder, const Tensor& return_probabilities)
    -> Tensor {
  return encoder.out(encoder.hidden(Operators::apply(encoder.first_normalization, return_probabilities)));
}

template <typename Operators>
auto Network<Operators>::encode_positions(const BatchOf<Operators>& batch, const Trace& trace) const
    -> Tensor {
  const Tensor laplacian = apply(laplacian_encoder_, batch.laplacian_eigval, batch.laplacian_eigvec);
  const Tensor walk = apply(random_walk_encoder_, batch.rw_return_probs);
  if (trace) {
    trace("la_pos", laplacian);
    trace("rw_pos", walk);
  }
  return Operators::add(laplacian, walk);
}

template <typename Operators>
auto Network<Operators>::forward(const BatchOf<Operators>& batch, const Trace& trace) const -> Tensor {
  const auto show = [&](const std::string& name, const Tensor& value) {
    if (trace) {
      trace(name, value);
    }
  };
  const Tensor e = apply(edge_input_, batch.edge_kinds);
  if (trace) {
    trace("pre_nn_edges", Operators::select_rows(e, batch.edges.kind));
  }
  Tensor x = apply(atom_input_, Operators::join_columns(encode_positions(batch, trace), batch.feat));
  show("pre_nn", x);

  const auto layer = [&](std::size_t l, const Tensor& nodes, Tensor residual) {
    const GineLayer& gine = layers_[l];
    return Operators::gine_layer(nodes, batch.edges, gine.edge_projection(e), gine.hidden, gine.out,
                                 std::move(residual));
  };
  Tensor r;                                                                 // residual stream of the atoms
  Tensor g = Operators::zeros(batch.molecules.count(), sizes::kHidden, x);  // state of the virtual nodes
  for (std::size_t l = 0; l < virtual_nodes_.size(); ++l) {
    r = layer(l, x, std::move(r));
    const VirtualNode& node = virtual_nodes_[l];
    g = Operators::add_layer(g, node.update,
                             Operators::add_segment_sums(g, r, batch.molecules, batch.pool_factor));
    x = Operators::add_to_segments(r, Operators::apply_scaled(node.node_projection, g, sizes::kReadOut),
                                   batch.molecules);
    show(fmt::format("vn{}", l), g);
    show(fmt::format("layer{}", l), x);
  }
  const Tensor y = layer(virtual_nodes_.size(), x, Tensor());
  show(fmt::format("layer{}", virtual_nodes_.size()), y);
  return Operators::segment_max(y, batch.molecules);
}

}  // namespace molgauge::encoders::minimol
