#include "encoders/unimol/tensor_operators.h"

#include <cmath>

#include <ATen/ATen.h>

#include "encoders/unimol/network_definition.h"
#include "torch/arrays.h"

namespace headroom::encoders::unimol {
namespace {

constexpr double kLeastKernelWidth = 1e-5;
constexpr double kPiOfTheNetwork = 3.14159;

/// Numbers 0 to width - 1, of `heads` heads one after the other, by their arranged places: number d of head h
/// comes to the place d * heads + h.
at::Tensor arrangement(std::int64_t width, std::int64_t heads) {
  return at::arange(width, at::kLong).view({heads, width / heads}).t().reshape({width});
}

/// Dropped rows of the tokens, or of the first ones where there is one for each molecule.
at::Tensor drop(const at::Tensor& rows, const torch::Segments& molecules, const torch::KeyedDropout& dropout,
                bool first_only) {
  return first_only ? torch::drop_first_rows(rows, dropout) : torch::drop_rows(rows, molecules, dropout);
}

/// Whether x has one row for each molecule, and not one for each of more tokens.
bool has_first_rows_alone(const at::Tensor& x, const torch::Segments& molecules) {
  return x.size(0) != molecules.of.size(0);
}

/// The first token and the second of each pair, [P] each.
std::pair<at::Tensor, at::Tensor> tokens_of_pairs(const at::Tensor& tokens,
                                                  const torch::Segments& molecules) {
  std::vector<at::Tensor> firsts, seconds;
  const at::Tensor begin = molecules.first;
  for (std::int64_t molecule = 0; molecule < molecules.count(); ++molecule) {
    const at::Tensor own =
        tokens.slice(0, begin[molecule].item<std::int64_t>(), begin[molecule + 1].item<std::int64_t>());
    const std::int64_t count = own.size(0);
    firsts.push_back(own.unsqueeze(1).expand({count, count}).reshape({-1}));
    seconds.push_back(own.repeat({count}));
  }
  return {at::cat(firsts), at::cat(seconds)};
}

}  // namespace

template class Network<TensorOperators>;

torch::Linear TensorOperators::arrange_joint(const Linear& linear, std::int64_t heads) {
  if (!linear.weight.defined()) {
    return linear;
  }
  const std::int64_t width = linear.weight.size(0) / 3;
  const at::Tensor one = arrangement(width, heads);
  const at::Tensor all = at::cat({one, one + width, one + 2 * width});
  return {.weight = linear.weight.index_select(0, all), .bias = linear.bias.index_select(0, all)};
}

torch::Linear TensorOperators::arrange_mixed(const Linear& linear, std::int64_t heads) {
  if (!linear.weight.defined()) {
    return linear;
  }
  return {.weight = linear.weight.index_select(1, arrangement(linear.weight.size(1), heads)),
          .bias = linear.bias};
}

at::Tensor TensorOperators::pair_logits(const Integers& tokens, const Tensor& distances,
                                        const Segments& molecules, const GaussianKernels& kernels,
                                        const Dense& hidden, const Dense& out) {
  const auto [first, second] = tokens_of_pairs(tokens, molecules);
  const at::Tensor kind = first * kTokens + second;
  const at::Tensor place =
      kernels.factors.index_select(0, kind) * distances.unsqueeze(1) + kernels.offsets.index_select(0, kind);
  const at::Tensor width = kernels.widths.abs() + kLeastKernelWidth;
  const at::Tensor far = (place - kernels.means) / width;
  return out(hidden(at::exp(-0.5 * far * far) / (std::sqrt(2 * kPiOfTheNetwork) * width)));
}

at::Tensor TensorOperators::embed(const Tensor& table, const Integers& tokens, const LayerNorm& norm,
                                  const Segments& molecules, const Dropout& dropout) {
  return torch::drop_rows(torch::apply(norm, table.index_select(0, tokens)), molecules, dropout);
}

at::Tensor TensorOperators::normalised(const LayerNorm& norm, const Dense& layer, const Tensor& x) {
  return layer(torch::apply(norm, x));
}

at::Tensor TensorOperators::normalise(const LayerNorm& norm, const Tensor& x) {
  return torch::apply(norm, x);
}

at::Tensor TensorOperators::attend(const Tensor& joint, Tensor& pairs, const Segments& molecules,
                                   std::int64_t heads, bool first_only, const Dropout& dropout) {
  torch::Attended attended = torch::attend(joint, pairs, molecules, heads, first_only, dropout);
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
  return x +
         drop(narrow(widen(torch::apply(norm, x))), molecules, dropout, has_first_rows_alone(x, molecules));
}

at::Tensor TensorOperators::first_rows(const Tensor& x, const Segments& molecules) {
  return x.index_select(0, molecules.first.slice(0, 0, molecules.count()));
}

BatchOf<TensorOperators> as_tensors(const Batch& batch) {
  return {.tokens = torch::as_tensor(batch.tokens),
          .distances = torch::as_tensor(batch.distances),
          .molecules = torch::on_device(batch.molecules, c10::kCPU)};
}

}  // namespace headroom::encoders::unimol
