#pragma once

// The definition of the Uni-Mol network. Include it only to instantiate the network for a set of operators.

#include <utility>

#include <fmt/format.h>

#include "molecules/encoders/unimol/network.h"

namespace molgauge::encoders::unimol {

/// Numbers of the positions of dropout. The first position is after the embedding. Each layer has three
/// positions: the attention weights, the output of the heads, and the output of the feed-forward part.
inline constexpr std::int64_t kEmbeddingPlace = 0, kDropoutsOfALayer = 3;

template <typename Operators>
struct Network<Operators>::Parts {
  using Activation = ops::Activation;
  using Linear = typename Operators::Linear;

  const ParameterSource& parameter;
  ops::Precision precision;  ///< precision of the layers

  LayerNorm layer_norm(const std::string& name, std::int64_t width) const {
    return Operators::make_norm(
        {.weight = parameter(name + ".weight", {width}), .bias = parameter(name + ".bias", {width})});
  }
  Linear linear(const std::string& name, std::int64_t out, std::int64_t in) const {
    return {.weight = parameter(name + ".weight", {out, in}), .bias = parameter(name + ".bias", {out})};
  }
  Dense dense(const std::string& name, std::int64_t out, std::int64_t in,
              Activation activation = Activation::none,
              ops::Precision products = ops::Precision::fp32) const {
    return {linear(name, out, in), activation, products};
  }
  Layer layer(const std::string& name, const NetworkShape& shape) const {
    return {.attention_norm = layer_norm(name + ".self_attn_layer_norm", shape.width),
            .joint = {Operators::arrange_joint(
                          linear(name + ".self_attn.in_proj", 3 * shape.width, shape.width), shape.heads),
                      Activation::none, precision},
            .mixed = {Operators::arrange_mixed(linear(name + ".self_attn.out_proj", shape.width, shape.width),
                                               shape.heads),
                      Activation::none, precision},
            .widening_norm = layer_norm(name + ".final_layer_norm", shape.width),
            .widen = dense(name + ".fc1", shape.hidden, shape.width, Activation::gelu, precision),
            .narrow = dense(name + ".fc2", shape.width, shape.hidden, Activation::none, precision)};
  }
};

template <typename Operators>
Network<Operators>::Network(const NetworkShape& shape, const ParameterSource& parameter,
                            ops::Precision precision)
    : heads_(shape.heads) {
  const Parts parts{parameter, precision};
  embedding_ = parameter("embed_tokens.weight", {kTokens, shape.width});
  embedding_norm_ = parts.layer_norm("encoder.emb_layer_norm", shape.width);
  last_norm_ = parts.layer_norm("encoder.final_layer_norm", shape.width);
  kernels_ = {parameter("gbf.mul.weight", {kPairKinds, 1}), parameter("gbf.bias.weight", {kPairKinds, 1}),
              parameter("gbf.means.weight", {1, shape.kernels}),
              parameter("gbf.stds.weight", {1, shape.kernels})};
  pair_hidden_ = parts.dense("gbf_proj.linear1", shape.kernels, shape.kernels, ops::Activation::gelu);
  pair_out_ = parts.dense("gbf_proj.linear2", shape.heads, shape.kernels);
  for (std::int64_t l = 0; l < shape.layers; ++l) {
    layers_.push_back(parts.layer(fmt::format("encoder.layers.{}", l), shape));
  }
}

template <typename Operators>
auto Network<Operators>::forward(const BatchOf<Operators>& batch, Wanted wanted, const Dropout& dropout) const
    -> Outputs<Tensor> {
  Outputs<Tensor> x = advance(begin(batch, dropout), batch.molecules, {0, layers()}, wanted, dropout);
  x.tokens = finish(x.tokens);
  return x;
}

template <typename Operators>
auto Network<Operators>::begin(const BatchOf<Operators>& batch, const Dropout& dropout) const
    -> Outputs<Tensor> {
  Tensor pairs = Operators::pair_logits(batch.tokens, batch.distances, batch.molecules, kernels_,
                                        pair_hidden_, pair_out_);
  return {Operators::embed(embedding_, batch.tokens, embedding_norm_, batch.molecules,
                           dropout.at_place(kEmbeddingPlace)),
          std::move(pairs)};
}

template <typename Operators>
auto Network<Operators>::advance(Outputs<Tensor> from, const typename Operators::Segments& molecules,
                                 LayerRange range, Wanted wanted, const Dropout& dropout) const
    -> Outputs<Tensor> {
  auto& [x, pairs] = from;
  const bool is_measurement =
      wanted == Wanted::memory_of_class_tokens || wanted == Wanted::memory_of_everything;
  const bool class_only = wanted == Wanted::class_tokens || wanted == Wanted::memory_of_class_tokens;
  for (std::int64_t l = range.first; l < range.last; ++l) {
    const Layer& layer = layers_[static_cast<std::size_t>(l)];
    const bool is_last = l + 1 == layers();
    if (is_measurement && !is_last && l != 0) {
      continue;
    }
    // In the last layer, the first token needs the keys and values of the other tokens, but not their
    // outputs.
    const bool first_only = class_only && is_last;
    const auto place = [&](std::int64_t part) { return dropout.at_place(1 + kDropoutsOfALayer * l + part); };
    Tensor mixed;
    {
      const Tensor joint = Operators::normalised(layer.attention_norm, layer.joint, x);
      mixed = Operators::attend(joint, pairs, molecules, heads_, first_only, place(0));
    }
    if (first_only) {
      x = Operators::first_rows(x, molecules);
    }
    x = Operators::finish_layer(std::move(x), layer.mixed, mixed, layer.widening_norm, layer.widen,
                                layer.narrow, molecules, place(1), place(2));
  }
  return from;
}

}  // namespace molgauge::encoders::unimol
