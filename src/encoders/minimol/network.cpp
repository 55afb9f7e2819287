#include "encoders/minimol/network.h"

#include <utility>

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "ops/gine.h"

namespace headroom::encoders::minimol {
namespace {

using ops::Activation;
using ops::Precision;

constexpr std::int64_t kLayers = 16;
constexpr std::int64_t kLaplacianHidden = 64, kWalkHidden = 64, kPosition = 32;
constexpr std::int64_t kAtomHidden = 256, kAtomInput = 128;
constexpr std::int64_t kEdgeHidden = 128, kEdgeInput = 168;
constexpr std::int64_t kHidden = 336;
/// The muP read-out multiplier (Yang et al. 2022, arXiv:2203.03466): base width over width.
constexpr double kReadOut = 168.0 / kHidden;

// The parts of the network under their names in the checkpoint.

ops::Linear linear(const ParameterSource& parameter, const std::string& name, std::int64_t out,
                   std::int64_t in) {
  return {.weight = parameter(name + ".weight", {out, in}), .bias = parameter(name + ".bias", {out})};
}

ops::LayerNorm layer_norm(const ParameterSource& parameter, const std::string& name, std::int64_t width) {
  return {.weight = parameter(name + ".weight", {width}), .bias = parameter(name + ".bias", {width})};
}

ops::Dense dense(const ParameterSource& parameter, const std::string& name, std::int64_t out, std::int64_t in,
                 Activation activation = Activation::none, Precision precision = Precision::fp32) {
  return {linear(parameter, name, out, in), activation, precision};
}

/// Linear, layer normalisation, activation.
ops::Dense fully_connected(const ParameterSource& parameter, const std::string& name, std::int64_t out,
                           std::int64_t in, Activation activation, Precision precision = Precision::fp32) {
  return {linear(parameter, name + ".linear", out, in), layer_norm(parameter, name + ".normalization", out),
          activation, precision};
}

LaplacianEncoder laplacian_encoder(const ParameterSource& parameter, const std::string& name) {
  constexpr auto width = kLaplacianHidden;
  return {.linear_in = dense(parameter, name + ".linear_in.linear", width, 2),
          .hidden =
              dense(parameter, name + ".pe_encoder.fully_connected.0.linear", width, width, Activation::relu),
          .out = dense(parameter, name + ".pe_encoder.fully_connected.1.linear", width, width),
          .post_mlp = dense(parameter, name + ".post_mlp.fully_connected.0.linear", kPosition, width)};
}

RandomWalkEncoder random_walk_encoder(const ParameterSource& parameter, const std::string& name) {
  const std::string mlp = name + ".pe_encoder";
  return {
      .first_normalization = layer_norm(parameter, mlp + ".first_normalization", kWalkSteps),
      .hidden =
          fully_connected(parameter, mlp + ".fully_connected.0", kWalkHidden, kWalkSteps, Activation::relu),
      .out = fully_connected(parameter, mlp + ".fully_connected.1", kPosition, kWalkHidden, Activation::relu),
      .unused_normalization = layer_norm(parameter, name + ".first_normalization", kWalkSteps)};
}

GineLayer gine_layer(const ParameterSource& parameter, const std::string& name, std::int64_t out,
                     std::int64_t in, Precision precision) {
  const std::string model = name + ".model";
  return {.edge_projection = dense(parameter, model + ".lin", in, kEdgeInput),
          .hidden = fully_connected(parameter, model + ".nn.fully_connected.0", in, in, Activation::gelu,
                                    precision),
          .out = {linear(parameter, model + ".nn.fully_connected.1.linear", out, in),
                  layer_norm(parameter, name + ".norm_layer", out), Activation::gelu, precision}};
}

VirtualNode virtual_node(const ParameterSource& parameter, const std::string& name, Precision precision) {
  return {
      .update = fully_connected(parameter, name + ".fc_layer", kHidden, kHidden, Activation::gelu, precision),
      .node_projection =
          dense(parameter, name + ".node_projection", kHidden, kHidden, Activation::none, precision)};
}

// What the parts compute.

at::Tensor apply(const std::vector<ops::Dense>& blocks, at::Tensor x) {
  for (const ops::Dense& block : blocks) {
    x = block(x);
  }
  return x;
}

/// The mean over the second of three axes, added up in its order: how ATen's own sum goes about it depends on
/// the number of rows.
at::Tensor mean_in_order(const at::Tensor& x) {
  at::Tensor sum = x.select(1, 0).clone();
  for (std::int64_t i = 1; i < x.size(1); ++i) {
    sum.add_(x.select(1, i));
  }
  return sum.div_(x.size(1));
}

at::Tensor apply(const LaplacianEncoder& encoder, const at::Tensor& eigval, const at::Tensor& eigvec) {
  const at::Tensor pairs = at::stack({eigval, eigvec}, 2);  // [n, 8, 2]
  // `out` is linear: the sum of what it makes of eight pairs is eight times what it makes of their mean, for
  // an eighth of the work. Eight is a power of two, so that neither factor rounds.
  const at::Tensor mean = mean_in_order(encoder.hidden(encoder.linear_in(pairs)));  // [n, 64]
  return encoder.post_mlp(encoder.out(mean).mul_(static_cast<std::int64_t>(kEigenpairs)));
}

at::Tensor apply(const RandomWalkEncoder& encoder, const at::Tensor& return_probabilities) {
  return encoder.out(encoder.hidden(ops::apply(encoder.first_normalization, return_probabilities)));
}

/// residual + the layer's output; takes over the residual's memory.
at::Tensor apply(const GineLayer& layer, const at::Tensor& x, const ops::Edges& edges,
                 const at::Tensor& edge_kinds, at::Tensor residual) {
  return ops::gine_layer(x, edges, layer.edge_projection(edge_kinds), layer.hidden, layer.out,
                         std::move(residual));
}

void show(const Trace& trace, const std::string& name, const at::Tensor& value) {
  if (trace) {
    trace(name, value);
  }
}

}  // namespace

Network::Network(const ParameterSource& parameter, Precision precision)
    : laplacian_encoder_(laplacian_encoder(parameter, "encoder_manager.pe_encoders.la_pos")),
      random_walk_encoder_(random_walk_encoder(parameter, "encoder_manager.pe_encoders.rw_pos")) {
  constexpr std::int64_t features = kPosition + std::int64_t{kAtomFeatures};
  atom_input_ = {fully_connected(parameter, "pre_nn.layers.0", kAtomHidden, features, Activation::relu),
                 fully_connected(parameter, "pre_nn.layers.1", kAtomInput, kAtomHidden, Activation::none)};
  edge_input_ = {
      fully_connected(parameter, "pre_nn_edges.layers.0", kEdgeHidden, kBondFeatures, Activation::relu),
      fully_connected(parameter, "pre_nn_edges.layers.1", kEdgeInput, kEdgeHidden, Activation::none)};
  for (std::int64_t l = 0; l < kLayers; ++l) {
    const bool last = l == kLayers - 1;
    layers_.push_back(gine_layer(parameter, fmt::format("gnn.layers.{}", l),
                                 last ? kFingerprintWidth : kHidden, l == 0 ? kAtomInput : kHidden,
                                 precision));
    if (!last) {
      virtual_nodes_.push_back(
          virtual_node(parameter, fmt::format("gnn.virtual_node_layers.{}", l), precision));
    }
  }
}

Network::Network(const Parameters& parameters, Precision precision)
    : Network([&](const std::string& name, const std::vector<std::int64_t>&) { return parameters.at(name); },
              precision) {}

at::Tensor Network::encode_positions(const Batch& batch, const Trace& trace) const {
  const at::Tensor laplacian = apply(laplacian_encoder_, batch.laplacian_eigval, batch.laplacian_eigvec);
  const at::Tensor walk = apply(random_walk_encoder_, batch.rw_return_probs);
  show(trace, "la_pos", laplacian);
  show(trace, "rw_pos", walk);
  return laplacian + walk;
}

at::Tensor Network::forward(const Batch& batch, const Trace& trace) const {
  const at::Tensor e = apply(edge_input_, batch.edge_kinds);
  if (trace) {
    trace("pre_nn_edges", e.index_select(0, batch.edges.kind));
  }
  at::Tensor x = apply(atom_input_, at::cat({encode_positions(batch, trace), batch.feat}, 1));
  show(trace, "pre_nn", x);

  at::Tensor r;                                                               // residual stream of the atoms
  at::Tensor g = at::zeros({batch.molecules.count(), kHidden}, x.options());  // state of the virtual nodes
  for (std::size_t l = 0; l < virtual_nodes_.size(); ++l) {
    r = apply(layers_[l], x, batch.edges, e, std::move(r));
    const VirtualNode& node = virtual_nodes_[l];
    g = g + node.update(g + batch.pool_factor * ops::segment_sum(r, batch.molecules));
    x = ops::add_to_segments(r, node.node_projection(kReadOut * g), batch.molecules);
    show(trace, fmt::format("vn{}", l), g);
    show(trace, fmt::format("layer{}", l), x);
  }
  const at::Tensor y = apply(layers_.back(), x, batch.edges, e, at::Tensor());
  show(trace, fmt::format("layer{}", kLayers - 1), y);
  return ops::segment_max(y, batch.molecules);
}

}  // namespace headroom::encoders::minimol
