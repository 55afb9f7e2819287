#pragma once

// The definition of Uni-Mol's network. Included where it is made for a set of operators, nowhere else.

#include <fmt/format.h>

#include "encoders/unimol/network.h"

namespace headroom::encoders::unimol {

template <typename Operators>
struct Network<Operators>::Parts {
  using Activation = ops::Activation;

  const ParameterSource& parameter;

  LayerNorm layer_norm(const std::string& name, std::int64_t width) const {
    return {.weight = parameter(name + ".weight", {width}), .bias = parameter(name + ".bias", {width})};
  }
  Dense dense(const std::string& name, std::int64_t out, std::int64_t in,
              Activation activation = Activation::none) const {
    return {typename Operators::Linear{.weight = parameter(name + ".weight", {out, in}),
                                       .bias = parameter(name + ".bias", {out})},
            activation};
  }
  Layer layer(const std::string& name, const NetworkShape& shape) const {
    return {.attention_norm = layer_norm(name + ".self_attn_layer_norm", shape.width),
            .joint = dense(name + ".self_attn.in_proj", 3 * shape.width, shape.width),
            .mixed = dense(name + ".self_attn.out_proj", shape.width, shape.width),
            .widening_norm = layer_norm(name + ".final_layer_norm", shape.width),
            .widen = dense(name + ".fc1", shape.hidden, shape.width, Activation::gelu),
            .narrow = dense(name + ".fc2", shape.width, shape.hidden)};
  }
};

template <typename Operators>
Network<Operators>::Network(const NetworkShape& shape, const ParameterSource& parameter)
    : heads_(shape.heads) {
  const Parts parts{parameter};
  embedding_ = parameter("embed_tokens.weight", {kTokens, shape.width});
  embedding_norm_ = parts.layer_norm("encoder.emb_layer_norm", shape.width);
  last_norm_ = parts.layer_norm("encoder.final_layer_norm", shape.width);
  kernels_ = {.factors = parameter("gbf.mul.weight", {kPairKinds, 1}),
              .offsets = parameter("gbf.bias.weight", {kPairKinds, 1}),
              .means = parameter("gbf.means.weight", {1, shape.kernels}),
              .widths = parameter("gbf.stds.weight", {1, shape.kernels})};
  pair_hidden_ = parts.dense("gbf_proj.linear1", shape.kernels, shape.kernels, ops::Activation::gelu);
  pair_out_ = parts.dense("gbf_proj.linear2", shape.heads, shape.kernels);
  for (std::int64_t l = 0; l < shape.layers; ++l) {
    layers_.push_back(parts.layer(fmt::format("encoder.layers.{}", l), shape));
  }
}

template <typename Operators>
auto Network<Operators>::forward(const BatchOf<Operators>& batch) const -> Outputs<Tensor> {
  Tensor pairs =
      pair_out_(pair_hidden_(Operators::gaussian_features(batch.distances, batch.kinds, kernels_)));
  Tensor x = Operators::apply(embedding_norm_, Operators::select_rows(embedding_, batch.tokens));
  for (const Layer& layer : layers_) {
    const Tensor joint = layer.joint(Operators::apply(layer.attention_norm, x));
    x = Operators::add(x, layer.mixed(Operators::attend(joint, pairs, batch.molecules, heads_)));
    x = Operators::add(x, layer.narrow(layer.widen(Operators::apply(layer.widening_norm, x))));
  }
  return {Operators::apply(last_norm_, x), pairs};
}

}  // namespace headroom::encoders::unimol
