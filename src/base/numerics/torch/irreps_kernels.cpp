#include "base/numerics/torch/irreps_kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include "base/numerics/ops/equivariant/layers.h"
#include "base/numerics/torch/cuda/irreps_steps.h"
#include "base/numerics/torch/perceptron_kernels.h"
#include "base/numerics/torch/run_kernel.h"
#include "base/numerics/torch/saved_value.h"
#include "base/numerics/torch/torch_compatibility.h"

namespace molgauge::torch {
namespace {

using ::torch::autograd::AutogradContext;
using Tensors = ::torch::autograd::variable_list;

cuda::ChannelLayout layout_of(const ops::Irreps& irreps) {
  cuda::ChannelLayout layout{};
  layout.scalars = static_cast<std::int32_t>(irreps.blocks().front().multiplicity);
  for (std::size_t block = 1; block < irreps.blocks().size(); ++block) {
    layout.channels[layout.blocks] = static_cast<std::int32_t>(irreps.blocks()[block].multiplicity);
    layout.components[layout.blocks++] = static_cast<std::int32_t>(irreps.blocks()[block].components());
  }
  return layout;
}

/// The irreps of a layer, and its pairs of blocks without pointers. `weights` are the numbers of weights
/// before each pair.
struct MixLayer {
  std::vector<cuda::MixedBlocks> pairs;
  std::vector<std::int64_t> weights;
  std::int64_t out_width;
};

MixLayer mix_layer(const ops::Irreps& in, const ops::Irreps& out) {
  MixLayer layer{{}, {}, out.width()};
  std::int64_t weights = 0;
  for (std::size_t i = 0; i < in.blocks().size(); ++i) {
    const ops::IrrepBlock& from = in.blocks()[i];
    const std::int64_t channels = in.channels_of_kind(from);
    for (std::size_t o = 0; o < out.blocks().size(); ++o) {
      const ops::IrrepBlock& to = out.blocks()[o];
      if (!from.is_same_kind(to)) {
        continue;
      }
      layer.pairs.push_back({.rows = nullptr,
                             .weight = nullptr,
                             .from_width = in.width(),
                             .from = static_cast<std::int32_t>(in.offset(i)),
                             .to = static_cast<std::int32_t>(out.offset(o)),
                             .from_channels = static_cast<std::int32_t>(from.multiplicity),
                             .to_channels = static_cast<std::int32_t>(to.multiplicity),
                             .from_step = static_cast<std::int32_t>(to.multiplicity),
                             .to_step = 1,
                             .components = static_cast<std::int32_t>(from.components()),
                             .scale = 1 / std::sqrt(static_cast<float>(channels))});
      layer.weights.push_back(weights);
      weights += from.multiplicity * to.multiplicity;
    }
  }
  return layer;
}

using MixLayers = std::vector<MixLayer>;

/// Layers of irreps on the same rows. The weights of missing layers are empty.
class Mix : public ::torch::autograd::Function<Mix> {
 public:
  static Tensors forward(AutogradContext* context, const at::Tensor& rows, const at::Tensor& weight1,
                         const at::Tensor& weight2, const at::Tensor& weight3, const MixLayers& layers) {
    context->save_for_backward({rows, weight1, weight2, weight3});
    save_value(context, layers);
    const at::Tensor* const weights[] = {&weight1, &weight2, &weight3};
    Tensors out;
    cuda::ChannelMix mix{};
    int pairs = 0;
    for (std::size_t l = 0; l < layers.size(); ++l) {
      out.push_back(at::empty({rows.size(0), layers[l].out_width}, rows.options()));
      for (std::size_t p = 0; p < layers[l].pairs.size(); ++p) {
        cuda::MixedBlocks pair = layers[l].pairs[p];
        pair.rows = read_numbers<float>(rows);
        pair.weight = read_numbers<float>(*weights[l]) + layers[l].weights[p];
        mix.pairs[pairs++] = pair;
      }
      mix.outputs[l] = {write_numbers<float>(out[l]), layers[l].out_width, pairs};
      mix.all_width += layers[l].out_width;
    }
    run_kernel(mix, rows.size(0) * mix.all_width, rows.device());
    return out;
  }

  static Tensors backward(AutogradContext* context, const Tensors& given) {
    const Tensors saved = context->get_saved_variables();
    const auto layers = saved_value<MixLayers>(context);
    const at::Tensor& rows = saved[0];
    const at::Tensor of_rows = at::empty_like(rows);
    Tensors gradients, of_weights(3);
    cuda::ChannelMix back{};
    cuda::MixGradients sums{};
    sums.n = rows.size(0);
    int pairs = 0;
    for (std::size_t l = 0; l < layers.size(); ++l) {
      const MixLayer& layer = layers[l];
      gradients.push_back(given[l].contiguous());
      of_weights[l] = at::empty_like(saved[1 + l]);
      for (std::size_t p = 0; p < layer.pairs.size(); ++p, ++pairs) {
        cuda::MixedBlocks pair = layer.pairs[p];
        sums.weights += std::int64_t{pair.from_channels} * pair.to_channels;
        sums.own[pairs] = {read_numbers<float>(gradients[l]), layer.out_width,
                           write_numbers<float>(of_weights[l]) + layer.weights[p], sums.weights};
        pair.rows = read_numbers<float>(rows);
        sums.pairs[pairs] = pair;
        pair.rows = read_numbers<float>(gradients[l]);
        pair.weight = read_numbers<float>(saved[1 + l]) + layer.weights[p];
        pair.from_width = layer.out_width;
        std::swap(pair.from, pair.to);
        std::swap(pair.from_channels, pair.to_channels);
        std::swap(pair.from_step, pair.to_step);
        back.pairs[pairs] = pair;
      }
    }
    back.outputs[0] = {write_numbers<float>(of_rows), rows.size(1), pairs};
    back.all_width = rows.size(1);
    run_kernel(back, of_rows.numel(), rows.device());
    run_tiles(sums, sums.tiles(), rows.device());
    return {of_rows, of_weights[0], of_weights[1], of_weights[2], at::Tensor()};
  }
};

cuda::Gate gate_of(const cuda::ChannelLayout& layout, const at::Tensor& rows) {
  const std::int64_t gates = layout.count();
  return {.layout = layout,
          .x = read_numbers<float>(rows),
          .in_width = rows.size(1),
          .out_width = rows.size(1) - gates,
          .silu_scale = ops::kSiluScale,
          .sigmoid_scale = ops::kSigmoidScale,
          .out = nullptr};
}

class GateFunction : public ::torch::autograd::Function<GateFunction> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& rows,
                            const cuda::ChannelLayout& layout) {
    context->save_for_backward({rows});
    save_value(context, layout);
    cuda::Gate gate = gate_of(layout, rows);
    at::Tensor out = at::empty({rows.size(0), gate.out_width}, rows.options());
    gate.out = write_numbers<float>(out);
    run_kernel(gate, out.numel(), out.device());
    return out;
  }
  static Tensors backward(AutogradContext* context, const Tensors& gradients) {
    const at::Tensor rows = context->get_saved_variables()[0], gradient = gradients[0].contiguous();
    at::Tensor of_rows = at::empty_like(rows);
    run_kernel(cuda::GateGradients{.gate = gate_of(saved_value<cuda::ChannelLayout>(context), rows),
                                   .gradient = read_numbers<float>(gradient),
                                   .of_x = write_numbers<float>(of_rows)},
               of_rows.numel(), of_rows.device());
    return {of_rows, at::Tensor()};
  }
};

/// A normalisation without pointers: the layout, and how to normalise.
struct NormOptions {
  cuda::ChannelLayout layout;
  bool is_centred;
  float epsilon;

  cuda::ChannelNorms of(const at::Tensor& rows, const at::Tensor& weight, const at::Tensor& bias) const {
    return {.layout = layout,
            .x = read_numbers<float>(rows),
            .weight = read_numbers<float>(weight),
            .bias = read_numbers<float>(bias),
            .width = rows.size(1),
            .is_centred = is_centred,
            .epsilon = epsilon,
            .out = nullptr};
  }
};

class NormFunction : public ::torch::autograd::Function<NormFunction> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& rows, const at::Tensor& weight,
                            const at::Tensor& bias, const NormOptions& options) {
    context->save_for_backward({rows, weight, bias});
    save_value(context, options);
    at::Tensor out = at::empty_like(rows);
    cuda::ChannelNorms norm = options.of(rows, weight, bias);
    norm.out = write_numbers<float>(out);
    run_kernel(norm, rows.size(0) * norm.parts(), rows.device());
    return out;
  }
  static Tensors backward(AutogradContext* context, const Tensors& gradients) {
    const Tensors saved = context->get_saved_variables();
    const at::Tensor &rows = saved[0], gradient = gradients[0].contiguous();
    const cuda::ChannelNorms norm = saved_value<NormOptions>(context).of(rows, saved[1], saved[2]);
    at::Tensor of_rows = at::empty_like(rows),
               of_scalars = at::empty({rows.size(0), 2 * norm.layout.scalars}, rows.options());
    run_kernel(cuda::ChannelNormGradients{.norm = norm,
                                          .gradient = read_numbers<float>(gradient),
                                          .of_x = write_numbers<float>(of_rows),
                                          .of_scalars = write_numbers<float>(of_scalars)},
               rows.size(0) * norm.parts(), rows.device());
    const at::Tensor sums = column_sums({of_scalars}).front();
    return {of_rows, sums.slice(0, 0, norm.layout.scalars), sums.slice(0, norm.layout.scalars), at::Tensor()};
  }
};

cuda::TermList pointers(const TermList& list) {
  return {.first = read_numbers<std::int64_t>(list.first),
          .members = read_numbers<std::int64_t>(list.members),
          .atoms = read_numbers<std::int64_t>(list.atoms)};
}

cuda::TermMeans means_of(const std::vector<TermList>& lists, std::int64_t width) {
  cuda::TermMeans means{};
  for (const TermList& list : lists) {
    means.lists[means.count++] = pointers(list);
  }
  means.width = width;
  return means;
}

class TermMeansFunction : public ::torch::autograd::Function<TermMeansFunction> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& rows,
                            const std::vector<TermList>& lists) {
    save_value(context, lists);
    context->saved_data["terms"] = rows.size(0);
    at::Tensor out = at::empty({lists.front().first.size(0) - 1, rows.size(1)}, rows.options());
    cuda::TermMeans means = means_of(lists, rows.size(1));
    means.rows = read_numbers<float>(rows);
    means.out = write_numbers<float>(out);
    run_kernel(means, out.numel(), out.device());
    return out;
  }
  static Tensors backward(AutogradContext* context, const Tensors& gradients) {
    const at::Tensor gradient = gradients[0].contiguous();
    at::Tensor of_rows =
        at::empty({context->saved_data["terms"].toInt(), gradient.size(1)}, gradient.options());
    const auto lists = saved_value<std::vector<TermList>>(context);
    run_kernel(cuda::TermMeanGradients{.means = means_of(lists, gradient.size(1)),
                                       .gradient = read_numbers<float>(gradient),
                                       .of_rows = write_numbers<float>(of_rows)},
               of_rows.numel(), of_rows.device());
    return {of_rows, at::Tensor()};
  }
};

/// The end atoms of terms, and the shape of the rows of the atoms.
struct Ends {
  TermList front, back;
  std::int64_t atoms, width, columns;
};

class TermEndsFunction : public ::torch::autograd::Function<TermEndsFunction> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& rows, const at::Tensor& attributes,
                            const Ends& ends) {
    save_value(context, ends);
    at::Tensor out = at::empty({attributes.size(0), 2 * ends.columns + attributes.size(1)}, rows.options());
    run_kernel(cuda::TermEnds{.rows = read_numbers<float>(rows),
                              .width = ends.width,
                              .columns = ends.columns,
                              .front = read_numbers<std::int64_t>(ends.front.atoms),
                              .back = read_numbers<std::int64_t>(ends.back.atoms),
                              .attributes = read_numbers<float>(attributes),
                              .attribute_count = attributes.size(1),
                              .out = write_numbers<float>(out)},
               out.numel(), out.device());
    return out;
  }
  static Tensors backward(AutogradContext* context, const Tensors& gradients) {
    const at::Tensor gradient = gradients[0].contiguous();
    const auto ends = saved_value<Ends>(context);
    at::Tensor of_rows = at::empty({ends.atoms, ends.width}, gradient.options());
    run_kernel(cuda::TermEndGradients{.front = pointers(ends.front),
                                      .back = pointers(ends.back),
                                      .gradient = read_numbers<float>(gradient),
                                      .gradient_width = gradient.size(1),
                                      .width = ends.width,
                                      .columns = ends.columns,
                                      .of_rows = write_numbers<float>(of_rows)},
               of_rows.numel(), of_rows.device());
    return {of_rows, at::Tensor(), at::Tensor()};
  }
};

class AddScaled : public ::torch::autograd::Function<AddScaled> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& y,
                            const at::Tensor& factor) {
    context->save_for_backward({y, factor});
    context->saved_data["factor"] = factor.requires_grad();
    return at::addcmul(x, y, factor);
  }
  static Tensors backward(AutogradContext* context, const Tensors& gradients) {
    const Tensors saved = context->get_saved_variables();
    const at::Tensor gradient = gradients[0].contiguous();
    return {gradient, gradient * saved[1],
            context->saved_data["factor"].toBool()
                ? gradient.view({1, -1}).mm(saved[0].view({-1, 1})).view(saved[1].sizes())
                : at::Tensor()};
  }
};

at::Tensor whole(const at::Tensor& rows) { return rows.to(at::kFloat).contiguous(); }

}  // namespace

bool has_irreps_kernels(c10::Device device, const ops::Irreps& irreps) {
  const auto& blocks = irreps.blocks();
  return uses_kernels(device) && !blocks.empty() && blocks.front().degree == 0 &&
         blocks.size() <= 1 + std::size_t{cuda::ChannelLayout::kMaxBlocks};
}

bool has_irreps_linear_kernel(c10::Device device, const std::vector<const IrrepsLinear*>& layers) {
  std::size_t pairs = 0;
  for (const IrrepsLinear* layer : layers) {
    pairs += layer->in.blocks().size() * layer->out.blocks().size();
  }
  return uses_kernels(device) && pairs <= cuda::ChannelMix::kMaxPairs &&
         layers.size() <= cuda::ChannelMix::kMaxOutputs;
}

std::vector<at::Tensor> irreps_linear_kernel(const at::Tensor& rows,
                                             const std::vector<const IrrepsLinear*>& layers) {
  MixLayers mixes;
  std::array<at::Tensor, cuda::ChannelMix::kMaxOutputs> weights;
  weights.fill(at::empty({0}, rows.options()));  // the older LibTorch refuses undefined arguments
  for (std::size_t l = 0; l < layers.size(); ++l) {
    mixes.push_back(mix_layer(layers[l]->in, layers[l]->out));
    weights.at(l) = layers[l]->weight.contiguous();
  }
  return Mix::apply(whole(rows), weights[0], weights[1], weights[2], mixes);
}

at::Tensor gate_kernel(const at::Tensor& rows, const ops::Irreps& out) {
  return GateFunction::apply(whole(rows), layout_of(out));
}

at::Tensor equivariant_norm_kernel(const EquivariantNorm& norm, double epsilon, const at::Tensor& rows,
                                   const ops::Irreps& irreps) {
  return NormFunction::apply(whole(rows), norm.scalars.weight.contiguous(), norm.scalars.bias.contiguous(),
                             NormOptions{.layout = layout_of(irreps),
                                         .is_centred = norm.channels == ops::ChannelNorm::variance,
                                         .epsilon = static_cast<float>(epsilon)});
}

bool has_edge_geometry(const EdgeArrays& arrays, int degree) {
  return uses_kernels(arrays.positions.device()) && !arrays.positions.requires_grad() && degree <= 2 &&
         arrays.frequencies.is_cpu() && !arrays.frequencies.requires_grad() &&
         arrays.frequencies.numel() <= cuda::EdgeGeometry::kMaxFunctions;
}

std::pair<at::Tensor, at::Tensor> edge_geometry_kernel(const EdgeArrays& arrays, int degree, double cutoff,
                                                       double least_length) {
  const std::int64_t edges = arrays.edges.source.size(0), functions = arrays.frequencies.numel(),
                     attributes = arrays.attributes.size(1), sphere = (degree + 1) * (degree + 1);
  at::Tensor harmonics = at::empty({edges, sphere}, arrays.positions.options()),
             features = at::empty({edges, functions + attributes}, arrays.positions.options());
  cuda::EdgeGeometry work{.positions = read_numbers<float>(arrays.positions),
                          .source = read_numbers<std::int64_t>(arrays.edges.source),
                          .target = read_numbers<std::int64_t>(arrays.edges.target),
                          .attributes = read_numbers<float>(arrays.attributes),
                          .attribute_count = attributes,
                          .frequencies = {},
                          .functions = static_cast<int>(functions),
                          .degree = degree,
                          .cutoff = static_cast<float>(cutoff),
                          .least_length = static_cast<float>(least_length),
                          .harmonics = write_numbers<float>(harmonics),
                          .features = write_numbers<float>(features)};
  std::copy_n(read_numbers<float>(arrays.frequencies), functions, work.frequencies);
  run_kernel(work, edges, harmonics.device());
  return {harmonics, features};
}

at::Tensor term_means_kernel(const at::Tensor& rows, const std::vector<TermList>& lists) {
  return TermMeansFunction::apply(whole(rows), lists);
}

at::Tensor term_ends_kernel(const at::Tensor& rows, std::int64_t columns, const TermList& front,
                            const TermList& back, const at::Tensor& attributes) {
  return TermEndsFunction::apply(whole(rows), attributes.contiguous(),
                                 Ends{front, back, rows.size(0), rows.size(1), columns});
}

at::Tensor add_scaled_kernel(const at::Tensor& x, const at::Tensor& y, const at::Tensor& factor) {
  return AddScaled::apply(whole(x), whole(y), factor);
}

}  // namespace molgauge::torch
