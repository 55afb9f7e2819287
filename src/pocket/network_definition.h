#pragma once

// The definition of the pocket encoder. Included where it is made for a set of operators, nowhere else.

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "pocket/network.h"

namespace headroom::pocket {

/// Degree of the spherical harmonics of edges, and attributes of each kind of terms.
inline constexpr int kHarmonicDegree = 2;
inline constexpr std::int64_t kBondAttributes = 2, kPairAttributes = 3, kAngleAttributes = 2,
                              kDihedralAttributes = 3;

template <typename Operators>
struct Encoder<Operators>::Parts {
  using Linear = typename Operators::Linear;

  const EncoderShape& shape;
  const ParameterSource& parameter;
  std::int64_t scalars;
  ops::Irreps gated;

  Dense dense(const std::string& name, std::int64_t out, std::int64_t in) const {
    return {
        Linear{.weight = parameter(name + ".weight", {out, in}), .bias = parameter(name + ".bias", {out})},
        ops::Activation::none};
  }
  LayerNorm layer_norm(const std::string& name, std::int64_t width) const {
    return {.weight = parameter(name + ".weight", {width}), .bias = parameter(name + ".bias", {width})};
  }
  IrrepsLinear irreps_linear(const std::string& name, const ops::Irreps& in, const ops::Irreps& out) const {
    return Operators::irreps_linear(in, out,
                                    parameter(name + ".weight", {ops::IrrepsLinear::weight_count(in, out)}));
  }
  ops::Irreps only_scalars() const { return ops::Irreps({shape.hidden.blocks()[0]}); }

  MessageLayer message_layer(const std::string& name, std::int64_t attributes, bool has_own,
                             std::int64_t weights) const {
    const std::string radial = name + ".radial_mlp";
    MessageLayer layer{
        .in = irreps_linear(name + ".linear_in", shape.hidden, shape.hidden),
        .own = {},
        .radial_first = dense(radial + ".0", shape.radial_hidden, shape.radial_basis.functions + attributes),
        .radial_second = dense(radial + ".2", shape.radial_hidden, shape.radial_hidden),
        .weight = parameter(radial + ".4.weight", {weights, shape.radial_hidden}),
        .bias = parameter(radial + ".4.bias", {weights}),
        .norm = {}};
    if (has_own) {
      layer.own = irreps_linear(name + ".self_connection", shape.hidden, gated);
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
  AngularLayer angular_layer(const std::string& name, const std::string& kind,
                             std::int64_t attributes) const {
    return {perceptron(fmt::format("{}.{}_mlp", name, kind), {0, 2, 4}, 2 * scalars + attributes,
                       shape.radial_hidden, scalars),
            irreps_linear(name + ".output_projection", only_scalars(), shape.hidden)};
  }
};

template <typename Operators>
Encoder<Operators>::Encoder(const EncoderShape& shape, const ParameterSource& parameter) : shape_(shape) {
  const auto& blocks = shape.hidden.blocks();
  const auto is_scalar = [](const ops::IrrepBlock& b) { return b.degree == 0; };
  if (blocks.empty() || !is_scalar(blocks[0]) || blocks[0].parity != ops::Parity::even ||
      std::count_if(blocks.begin(), blocks.end(), is_scalar) != 1) {
    throw UsageError(
        fmt::format("hidden irreps {}: they must begin with even scalars (32x0e, say) and have no others",
                    shape.hidden.to_string()));
  }
  const bool has_gate = shape.gate && blocks.size() > 1;
  const Parts parts{shape, parameter, blocks[0].multiplicity,
                    has_gate ? ops::gated(shape.hidden) : shape.hidden};
  product_ = std::make_shared<const ops::TensorProduct>(shape.hidden, kHarmonicDegree, parts.gated);
  frequencies_ = Operators::constant(ops::bessel_frequencies(shape.radial_basis));
  const std::string embedding = "input_embedding.feature_mlp.";
  feature_first_ = parts.dense(embedding + "0", shape.feature_hidden, shape.features);
  feature_norm_ = parts.layer_norm(embedding + "2", shape.feature_hidden);
  feature_second_ = parts.dense(embedding + "3", shape.feature_hidden, shape.feature_hidden);
  second_feature_norm_ = parts.layer_norm(embedding + "5", shape.feature_hidden);
  feature_third_ = parts.dense(embedding + "6", parts.scalars, shape.feature_hidden);
  embedding_ = parts.irreps_linear("input_embedding.irreps_projection", parts.only_scalars(), shape.hidden);
  if (shape.multi_hop) {
    angle_weight_ = parameter("angle_weight", {});
    dihedral_weight_ = parameter("dihedral_weight", {});
  }
  if (shape.nonbonded) {
    nonbonded_weight_ = parameter("nonbonded_weight", {});
  }
  for (std::int64_t i = 0; i < shape.layers; ++i) {
    Layer layer;
    const auto name = [&](const char* kind) { return fmt::format("{}_mp_layers.{}", kind, i); };
    layer.bonded = parts.message_layer(name("bonded"), kBondAttributes, true, product_->weights());
    if (shape.nonbonded) {
      layer.nonbonded = parts.message_layer(name("nonbonded"), kPairAttributes, false, product_->weights());
    }
    if (shape.multi_hop) {
      layer.angles = parts.angular_layer(name("angle"), "angle", kAngleAttributes);
      layer.dihedrals = parts.angular_layer(name("dihedral"), "dihedral", kDihedralAttributes);
    }
    layers_.push_back(std::move(layer));
  }
  const std::int64_t channels = shape.hidden.channels();
  if (shape.pooling == Pooling::attention) {
    attention_ = parts.perceptron("pooling_mlp", {0, 3, 6}, channels, shape.pooling_hidden, 1);
  }
  output_ = parts.dense("output_projection.0", shape.output, channels);
  output_norm_ = parts.layer_norm("output_projection.1", shape.output);
}

template <typename Operators>
auto Encoder<Operators>::apply(const Perceptron& perceptron, const Tensor& x) const -> Tensor {
  return perceptron.third(Operators::silu(perceptron.second(Operators::silu(perceptron.first(x)))));
}

template <typename Operators>
auto Encoder<Operators>::geometry(const EdgeTermsOf<Operators>& terms, const Tensor& positions) const
    -> Geometry {
  const Tensor vectors = Operators::edge_vectors(positions, terms.edges);
  const Tensor basis =
      Operators::radial_basis(Operators::lengths(vectors), frequencies_, shape_.radial_basis.cutoff);
  return {Operators::spherical_harmonics(vectors, kHarmonicDegree),
          Operators::join_columns(basis, terms.attributes)};
}

template <typename Operators>
auto Encoder<Operators>::embed(const Tensor& features) const -> Tensor {
  const Tensor first = Operators::apply(feature_norm_, Operators::silu(feature_first_(features)));
  const Tensor second = Operators::apply(second_feature_norm_, Operators::silu(feature_second_(first)));
  return embedding_(feature_third_(second));
}

template <typename Operators>
auto Encoder<Operators>::message(const MessageLayer& layer, const EdgeTermsOf<Operators>& terms,
                                 const Geometry& geometry, const Tensor& h) const -> Tensor {
  const Tensor radial =
      Operators::silu(layer.radial_second(Operators::silu(layer.radial_first(geometry.radial))));
  Tensor sum = Operators::message(product_, layer.in(h), terms.edges, geometry.harmonics, radial,
                                  layer.weight, layer.bias);
  if (shape_.average_neighbours) {
    sum = Operators::scale(sum, static_cast<float>(1 / std::sqrt(*shape_.average_neighbours)));
  }
  if (layer.own) {
    sum = Operators::add((*layer.own)(h), sum);
  }
  if (product_->out() != shape_.hidden) {
    sum = Operators::gate(sum, shape_.hidden);
  }
  if (layer.own) {
    sum = Operators::add(h, sum);
  }
  return shape_.layer_norm ? Operators::apply(layer.norm, sum, shape_.hidden) : sum;
}

template <typename Operators>
auto Encoder<Operators>::angular(const AngularLayer& layer, const AngularTermsOf<Operators>& terms,
                                 const Tensor& h) const -> Tensor {
  const Tensor scalars = Operators::first_columns(h, shape_.hidden.offset(1));
  const Tensor ends = Operators::join_columns(Operators::select_rows(scalars, terms.atoms.front()),
                                              Operators::select_rows(scalars, terms.atoms.back()));
  const Tensor made = apply(layer.perceptron, Operators::join_columns(ends, terms.attributes));
  Tensor mean = Operators::mean_of_terms(made, terms.inner[0]);
  for (std::size_t place = 1; place < terms.inner.size(); ++place) {
    mean = Operators::add(mean, Operators::mean_of_terms(made, terms.inner[place]));
  }
  return layer.out(Operators::scale(mean, 1 / static_cast<float>(terms.inner.size())));
}

template <typename Operators>
auto Encoder<Operators>::invariants(const BatchOf<Operators>& batch,
                                    const typename Operators::Dropout& dropout) const -> Tensor {
  const Geometry bonds = geometry(batch.bonds, batch.positions);
  const bool has_pairs = shape_.nonbonded && Operators::rows(batch.pairs.attributes) > 0;
  const Geometry pairs = has_pairs ? geometry(batch.pairs, batch.positions) : Geometry{};
  Tensor h = embed(batch.features);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const Layer& layer = layers_[i];
    Tensor next = message(layer.bonded, batch.bonds, bonds, h);
    if (shape_.multi_hop && Operators::rows(batch.angles.attributes) > 0) {
      next = Operators::add_scaled(next, angular(layer.angles, batch.angles, h), angle_weight_);
    }
    if (shape_.multi_hop && Operators::rows(batch.dihedrals.attributes) > 0) {
      next = Operators::add_scaled(next, angular(layer.dihedrals, batch.dihedrals, h), dihedral_weight_);
    }
    if (has_pairs) {
      next = Operators::add_scaled(next, message(layer.nonbonded, batch.pairs, pairs, h), nonbonded_weight_);
    }
    h = Operators::drop_scalars(next, shape_.hidden, batch.pockets,
                                dropout.at_place(static_cast<std::int64_t>(i)));
  }
  return Operators::invariants(h, shape_.hidden);
}

template <typename Operators>
auto Encoder<Operators>::pool(const Tensor& invariants, const typename Operators::Segments& pockets) const
    -> Tensor {
  switch (shape_.pooling) {
    case Pooling::attention:
      return Operators::weighted_sum(invariants, apply(attention_, invariants), pockets);
    case Pooling::mean:
      return Operators::segment_mean(invariants, pockets);
    case Pooling::sum:
      return Operators::segment_sum(invariants, pockets);
    case Pooling::max:
      break;
  }
  return Operators::segment_max(invariants, pockets);
}

template <typename Operators>
auto Encoder<Operators>::forward(const BatchOf<Operators>& batch,
                                 const typename Operators::Dropout& dropout) const -> Tensor {
  return Operators::apply(output_norm_, output_(pool(invariants(batch, dropout), batch.pockets)));
}

}  // namespace headroom::pocket
