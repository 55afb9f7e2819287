#include "base/numerics/torch/equivariant.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include "base/numerics/ops/equivariant/harmonics.h"
#include "base/numerics/torch/arrays.h"
#include "base/numerics/torch/autocast.h"
#include "base/numerics/torch/harmonics_by_operators.h"
#include "base/numerics/torch/irreps_kernels.h"
#include "base/numerics/torch/kernel_choice.h"
#include "base/numerics/torch/message_kernels.h"
#include "base/numerics/torch/saved_value.h"
#include "base/numerics/torch/torch_compatibility.h"
#include "base/numerics/torch/uploads.h"

namespace molgauge::torch {
namespace {

using ::torch::autograd::AutogradContext;
using Tensors = ::torch::autograd::variable_list;

constexpr double kChannelNormEpsilon = 1e-5;

/// Whether message_kernels.h computes messages. On a GPU, nothing else can.
bool by_steps(c10::Device device) { return !device.is_cpu() || uses_kernels(device); }

class Harmonics : public ::torch::autograd::Function<Harmonics> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& vectors, std::int64_t most) {
    context->save_for_backward({vectors});
    context->saved_data["most"] = most;
    return as_tensor(ops::spherical_harmonics(as_array(vectors), static_cast<int>(most)));
  }

  static Tensors backward(AutogradContext* context, const Tensors& gradients) {
    const at::Tensor vectors = context->get_saved_variables()[0], gradient = gradients[0].contiguous();
    const auto most = static_cast<int>(context->saved_data["most"].toInt());
    return {as_tensor(ops::spherical_harmonics_backward(as_array(vectors), most, as_array(gradient))),
            at::Tensor()};
  }
};

/// The messages, together with the network that computes their weights. The saved tensors are, in this order:
/// rows, harmonics, x, the weights and biases of three layers, and the tensors of the edges. The tensors of
/// the edges have no gradients.
class Message : public ::torch::autograd::Function<Message> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& rows, const at::Tensor& harmonics,
                            const at::Tensor& x, const at::Tensor& first_weight, const at::Tensor& first_bias,
                            const at::Tensor& second_weight, const at::Tensor& second_bias,
                            const at::Tensor& weight, const at::Tensor& bias, const DirectedEdges& edges,
                            const std::shared_ptr<const ops::TensorProduct>& product) {
    const Tensors kept = {rows,
                          harmonics,
                          x,
                          first_weight,
                          first_bias,
                          second_weight,
                          second_bias,
                          weight,
                          bias,
                          edges.source,
                          edges.target,
                          edges.first,
                          edges.first_here,
                          edges.by_source,
                          edges.first_by_source};
    context->save_for_backward(kept);
    save_value(context, product);
    context->saved_data["harmonics"] = harmonics.requires_grad();
    context->saved_data["x"] = x.requires_grad();
    const at::Tensor radial = radial_of(kept);
    if (by_steps(rows.device())) {
      return message_kernels(*product, message_tensors(kept, radial));
    }
    at::Tensor out = at::empty({rows.size(0), product->out().width()}, rows.options());
    ops::equivariant_message(arguments(kept, radial, *product), write_numbers<float>(out));
    return out;
  }

  static Tensors backward(AutogradContext* context, const Tensors& gradients) {
    const Tensors saved = context->get_saved_variables();
    const ops::TensorProduct& product = *saved_value<std::shared_ptr<const ops::TensorProduct>>(context);
    const at::Tensor gradient = gradients[0].contiguous();
    if (by_steps(gradient.device())) {
      return backward_by_steps(context, saved, product, gradient);
    }
    Tensors made;
    for (std::size_t i = 0; i < kNumbers; ++i) {
      const bool is_wanted = (i != kHarmonics || context->saved_data["harmonics"].toBool()) &&
                             (i != kX || context->saved_data["x"].toBool());
      made.push_back(is_wanted ? at::zeros_like(saved[i]) : at::Tensor());
    }
    const auto to = [&](std::size_t i) {
      return made[i].defined() ? write_numbers<float>(made[i]) : nullptr;
    };
    const at::Tensor of_radial = add_message_gradients(saved, product, gradient, to);
    ops::radial_network_backward(radial_arguments(saved), read_numbers<float>(of_radial),
                                 {.x = to(kX),
                                  .first_weight = to(kFirst),
                                  .first_bias = to(kFirst + 1),
                                  .second_weight = to(kSecond),
                                  .second_bias = to(kSecond + 1)});
    made.resize(kNumbers + kOthers);
    return made;
  }

 private:
  static constexpr std::size_t kRows = 0, kHarmonics = 1, kX = 2, kFirst = 3, kSecond = 5, kLast = 7,
                               kNumbers = 9, kSource = 9,
                               kOthers = 2;  // arguments without gradients: edges and product

  /// Adds the gradients of the message, and returns the gradient of the radial numbers. The radial numbers
  /// exist only during the call.
  template <typename To>
  static at::Tensor add_message_gradients(const Tensors& saved, const ops::TensorProduct& product,
                                          const at::Tensor& gradient, const To& to) {
    const at::Tensor radial = radial_of(saved);
    at::Tensor of_radial = at::zeros_like(radial);
    ops::equivariant_message_backward(arguments(saved, radial, product), read_numbers<float>(gradient),
                                      {.rows = to(kRows),
                                       .harmonics = to(kHarmonics),
                                       .radial = write_numbers<float>(of_radial),
                                       .weight = to(kLast),
                                       .bias = to(kLast + 1)});
    return of_radial;
  }

  static MessageTensors message_tensors(const Tensors& tensors, const at::Tensor& radial) {
    return {.rows = tensors[kRows],
            .harmonics = tensors[kHarmonics],
            .radial = radial,
            .weight = tensors[kLast],
            .bias = tensors[kLast + 1],
            .edges = {tensors[kSource], tensors[kSource + 1], tensors[kSource + 2], tensors[kSource + 3],
                      tensors[kSource + 4], tensors[kSource + 5]}};
  }

  static Tensors backward_by_steps(AutogradContext* context, const Tensors& saved,
                                   const ops::TensorProduct& product, const at::Tensor& gradient) {
    const RadialTensors radial = radial_tensors(saved);
    const RadialNumbers numbers = radial_by_operators(radial);
    const MessageGradients gradients = message_backward_by_steps(
        product, message_tensors(saved, numbers.radial), gradient, context->saved_data["harmonics"].toBool());
    const RadialTensors of =
        radial_backward_by_operators(radial, numbers, gradients.radial, context->saved_data["x"].toBool());
    Tensors made = {gradients.rows,  gradients.harmonics, of.x,
                    of.first_weight, of.first_bias,       of.second_weight,
                    of.second_bias,  gradients.weight,    gradients.bias};
    made.resize(kNumbers + kOthers);
    return made;
  }

  static at::Tensor radial_of(const Tensors& tensors) {
    if (by_steps(tensors[kX].device())) {
      return radial_by_operators(radial_tensors(tensors)).radial;
    }
    const ops::RadialArguments arguments = radial_arguments(tensors);
    at::Tensor radial = at::empty({arguments.edges, arguments.hidden}, tensors[kX].options());
    ops::radial_network(arguments, write_numbers<float>(radial));
    return radial;
  }

  static RadialTensors radial_tensors(const Tensors& tensors) {
    return {tensors[kX], tensors[kFirst], tensors[kFirst + 1], tensors[kSecond], tensors[kSecond + 1]};
  }

  static ops::RadialArguments radial_arguments(const Tensors& tensors) {
    return {.edges = tensors[kX].size(0),
            .in = tensors[kX].size(1),
            .hidden = tensors[kFirst].size(0),
            .x = read_numbers<float>(tensors[kX]),
            .first_weight = read_numbers<float>(tensors[kFirst]),
            .first_bias = read_numbers<float>(tensors[kFirst + 1]),
            .second_weight = read_numbers<float>(tensors[kSecond]),
            .second_bias = read_numbers<float>(tensors[kSecond + 1])};
  }

  static ops::MessageArguments arguments(const Tensors& tensors, const at::Tensor& radial,
                                         const ops::TensorProduct& product) {
    return {.product = product,
            .nodes = tensors[kRows].size(0),
            .hidden = radial.size(1),
            .rows = read_numbers<float>(tensors[kRows]),
            .harmonics = read_numbers<float>(tensors[kHarmonics]),
            .radial = read_numbers<float>(radial),
            .weight = read_numbers<float>(tensors[kLast]),
            .bias = read_numbers<float>(tensors[kLast + 1]),
            .source = read_numbers<std::int64_t>(tensors[kSource]),
            .first = read_numbers<std::int64_t>(tensors[kSource + 2])};
  }
};

/// Returns the channels of each block: [n, multiplicity, components]. The blocks are the results of one
/// split. The backward pass then joins their gradients with one operator, instead of several for each block.
std::vector<at::Tensor> blocks_of(const at::Tensor& rows, const ops::Irreps& irreps) {
  std::vector<std::int64_t> widths;
  for (const ops::IrrepBlock& kind : irreps.blocks()) {
    widths.push_back(kind.width());
  }
  std::vector<at::Tensor> blocks = widths.size() == 1 ? std::vector{rows} : rows.split_with_sizes(widths, 1);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const ops::IrrepBlock& kind = irreps.blocks()[i];
    blocks[i] = blocks[i].reshape({rows.size(0), kind.multiplicity, kind.components()});
  }
  return blocks;
}

at::Tensor as_rows(const at::Tensor& channels) { return channels.reshape({channels.size(0), -1}); }

}  // namespace

DirectedEdges on_device(const ops::DirectedEdges& edges, c10::Device device) {
  DirectedEdges there = as_tensors(edges, device);
  move_together(arrays_of(there), device);
  return there;
}

DirectedEdges as_tensors(const ops::DirectedEdges& edges, c10::Device device) {
  DirectedEdges here{as_tensor(edges.source), as_tensor(edges.target), as_tensor(edges.first)};
  if (!by_steps(device)) {
    return here;
  }
  const std::int64_t count = edges.source.size(0), nodes = edges.first.size(0) - 1;
  ops::Integers order{count}, first{nodes + 1};
  std::fill_n(first.data(), nodes + 1, 0);
  for (std::int64_t edge = 0; edge < count; ++edge) {
    ++first.data()[edges.source.data()[edge] + 1];
  }
  std::partial_sum(first.data(), first.data() + nodes + 1, first.data());
  std::vector<std::int64_t> next(first.data(), first.data() + nodes);
  for (std::int64_t edge = 0; edge < count; ++edge) {
    order.data()[next[static_cast<std::size_t>(edges.source.data()[edge])]++] = edge;
  }
  here.first_here = here.first;
  here.by_source = as_tensor(order);
  here.first_by_source = as_tensor(first);
  return here;
}

std::vector<at::Tensor*> arrays_of(DirectedEdges& edges) {
  return {&edges.source, &edges.target, &edges.first, &edges.by_source, &edges.first_by_source};
}

at::Tensor spherical_harmonics(const at::Tensor& vectors, int most) {
  const FullPrecision full;
  if (by_steps(vectors.device())) {
    return harmonics_by_operators(vectors, most);
  }
  return Harmonics::apply(vectors.contiguous(), static_cast<std::int64_t>(most));
}

at::Tensor radial_basis(const at::Tensor& lengths, const at::Tensor& frequencies, double cutoff) {
  const FullPrecision full;
  const at::Tensor r = lengths.clamp_min(1e-8), u = lengths / cutoff;
  const at::Tensor envelope =
      at::where(u < 1, 1 + u.pow(6) * (-28 + u * (48 - 21 * u)), at::zeros({}, lengths.options()));
  return std::sqrt(2 / cutoff) * at::sin(moved(frequencies, r.device()) * r) / r * envelope;
}

at::Tensor equivariant_message(const std::shared_ptr<const ops::TensorProduct>& product,
                               const at::Tensor& rows, const DirectedEdges& edges,
                               const at::Tensor& harmonics, const at::Tensor& x,
                               const WeightNetwork& network) {
  const FullPrecision full;
  return Message::apply(rows.to(at::kFloat).contiguous(), harmonics.contiguous(), x.contiguous(),
                        network.first.weight.contiguous(), network.first.bias.contiguous(),
                        network.second.weight.contiguous(), network.second.bias.contiguous(),
                        network.last.weight.contiguous(), network.last.bias.contiguous(), edges, product);
}

at::Tensor IrrepsLinear::operator()(const at::Tensor& rows) const {
  if (has_irreps_linear_kernel(rows.device(), {this})) {
    return irreps_linear_kernel(rows, {this}).front();
  }
  std::vector<at::Tensor> sums(out.blocks().size());
  std::vector<std::int64_t> counts;  // weights of each pair of blocks
  for (const ops::IrrepBlock& from : in.blocks()) {
    for (const ops::IrrepBlock& to : out.blocks()) {
      if (from.is_same_kind(to)) {
        counts.push_back(from.multiplicity * to.multiplicity);
      }
    }
  }
  const std::vector<at::Tensor> weights = weight.split_with_sizes(counts), blocks_in = blocks_of(rows, in);
  auto next = weights.begin();
  for (std::size_t i = 0; i < in.blocks().size(); ++i) {
    const ops::IrrepBlock& from = in.blocks()[i];
    const std::int64_t channels = in.channels_of_kind(from);
    for (std::size_t o = 0; o < out.blocks().size(); ++o) {
      const ops::IrrepBlock& to = out.blocks()[o];
      if (!from.is_same_kind(to)) {
        continue;
      }
      // Dividing the weights is less work than dividing the products.
      const at::Tensor mixing =
          next++->view({from.multiplicity, to.multiplicity}) / std::sqrt(static_cast<double>(channels));
      const at::Tensor mixed = at::matmul(mixing.t(), blocks_in[i]);
      sums[o] = sums[o].defined() ? sums[o] + mixed : mixed;
    }
  }
  std::vector<at::Tensor> blocks;
  for (std::size_t o = 0; o < sums.size(); ++o) {
    blocks.push_back(sums[o].defined() ? as_rows(sums[o])
                                       : at::zeros({rows.size(0), out.blocks()[o].width()}, rows.options()));
  }
  return at::cat(blocks, 1);
}

std::vector<at::Tensor> irreps_linears(const std::vector<const IrrepsLinear*>& layers,
                                       const at::Tensor& rows) {
  return has_irreps_linear_kernel(rows.device(), layers) ? irreps_linear_kernel(rows, layers)
                                                         : std::vector<at::Tensor>();
}

at::Tensor gate(const at::Tensor& rows, const ops::Irreps& out) {
  if (has_irreps_kernels(rows.device(), out)) {
    return gate_kernel(rows, out);
  }
  const std::int64_t scalars = out.blocks().at(0).multiplicity;
  std::vector<std::int64_t> widths = {scalars, 0}, gates;
  for (std::size_t block = 1; block < out.blocks().size(); ++block) {
    gates.push_back(out.blocks()[block].multiplicity);
    widths[1] += gates.back();
    widths.push_back(out.blocks()[block].width());
  }
  const std::vector<at::Tensor> parts = rows.split_with_sizes(widths, 1);
  const std::vector<at::Tensor> opened =
      (ops::kSigmoidScale * at::sigmoid(parts[1])).split_with_sizes(gates, 1);
  std::vector<at::Tensor> blocks = {ops::kSiluScale * at::silu(parts[0])};
  for (std::size_t block = 1; block < out.blocks().size(); ++block) {
    blocks.push_back(as_rows(opened[block - 1].unsqueeze(2) *
                             parts[block + 1].unflatten(1, {out.blocks()[block].multiplicity, -1})));
  }
  return at::cat(blocks, 1);
}

at::Tensor apply(const EquivariantNorm& norm, const at::Tensor& rows, const ops::Irreps& irreps) {
  if (has_irreps_kernels(rows.device(), irreps)) {
    return equivariant_norm_kernel(norm, kChannelNormEpsilon, rows, irreps);
  }
  const std::vector<at::Tensor> own = blocks_of(rows, irreps);
  std::vector<at::Tensor> blocks = {apply(norm.scalars, as_rows(own.front()))};
  for (std::size_t block = 1; block < own.size(); ++block) {
    at::Tensor channels = own[block];
    if (norm.channels == ops::ChannelNorm::variance) {
      channels = channels - channels.mean(2, /*keepdim=*/true);
    }
    blocks.push_back(
        as_rows(channels * at::rsqrt(channels.square().mean(2, /*keepdim=*/true) + kChannelNormEpsilon)));
  }
  return at::cat(blocks, 1);
}

at::Tensor paired_invariants(const at::Tensor& rows, const ops::Irreps& irreps) {
  constexpr double kLeastLength = 1e-6;
  const std::vector<at::Tensor> blocks = blocks_of(rows, irreps);
  std::vector<at::Tensor> lengths = {as_rows(blocks.front())}, pairs;
  for (std::size_t block = 1; block < blocks.size(); ++block) {
    const at::Tensor& channels = blocks[block];
    const at::Tensor length = at::norm(channels, 2, {2}, false).clamp_min(kLeastLength);
    lengths.push_back(length);
    const at::Tensor directions = channels / length.unsqueeze(2);
    const std::int64_t count = channels.size(1);
    const at::Tensor places = at::triu_indices(count, count, /*offset=*/1, rows.options().dtype(at::kLong));
    pairs.push_back(at::matmul(directions, directions.transpose(1, 2))
                        .flatten(1)
                        .index_select(1, places[0] * count + places[1]));
  }
  lengths.insert(lengths.end(), pairs.begin(), pairs.end());
  return at::cat(lengths, 1);
}

at::Tensor norm_activation(const at::Tensor& rows, const ops::Irreps& irreps) {
  std::vector<at::Tensor> blocks;
  for (const at::Tensor& channels : blocks_of(rows, irreps)) {
    blocks.push_back(as_rows(channels * at::sigmoid(at::norm(channels, 2, {2}, /*keepdim=*/true))));
  }
  return at::cat(blocks, 1);
}

at::Tensor rms_norm(const at::Tensor& rows, const at::Tensor& scale) {
  return rows * at::rsqrt(rows.square().mean(1, /*keepdim=*/true) + kChannelNormEpsilon) * scale;
}

at::Tensor invariants(const at::Tensor& rows, const ops::Irreps& irreps) {
  std::vector<at::Tensor> blocks = blocks_of(rows, irreps);
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    blocks[block] =
        irreps.blocks()[block].degree == 0 ? as_rows(blocks[block]) : at::norm(blocks[block], 2, {2}, false);
  }
  return at::cat(blocks, 1);
}

}  // namespace molgauge::torch
