#include "torch/equivariant.h"

#include <cmath>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include "ops/equivariant/harmonics.h"
#include "torch/arrays.h"
#include "torch/torch_compatibility.h"

namespace headroom::torch {
namespace {

using ::torch::autograd::AutogradContext;
using Tensors = ::torch::autograd::variable_list;

constexpr double kChannelNormEpsilon = 1e-5;

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

/// What a backward pass needs to know besides tensors.
struct KeptProduct : ::torch::CustomClassHolder {
  explicit KeptProduct(std::shared_ptr<const ops::TensorProduct> kept) : product(std::move(kept)) {}
  std::shared_ptr<const ops::TensorProduct> product;
};

class Message : public ::torch::autograd::Function<Message> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& rows, const at::Tensor& harmonics,
                            const at::Tensor& radial, const at::Tensor& weight, const at::Tensor& bias,
                            const DirectedEdges& edges,
                            const std::shared_ptr<const ops::TensorProduct>& product) {
    context->save_for_backward({rows, harmonics, radial, weight, bias, edges.source, edges.first});
    context->saved_data["product"] = c10::IValue::make_capsule(c10::make_intrusive<KeptProduct>(product));
    context->saved_data["harmonics"] = harmonics.requires_grad();
    const at::Tensor out = at::empty({rows.size(0), product->out().width()}, rows.options());
    ops::equivariant_message(
        arguments({rows, harmonics, radial, weight, bias, edges.source, edges.first}, *product),
        write_numbers<float>(out));
    return out;
  }

  static Tensors backward(AutogradContext* context, const Tensors& gradients) {
    const Tensors saved = context->get_saved_variables();
    const auto kept =
        c10::static_intrusive_pointer_cast<KeptProduct>(context->saved_data["product"].toCapsule());
    const at::Tensor gradient = gradients[0].contiguous();
    std::vector<at::Tensor> made;
    for (std::size_t i = 0; i < kDifferentiable; ++i) {
      const bool is_wanted = i != kHarmonics || context->saved_data["harmonics"].toBool();
      made.push_back(is_wanted ? at::zeros_like(saved[i]) : at::Tensor());
    }
    ops::equivariant_message_backward(
        arguments(saved, *kept->product), read_numbers<float>(gradient),
        {.rows = write_numbers<float>(made[0]),
         .harmonics = made[kHarmonics].defined() ? write_numbers<float>(made[kHarmonics]) : nullptr,
         .radial = write_numbers<float>(made[2]),
         .weight = write_numbers<float>(made[3]),
         .bias = write_numbers<float>(made[4])});
    made.resize(kDifferentiable + 2);  // edges and product have none
    return made;
  }

 private:
  static constexpr std::size_t kHarmonics = 1, kDifferentiable = 5;

  static ops::MessageArguments arguments(const Tensors& tensors, const ops::TensorProduct& product) {
    return {.product = product,
            .nodes = tensors[0].size(0),
            .hidden = tensors[2].size(1),
            .rows = read_numbers<float>(tensors[0]),
            .harmonics = read_numbers<float>(tensors[kHarmonics]),
            .radial = read_numbers<float>(tensors[2]),
            .weight = read_numbers<float>(tensors[3]),
            .bias = read_numbers<float>(tensors[4]),
            .source = read_numbers<std::int64_t>(tensors[5]),
            .first = read_numbers<std::int64_t>(tensors[6])};
  }
};

/// The channels of a block: [n, multiplicity, components].
at::Tensor block_of(const at::Tensor& rows, const ops::Irreps& irreps, std::size_t block) {
  const ops::IrrepBlock& kind = irreps.blocks()[block];
  const std::int64_t first = irreps.offset(block);
  return rows.slice(1, first, first + kind.width())
      .reshape({rows.size(0), kind.multiplicity, kind.components()});
}

at::Tensor as_rows(const at::Tensor& channels) { return channels.reshape({channels.size(0), -1}); }

}  // namespace

DirectedEdges as_tensors(const ops::DirectedEdges& edges) {
  return {as_tensor(edges.source), as_tensor(edges.target), as_tensor(edges.first)};
}

at::Tensor spherical_harmonics(const at::Tensor& vectors, int most) {
  return Harmonics::apply(vectors.contiguous(), static_cast<std::int64_t>(most));
}

at::Tensor radial_basis(const at::Tensor& lengths, const at::Tensor& frequencies, double cutoff) {
  const at::Tensor r = lengths.clamp_min(1e-8), u = lengths / cutoff;
  const at::Tensor envelope =
      at::where(u < 1, 1 + u.pow(6) * (-28 + u * (48 - 21 * u)), at::zeros({}, lengths.options()));
  return std::sqrt(2 / cutoff) * at::sin(frequencies * r) / r * envelope;
}

at::Tensor equivariant_message(const std::shared_ptr<const ops::TensorProduct>& product,
                               const at::Tensor& rows, const DirectedEdges& edges,
                               const at::Tensor& harmonics, const at::Tensor& radial,
                               const at::Tensor& weight, const at::Tensor& bias) {
  return Message::apply(rows.contiguous(), harmonics.contiguous(), radial.contiguous(), weight.contiguous(),
                        bias.contiguous(), edges, product);
}

at::Tensor IrrepsLinear::operator()(const at::Tensor& rows) const {
  std::vector<at::Tensor> sums(out.blocks().size());
  std::int64_t next = 0;
  for (std::size_t i = 0; i < in.blocks().size(); ++i) {
    const ops::IrrepBlock& from = in.blocks()[i];
    std::int64_t channels = 0;
    for (const ops::IrrepBlock& other : in.blocks()) {
      channels += other.is_same_kind(from) ? other.multiplicity : 0;
    }
    for (std::size_t o = 0; o < out.blocks().size(); ++o) {
      const ops::IrrepBlock& to = out.blocks()[o];
      if (!from.is_same_kind(to)) {
        continue;
      }
      const std::int64_t count = from.multiplicity * to.multiplicity;
      const at::Tensor mixing =
          weight.slice(0, next, next + count).view({from.multiplicity, to.multiplicity});
      next += count;
      const at::Tensor mixed =
          at::matmul(mixing.t(), block_of(rows, in, i)) / std::sqrt(static_cast<double>(channels));
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

at::Tensor gate(const at::Tensor& rows, const ops::Irreps& out) {
  const ops::Irreps in = ops::gated(out);
  std::int64_t next = out.blocks().at(0).multiplicity;
  std::vector<at::Tensor> blocks = {ops::kSiluScale * at::silu(rows.slice(1, 0, next))};
  for (std::size_t block = 1; block < out.blocks().size(); ++block) {
    const std::int64_t channels = out.blocks()[block].multiplicity;
    const at::Tensor opened = ops::kSigmoidScale * at::sigmoid(rows.slice(1, next, next + channels));
    next += channels;
    blocks.push_back(as_rows(opened.unsqueeze(2) * block_of(rows, in, block)));
  }
  return at::cat(blocks, 1);
}

at::Tensor apply(const EquivariantNorm& norm, const at::Tensor& rows, const ops::Irreps& irreps) {
  std::vector<at::Tensor> blocks = {apply(norm.scalars, rows.slice(1, 0, irreps.offset(1)))};
  for (std::size_t block = 1; block < irreps.blocks().size(); ++block) {
    at::Tensor channels = block_of(rows, irreps, block);
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
  std::vector<at::Tensor> lengths = {rows.slice(1, 0, irreps.offset(1))}, pairs;
  for (std::size_t block = 1; block < irreps.blocks().size(); ++block) {
    const at::Tensor channels = block_of(rows, irreps, block);
    const at::Tensor length = at::norm(channels, 2, {2}, false).clamp_min(kLeastLength);
    lengths.push_back(length);
    const at::Tensor directions = channels / length.unsqueeze(2);
    const std::int64_t count = channels.size(1);
    const at::Tensor places = at::triu_indices(count, count, /*offset=*/1, at::kLong);
    pairs.push_back(at::matmul(directions, directions.transpose(1, 2))
                        .flatten(1)
                        .index_select(1, places[0] * count + places[1]));
  }
  lengths.insert(lengths.end(), pairs.begin(), pairs.end());
  return at::cat(lengths, 1);
}

at::Tensor norm_activation(const at::Tensor& rows, const ops::Irreps& irreps) {
  std::vector<at::Tensor> blocks;
  for (std::size_t block = 0; block < irreps.blocks().size(); ++block) {
    const at::Tensor channels = block_of(rows, irreps, block);
    blocks.push_back(as_rows(channels * at::sigmoid(at::norm(channels, 2, {2}, /*keepdim=*/true))));
  }
  return at::cat(blocks, 1);
}

at::Tensor rms_norm(const at::Tensor& rows, const at::Tensor& scale) {
  return rows * at::rsqrt(rows.square().mean(1, /*keepdim=*/true) + kChannelNormEpsilon) * scale;
}

at::Tensor invariants(const at::Tensor& rows, const ops::Irreps& irreps) {
  std::vector<at::Tensor> blocks;
  for (std::size_t block = 0; block < irreps.blocks().size(); ++block) {
    const at::Tensor channels = block_of(rows, irreps, block);
    blocks.push_back(irreps.blocks()[block].degree == 0 ? as_rows(channels)
                                                        : at::norm(channels, 2, {2}, false));
  }
  return at::cat(blocks, 1);
}

}  // namespace headroom::torch
