#include "encoders/minimol/network.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace headroom::encoders::minimol {
namespace {

using ops::Activation;

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

FullyConnected fully_connected(const ParameterSource& parameter, const std::string& name, std::int64_t out,
                               std::int64_t in, Activation activation) {
  return {.linear = linear(parameter, name + ".linear", out, in),
          .normalization = layer_norm(parameter, name + ".normalization", out),
          .activation = activation};
}

LaplacianEncoder laplacian_encoder(const ParameterSource& parameter, const std::string& name) {
  constexpr auto width = kLaplacianHidden;
  return {.linear_in = linear(parameter, name + ".linear_in.linear", width, 2),
          .hidden = linear(parameter, name + ".pe_encoder.fully_connected.0.linear", width, width),
          .out = linear(parameter, name + ".pe_encoder.fully_connected.1.linear", width, width),
          .post_mlp = linear(parameter, name + ".post_mlp.fully_connected.0.linear", kPosition, width)};
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
                     std::int64_t in) {
  const std::string second = name + ".model.nn.fully_connected.1.linear";
  return {
      .edge_projection = linear(parameter, name + ".model.lin", in, kEdgeInput),
      .hidden = fully_connected(parameter, name + ".model.nn.fully_connected.0", in, in, Activation::gelu),
      .out = {.linear = linear(parameter, second, out, in),
              .normalization = layer_norm(parameter, name + ".norm_layer", out),
              .activation = Activation::gelu}};
}

VirtualNode virtual_node(const ParameterSource& parameter, const std::string& name) {
  return {.update = fully_connected(parameter, name + ".fc_layer", kHidden, kHidden, Activation::gelu),
          .node_projection = linear(parameter, name + ".node_projection", kHidden, kHidden)};
}

// What the parts compute.

at::Tensor apply(const FullyConnected& block, const at::Tensor& x) {
  return ops::linear_norm_activation(x, block.linear, block.normalization, block.activation);
}

at::Tensor apply(const std::vector<FullyConnected>& blocks, at::Tensor x) {
  for (const FullyConnected& block : blocks) {
    x = apply(block, x);
  }
  return x;
}

at::Tensor apply(const LaplacianEncoder& encoder, const at::Tensor& eigval, const at::Tensor& eigvec) {
  at::Tensor u = ops::apply(encoder.linear_in, at::stack({eigval, eigvec}, 2));  // [n, 8, 64]
  u = at::relu(ops::apply(encoder.hidden, u));
  u = ops::apply(encoder.out, u);
  return ops::apply(encoder.post_mlp, u.sum(1));
}

at::Tensor apply(const RandomWalkEncoder& encoder, const at::Tensor& return_probabilities) {
  const at::Tensor r = ops::apply(encoder.first_normalization, return_probabilities);
  return apply(encoder.out, apply(encoder.hidden, r));
}

at::Tensor apply(const GineLayer& layer, const at::Tensor& x, const ops::Edges& edges,
                 const at::Tensor& edge_kinds) {
  const at::Tensor a = ops::message_passing(x, edges, ops::apply(layer.edge_projection, edge_kinds));
  return apply(layer.out, apply(layer.hidden, a));
}

/// What the virtual node collects: ln(n)/n times the sum over its n atoms; [molecules, 1].
at::Tensor pool_factor(const ops::Segments& molecules) {
  const at::Tensor size = at::diff(molecules.first).to(at::kFloat).unsqueeze(1);
  return size.log() / size;
}

void show(const Trace& trace, const std::string& name, const at::Tensor& value) {
  if (trace) {
    trace(name, value);
  }
}

}  // namespace

Network::Network(const ParameterSource& parameter)
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
                                 last ? kFingerprintWidth : kHidden, l == 0 ? kAtomInput : kHidden));
    if (!last) {
      virtual_nodes_.push_back(virtual_node(parameter, fmt::format("gnn.virtual_node_layers.{}", l)));
    }
  }
}

Network::Network(const Parameters& parameters)
    : Network(
          [&](const std::string& name, const std::vector<std::int64_t>&) { return parameters.at(name); }) {}

at::Tensor Network::encode_positions(const Batch& batch, const Trace& trace) const {
  const at::Tensor laplacian = apply(laplacian_encoder_, batch.laplacian_eigval, batch.laplacian_eigvec);
  const at::Tensor walk = apply(random_walk_encoder_, batch.rw_return_probs);
  show(trace, "la_pos", laplacian);
  show(trace, "rw_pos", walk);
  return laplacian + walk;
}

at::Tensor Network::forward(const Batch& batch, const Trace& trace) const {
  const at::Tensor pool = pool_factor(batch.molecules);
  const at::Tensor e = apply(edge_input_, batch.edge_kinds);
  show(trace, "pre_nn_edges", e.index_select(0, batch.edges.kind));
  at::Tensor x = apply(atom_input_, at::cat({encode_positions(batch, trace), batch.feat}, 1));
  show(trace, "pre_nn", x);

  at::Tensor r;                                                               // residual stream of the atoms
  at::Tensor g = at::zeros({batch.molecules.count(), kHidden}, x.options());  // state of the virtual nodes
  for (std::size_t l = 0; l < virtual_nodes_.size(); ++l) {
    const at::Tensor y = apply(layers_[l], x, batch.edges, e);
    r = l == 0 ? y : y + r;
    const VirtualNode& node = virtual_nodes_[l];
    g = g + apply(node.update, g + pool * ops::segment_sum(r, batch.molecules));
    x = ops::add_to_segments(r, ops::apply(node.node_projection, kReadOut * g), batch.molecules);
    show(trace, fmt::format("vn{}", l), g);
    show(trace, fmt::format("layer{}", l), x);
  }
  const at::Tensor y = apply(layers_.back(), x, batch.edges, e);
  show(trace, fmt::format("layer{}", kLayers - 1), y);
  return ops::segment_max(y, batch.molecules);
}

}  // namespace headroom::encoders::minimol
