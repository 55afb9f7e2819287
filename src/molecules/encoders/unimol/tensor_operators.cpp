#include "molecules/encoders/unimol/tensor_operators.h"

#include <utility>

#include <ATen/ATen.h>

#include "base/numerics/torch/arrays.h"
#include "base/numerics/torch/kernel_choice.h"
#include "base/numerics/torch/packed_attention.h"
#include "base/numerics/torch/row_kernels.h"
#include "base/numerics/torch/tiled_attention.h"
#include "base/numerics/torch/uploads.h"
#include "molecules/encoders/unimol/network_definition.h"

namespace molgauge::encoders::unimol {
namespace {

/// Returns the permutation that moves element d of head h to index d * heads + h. With depth = width / heads,
/// the old index is h * depth + d.
at::Tensor arrangement(std::int64_t width, std::int64_t heads) {
  return at::arange(width, at::kLong).view({heads, width / heads}).t().reshape({width});
}

/// Applies dropout to rows of all tokens, or of the first tokens if there is one row for each molecule.
at::Tensor drop(const at::Tensor& rows, const torch::Segments& molecules, const torch::KeyedDropout& dropout,
                bool first_only) {
  return first_only ? torch::drop_first_rows(rows, dropout) : torch::drop_rows(rows, molecules, dropout);
}

/// Whether x has only one row for each molecule, although molecules have more tokens.
bool has_first_rows_alone(const at::Tensor& x, const torch::Segments& molecules) {
  return x.size(0) != molecules.of.size(0);
}

}  // namespace

template class Network<TensorOperators>;

torch::Linear TensorOperators::arrange_joint(const Linear& linear, std::int64_t heads) {
  if (!linear.weight.defined()) {
    return linear;
  }
  const std::int64_t width = linear.weight.size(0) / 3;
  const at::Tensor one = arrangement(width, heads);
  const at::Tensor all = at::cat({one, one + width, one + 2 * width}).to(linear.weight.device());
  return {.weight = linear.weight.index_select(0, all), .bias = linear.bias.index_select(0, all)};
}

torch::Linear TensorOperators::arrange_mixed(const Linear& linear, std::int64_t heads) {
  if (!linear.weight.defined()) {
    return linear;
  }
  return {.weight = linear.weight.index_select(
              1, arrangement(linear.weight.size(1), heads).to(linear.weight.device())),
          .bias = linear.bias};
}

at::Tensor TensorOperators::pair_logits(const Integers& tokens, const Tensor& distances,
                                        const Segments& molecules, const GaussianKernels& kernels,
                                        const Dense& hidden, const Dense& out) {
  return out(hidden(torch::gaussian_features(tokens, distances, molecules,
                                             {.factors = kernels.factors,
                                              .offsets = kernels.offsets,
                                              .means = kernels.means,
                                              .widths = kernels.widths,
                                              .dictionary = kTokens})));
}

at::Tensor TensorOperators::embed(const Tensor& table, const Integers& tokens, const LayerNorm& norm,
                                  const Segments& molecules, const Dropout& dropout) {
  return torch::drop_rows(torch::apply(norm, table.index_select(0, tokens)), molecules, dropout);
}

at::Tensor TensorOperators::normalised(const LayerNorm& norm, const Dense& layer, const Tensor& x) {
  return layer.in_type_of_products(torch::apply(norm, x));
}

at::Tensor TensorOperators::normalise(const LayerNorm& norm, const Tensor& x) {
  return torch::apply(norm, x);
}

at::Tensor TensorOperators::attend(const Tensor& joint, Tensor& pairs, const Segments& molecules,
                                   std::int64_t heads, bool first_only, const Dropout& dropout) {
  if (joint.is_cpu() && torch::uses_kernels(joint.device()) && !first_only && !dropout.is_active() &&
      !joint.requires_grad() && !pairs.requires_grad()) {
    torch::AttentionOutput tiled = torch::tiled_attention(joint, pairs, molecules, heads);
    pairs = std::move(tiled.logits);
    return std::move(tiled.out);
  }
  torch::AttentionOutput attended =
      joint.is_cpu()
          ? torch::attend(joint.to(at::kFloat), pairs.to(at::kFloat), molecules, heads, first_only, dropout)
          : torch::packed_attention(joint, pairs, molecules, heads, first_only, dropout);
  pairs = std::move(attended.logits);
  return std::move(attended.out);
}

at::Tensor TensorOperators::add_layer(const Tensor& x, const Dense& layer, const Tensor& input,
                                      const Segments& molecules, const Dropout& dropout) {
  return x + drop(layer(input), molecules, dropout, has_first_rows_alone(x, molecules));
}

at::Tensor TensorOperators::feed_forward(const Tensor& x, const LayerNorm& norm, const Dense& widen,
                                         const Dense& narrow, const Segments& molecules,
                                         const Dropout& dropout) {
  return x + drop(narrow(widen.in_type_of_products(torch::apply(norm, x))), molecules, dropout,
                  has_first_rows_alone(x, molecules));
}

at::Tensor TensorOperators::finish_layer(const Tensor& x, const Dense& layer, const Tensor& input,
                                         const LayerNorm& norm, const Dense& widen, const Dense& narrow,
                                         const Segments& molecules, const Dropout& after_layer,
                                         const Dropout& after_narrow) {
  if (after_layer.is_active() || after_narrow.is_active() || input.requires_grad() ||
      !torch::fuses({x, layer.linear().bias, norm.weight, norm.bias, narrow.linear().bias})) {
    return feed_forward(add_layer(x, layer, input, molecules, after_layer), norm, widen, narrow, molecules,
                        after_narrow);
  }
  const auto [product, bias] = layer.product(input);
  // In float32, the last product is added to the sum. The kernel adds its bias.
  const bool is_added = narrow.is_linear();
  const auto [sum, normal] = torch::add_norm_kernel(
      product, bias, x, is_added ? narrow.linear().bias : at::Tensor(), norm, torch::kNormEpsilon);
  const at::Tensor wide = widen.in_type_of_products(normal);
  return is_added ? sum.addmm_(wide, narrow.linear().weight.t()) : narrow(wide, sum);
}

at::Tensor TensorOperators::first_rows(const Tensor& x, const Segments& molecules) {
  return x.index_select(0, molecules.first.slice(0, 0, molecules.count()));
}

BatchOf<TensorOperators> as_tensors(const Batch& batch, c10::Device device) {
  BatchOf<TensorOperators> there{.tokens = torch::as_tensor(batch.tokens),
                                 .distances = torch::as_tensor(batch.distances),
                                 .molecules = torch::as_tensors(batch.molecules, device)};
  torch::move_together({&there.tokens, &there.distances, &there.molecules.first, &there.molecules.of,
                        &there.molecules.first_pair},
                       device);
  return there;
}

}  // namespace molgauge::encoders::unimol
