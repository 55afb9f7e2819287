#pragma once

// The parts of the pocket encoder. Only its definition includes this file.

#include <array>
#include <string>

#include <fmt/format.h>

#include "pockets/network.h"

namespace molgauge::pocket {

/// Degree of the spherical harmonics of edges, and numbers of attributes of each kind of terms.
inline constexpr int kHarmonicDegree = 2;
inline constexpr std::int64_t kBondAttributes = 2, kPairAttributes = 3, kAngleAttributes = 2,
                              kDihedralAttributes = 3;
/// The number of features of an angle (its cosine) and of a dihedral (its cosine and sine) in V3.
inline constexpr std::int64_t kAngleNumbers = 1, kDihedralNumbers = 2;

/// Creates the parts of the encoder. The names of their parameters are the names in checkpoints.
template <typename Operators>
struct Encoder<Operators>::Parts {
  using Linear = typename Operators::Linear;

  const EncoderShape& shape;
  const ParameterSource& parameter;
  std::int64_t scalars;
  std::shared_ptr<const ops::TensorProduct> product;

  Dense dense(const std::string& name, std::int64_t out, std::int64_t in) const {
    return {linear(name, out, in), ops::Activation::none};
  }
  Linear linear(const std::string& name, std::int64_t out, std::int64_t in) const {
    return {.weight = parameter(name + ".weight", {out, in}), .bias = parameter(name + ".bias", {out})};
  }
  LayerNorm layer_norm(const std::string& name, std::int64_t width) const {
    return {.weight = parameter(name + ".weight", {width}), .bias = parameter(name + ".bias", {width})};
  }
  IrrepsLinear irreps_linear(const std::string& name, const ops::Irreps& in, const ops::Irreps& out) const {
    return Operators::irreps_linear(in, out,
                                    parameter(name + ".weight", {ops::IrrepsLinear::weight_count(in, out)}));
  }
  ops::Irreps only_scalars() const { return ops::Irreps({shape.hidden.blocks()[0]}); }

  MessageLayer message_layer(const std::string& name, std::int64_t attributes, bool has_own) const {
    const std::string radial = name + ".radial_mlp";
    MessageLayer layer{
        .in = irreps_linear(name + ".linear_in", shape.hidden, shape.hidden),
        .own = {},
        .message = Operators::message(
            product, linear(radial + ".0", shape.radial_hidden, shape.radial_basis.functions + attributes),
            linear(radial + ".2", shape.radial_hidden, shape.radial_hidden),
            linear(radial + ".4", product->weights(), shape.radial_hidden)),
        .norm = {}};
    if (has_own) {
      const bool is_gated = !(shape.third && shape.third->improved_layers);
      layer.own =
          irreps_linear(name + ".self_connection", shape.hidden, is_gated ? product->out() : shape.hidden);
    }
    if (shape.layer_norm) {
      layer.norm = {layer_norm(name + ".layer_norm", scalars), shape.channel_norm};
    }
    return layer;
  }
  Perceptron perceptron(const std::string& name, std::array<int, 3> places, std::int64_t in,
                        std::int64_t hidden, std::int64_t out) const {
    return {dense(fmt::format("{}.{}", name, places[0]), hidden, in),
            dense(fmt::format("{}.{}", name, places[1]), hidden, hidden),
            dense(fmt::format("{}.{}", name, places[2]), out, hidden)};
  }
  /// `turns`: number of geometric features of the angle or dihedral. Only V3 uses these features.
  AngularLayer angular_layer(const std::string& name, const std::string& kind, std::int64_t attributes,
                             std::int64_t turns) const {
    const std::int64_t in = 2 * scalars + attributes + (shape.third ? turns : 0);
    AngularLayer layer;
    if (shape.third) {
      layer.norm = layer_norm(name + ".input_norm", in);
    }
    layer.perceptron =
        perceptron(fmt::format("{}.{}_mlp", name, kind), {0, 2, 4}, in, shape.radial_hidden, scalars);
    layer.out = irreps_linear(name + ".output_projection", only_scalars(), shape.hidden);
    return layer;
  }
  RowNorm row_norm(const std::string& name) const {
    if (shape.third->improved_layers && shape.third->norm == StreamNorm::rms) {
      return {{}, parameter(name + ".weight", {shape.hidden.width()})};
    }
    const auto channels = shape.third->improved_layers ? shape.channel_norm : ops::ChannelNorm::length;
    return {typename Operators::EquivariantNorm{layer_norm(name, scalars), channels}, {}};
  }
  Layer layer(std::int64_t number) const {
    Layer layer;
    const auto name = [&](const char* kind) { return fmt::format("{}.{}", kind, number); };
    layer.bonded = message_layer(name("bonded_mp_layers"), kBondAttributes, true);
    if (shape.nonbonded) {
      layer.nonbonded = message_layer(name("nonbonded_mp_layers"), kPairAttributes, false);
    }
    if (shape.multi_hop) {
      layer.angles = angular_layer(name("angle_mp_layers"), "angle", kAngleAttributes, kAngleNumbers);
      layer.dihedrals =
          angular_layer(name("dihedral_mp_layers"), "dihedral", kDihedralAttributes, kDihedralNumbers);
    }
    if (shape.third && (shape.multi_hop || shape.nonbonded)) {
      layer.before = row_norm(name("aggregation_layer_norms"));
      layer.after = row_norm(name("post_aggregation_layer_norms"));
    }
    return layer;
  }
  PathWeights path_weights() const {
    if (shape.third) {
      const auto fixed = [](double weight) {
        ops::Floats number{1};
        *number.data() = static_cast<float>(weight);
        return Operators::constant(number);
      };
      return {fixed(shape.third->angle_weight), fixed(shape.third->dihedral_weight),
              fixed(shape.third->nonbonded_weight)};
    }
    PathWeights weights;
    if (shape.multi_hop) {
      weights.angle = parameter("angle_weight", {});
      weights.dihedral = parameter("dihedral_weight", {});
    }
    if (shape.nonbonded) {
      weights.nonbonded = parameter("nonbonded_weight", {});
    }
    return weights;
  }
  HeadPooling head_pooling() const {
    const std::int64_t in = shape.invariants(), hidden = shape.pooling_hidden;
    return {parameter("pooling.queries", {shape.heads, hidden / shape.heads}),
            dense("pooling.key_proj", hidden, in), dense("pooling.value_proj", hidden, in),
            dense("pooling.output_proj", in, hidden)};
  }
};

}  // namespace molgauge::pocket
