#pragma once

// The definition of the pocket encoder. Include it only to instantiate the encoder for a set of operators.

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "pockets/encoder_shape.h"
#include "pockets/network.h"
#include "pockets/network_parts.h"

namespace molgauge::pocket {

template <typename Operators>
Encoder<Operators>::Encoder(const EncoderShape& shape, const ParameterSource& parameter) : shape_(shape) {
  require_possible(shape);
  const auto& blocks = shape.hidden.blocks();
  const bool has_gate = shape.gate && blocks.size() > 1;
  const ops::Irreps gated = has_gate ? ops::gated(shape.hidden) : shape.hidden;
  product_ = std::make_shared<const ops::TensorProduct>(shape.hidden, kHarmonicDegree, gated);
  const Parts parts{shape, parameter, blocks[0].multiplicity, product_};
  frequencies_ = Operators::constant(ops::bessel_frequencies(shape.radial_basis));
  const std::string embedding = "input_embedding.feature_mlp.";
  feature_first_ = parts.dense(embedding + "0", shape.feature_hidden, shape.features);
  feature_norm_ = parts.layer_norm(embedding + "2", shape.feature_hidden);
  feature_second_ = parts.dense(embedding + "3", shape.feature_hidden, shape.feature_hidden);
  second_feature_norm_ = parts.layer_norm(embedding + "5", shape.feature_hidden);
  feature_third_ = parts.dense(embedding + "6", parts.scalars, shape.feature_hidden);
  embedding_ = parts.irreps_linear("input_embedding.irreps_projection", parts.only_scalars(), shape.hidden);
  weights_ = parts.path_weights();
  for (std::int64_t i = 0; i < shape.layers; ++i) {
    layers_.push_back(parts.layer(i));
  }
  if (shape.pooling == Pooling::attention) {
    attention_ = parts.perceptron("pooling_mlp", {0, 3, 6}, shape.invariants(), shape.pooling_hidden, 1);
  } else if (shape.pooling == Pooling::heads) {
    heads_ = parts.head_pooling();
  }
  output_ = parts.dense("output_projection.0", shape.output, shape.invariants());
  output_norm_ = parts.layer_norm("output_projection.1", shape.output);
}

template <typename Operators>
auto Encoder<Operators>::apply(const Perceptron& perceptron, const Tensor& x) const -> Tensor {
  return Operators::silu_layers(perceptron.first, perceptron.second, perceptron.third, x);
}

template <typename Operators>
auto Encoder<Operators>::geometry(const EdgeTermsOf<Operators>& terms, const Tensor& positions) const
    -> Geometry {
  if (auto made = Operators::edge_geometry(positions, terms.edges, terms.attributes, frequencies_,
                                           shape_.radial_basis.cutoff, kHarmonicDegree)) {
    return {made->first, made->second};
  }
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
                                 const Geometry& geometry, const Tensor& h, const Tensor* in,
                                 const Tensor* own) const -> Tensor {
  const auto self_connection = [&] { return own != nullptr ? *own : (*layer.own)(h); };
  Tensor sum =
      layer.message(in != nullptr ? *in : layer.in(h), terms.edges, geometry.harmonics, geometry.radial);
  if (shape_.average_neighbours) {
    sum = Operators::scale(sum, static_cast<float>(1 / std::sqrt(*shape_.average_neighbours)));
  }
  const bool is_improved = shape_.third && shape_.third->improved_layers;
  if (layer.own && !is_improved) {
    sum = Operators::add(self_connection(), sum);
  }
  sum = activate(sum);
  if (layer.own && is_improved) {
    sum = Operators::add(self_connection(), sum);
  }
  if (layer.own) {
    sum = Operators::add(h, sum);
  }
  return shape_.layer_norm ? Operators::apply(layer.norm, sum, shape_.hidden) : sum;
}

template <typename Operators>
auto Encoder<Operators>::activate(const Tensor& sum) const -> Tensor {
  if (product_->out() != shape_.hidden) {
    return Operators::gate(sum, shape_.hidden);
  }
  return shape_.third && shape_.third->improved_layers ? Operators::norm_activation(sum, shape_.hidden) : sum;
}

template <typename Operators>
auto Encoder<Operators>::normalise(const RowNorm& norm, const Tensor& h) const -> Tensor {
  return norm.layer ? Operators::apply(*norm.layer, h, shape_.hidden) : Operators::rms_norm(h, *norm.scale);
}

template <typename Operators>
auto Encoder<Operators>::angular(const AngularLayer& layer, const AngularTermsOf<Operators>& terms,
                                 const Tensor& attributes, const Tensor& h) const -> Tensor {
  const Tensor told = Operators::join_ends(h, shape_.hidden.offset(1), terms, attributes);
  const Tensor made = apply(layer.perceptron, layer.norm ? Operators::apply(*layer.norm, told) : told);
  return layer.out(Operators::mean_of_terms(made, terms));
}

template <typename Operators>
auto Encoder<Operators>::know(const BatchOf<Operators>& batch) const -> Known {
  Known known;
  known.bonds = geometry(batch.bonds, batch.positions);
  known.has_pairs = shape_.nonbonded && Operators::rows(batch.pairs.attributes) > 0;
  known.has_angles = shape_.multi_hop && Operators::rows(batch.angles.attributes) > 0;
  known.has_dihedrals = shape_.multi_hop && Operators::rows(batch.dihedrals.attributes) > 0;
  if (known.has_pairs) {
    known.pairs = geometry(batch.pairs, batch.positions);
  }
  known.angles = batch.angles.attributes;
  known.dihedrals = batch.dihedrals.attributes;
  if (shape_.third && known.has_angles) {
    known.angles =
        Operators::join_columns(known.angles, Operators::angle_cosines(batch.positions, batch.angles.atoms));
  }
  if (shape_.third && known.has_dihedrals) {
    known.dihedrals = Operators::join_columns(
        known.dihedrals, Operators::dihedral_turns(batch.positions, batch.dihedrals.atoms));
  }
  return known;
}

template <typename Operators>
auto Encoder<Operators>::layer(const Layer& layer, const BatchOf<Operators>& batch, const Known& known,
                               const Tensor& h) const -> Tensor {
  const Tensor read = layer.before ? normalise(*layer.before, h) : h;
  std::vector<const IrrepsLinear*> linears = {&layer.bonded.in, &*layer.bonded.own};
  if (known.has_pairs) {
    linears.push_back(&layer.nonbonded.in);
  }
  const std::vector<Tensor> mixed = Operators::irreps_linears(linears, read);
  const auto result = [&](std::size_t l) { return mixed.empty() ? nullptr : &mixed[l]; };
  Tensor made = message(layer.bonded, batch.bonds, known.bonds, read, result(0), result(1));
  if (shape_.third) {
    made = Operators::scale(made, static_cast<float>(shape_.third->bonded_weight));
  }
  if (known.has_angles) {
    made =
        Operators::add_scaled(made, angular(layer.angles, batch.angles, known.angles, read), weights_.angle);
  }
  if (known.has_dihedrals) {
    made = Operators::add_scaled(made, angular(layer.dihedrals, batch.dihedrals, known.dihedrals, read),
                                 weights_.dihedral);
  }
  if (known.has_pairs) {
    made = Operators::add_scaled(made,
                                 message(layer.nonbonded, batch.pairs, known.pairs, read, result(2), nullptr),
                                 weights_.nonbonded);
  }
  return shape_.third ? Operators::add(h, layer.after ? normalise(*layer.after, made) : made) : made;
}

template <typename Operators>
auto Encoder<Operators>::invariants(const BatchOf<Operators>& batch,
                                    const typename Operators::Dropout& dropout) const -> Tensor {
  const Known known = know(batch);
  Tensor h = embed(batch.features);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    h = Operators::drop_scalars(layer(layers_[i], batch, known, h), shape_.hidden, batch.pockets,
                                dropout.at_place(static_cast<std::int64_t>(i)));
  }
  return shape_.third && shape_.third->enhanced_invariants ? Operators::paired_invariants(h, shape_.hidden)
                                                           : Operators::invariants(h, shape_.hidden);
}

template <typename Operators>
auto Encoder<Operators>::pool(const Tensor& invariants, const typename Operators::Segments& pockets,
                              const typename Operators::Dropout& dropout) const -> Tensor {
  const auto drop = [&](const Tensor& x, std::int64_t place) {
    return Operators::drop(x, pockets, dropout.at_place(shape_.layers + place));
  };
  switch (shape_.pooling) {
    case Pooling::attention: {
      const Tensor first = drop(Operators::silu(attention_.first(invariants)), 0);
      const Tensor second = drop(Operators::silu(attention_.second(first)), 1);
      return Operators::weighted_sum(invariants, attention_.third(second), pockets);
    }
    case Pooling::heads:
      return heads_.out(Operators::pool_by_heads(heads_.queries, heads_.key(invariants),
                                                 heads_.value(invariants), pockets,
                                                 dropout.at_place(shape_.layers)));
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
  return Operators::apply(output_norm_, output_(pool(invariants(batch, dropout), batch.pockets, dropout)));
}

}  // namespace molgauge::pocket
