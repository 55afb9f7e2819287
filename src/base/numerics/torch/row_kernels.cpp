#include "base/numerics/torch/row_kernels.h"

#include <algorithm>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include "base/numerics/torch/cuda/row_steps.h"
#include "base/numerics/torch/run_kernel.h"
#include "base/numerics/torch/torch_compatibility.h"

namespace molgauge::torch {
namespace {

cuda::RowReader reader_of(const at::Tensor& x) {
  switch (x.scalar_type()) {
    case at::kHalf:
      return {read_numbers<at::Half>(x), cuda::RowType::float16};
    case at::kBFloat16:
      return {read_numbers<at::BFloat16>(x), cuda::RowType::bfloat16};
    default:
      return {read_numbers<float>(x), cuda::RowType::float32};
  }
}

cuda::RowActivation kernel_activation(Activation activation) {
  switch (activation) {
    case Activation::none:
      break;
    case Activation::relu:
      return cuda::RowActivation::relu;
    case Activation::gelu:
      return cuda::RowActivation::gelu;
  }
  return cuda::RowActivation::none;
}

const float* numbers_or_null(const at::Tensor& tensor) {
  return tensor.defined() ? read_numbers<float>(tensor) : nullptr;
}

/// The normalisation of x + bias, without the arrays for results.
cuda::RowNorm norm_of(const at::Tensor& x, const at::Tensor& bias, const LayerNorm& normalization,
                      double epsilon) {
  const std::int64_t width = normalization.weight.numel();
  return {.x = reader_of(x),
          .bias = numbers_or_null(bias),
          .addend = nullptr,
          .residual = nullptr,
          .sum_bias = nullptr,
          .stored = nullptr,
          .weight = read_numbers<float>(normalization.weight),
          .offset = read_numbers<float>(normalization.bias),
          .rows = x.numel() / width,
          .width = width,
          .epsilon = static_cast<float>(epsilon),
          .activation = cuda::RowActivation::none,
          .out = nullptr};
}

}  // namespace

bool fuses(const std::vector<at::Tensor>& tensors) {
  return uses_kernels(tensors.front().device()) &&
         std::all_of(tensors.begin(), tensors.end(), [](const at::Tensor& tensor) {
           return !tensor.defined() || (tensor.scalar_type() == at::kFloat &&
                                        !(c10::GradMode::is_enabled() && tensor.requires_grad()));
         });
}

at::Tensor message_passing_kernel(const at::Tensor& nodes, const Edges& edges, const at::Tensor& kinds) {
  const at::Tensor own = nodes.contiguous(), table = kinds.contiguous();
  at::Tensor out = at::empty_like(own);
  run_kernel(cuda::NeighbourSums{.nodes = read_numbers<float>(own),
                                 .kinds = read_numbers<float>(table),
                                 .source = read_numbers<std::int64_t>(edges.source),
                                 .kind = read_numbers<std::int64_t>(edges.kind),
                                 .first = read_numbers<std::int64_t>(edges.first),
                                 .width = own.size(1),
                                 .out = write_numbers<float>(out)},
             out.numel(), out.device());
  return out;
}

at::Tensor segment_sum_kernel(const at::Tensor& states, const at::Tensor& rows, const Segments& segments,
                              const at::Tensor& factors) {
  const at::Tensor before = states.contiguous(), own = rows.contiguous(), by = factors.contiguous();
  at::Tensor out = at::empty_like(before);
  run_kernel(cuda::SegmentSums{.states = read_numbers<float>(before),
                               .rows = read_numbers<float>(own),
                               .first = read_numbers<std::int64_t>(segments.first),
                               .factors = read_numbers<float>(by),
                               .width = own.size(1),
                               .out = write_numbers<float>(out)},
             out.numel(), out.device());
  return out;
}

at::Tensor segment_max_kernel(const at::Tensor& rows, const Segments& segments) {
  const at::Tensor own = rows.contiguous();
  at::Tensor out = at::empty({segments.count(), own.size(1)}, own.options());
  run_kernel(cuda::SegmentMaxima{.rows = read_numbers<float>(own),
                                 .first = read_numbers<std::int64_t>(segments.first),
                                 .width = own.size(1),
                                 .out = write_numbers<float>(out)},
             out.numel(), out.device());
  return out;
}

at::Tensor add_to_segments_kernel(const at::Tensor& rows, const at::Tensor& addends,
                                  const Segments& segments) {
  const at::Tensor own = rows.contiguous(), added = addends.contiguous();
  at::Tensor out = at::empty_like(own);
  run_kernel(cuda::SegmentAddends{.rows = read_numbers<float>(own),
                                  .addends = read_numbers<float>(added),
                                  .of = read_numbers<std::int64_t>(segments.of),
                                  .width = own.size(1),
                                  .out = write_numbers<float>(out)},
             out.numel(), out.device());
  return out;
}

at::Tensor norm_kernel(const at::Tensor& x, const at::Tensor& bias, const LayerNorm& normalization,
                       double epsilon, Activation activation, const at::Tensor& residual) {
  const at::Tensor own = x.contiguous(), before = residual.defined() ? residual.contiguous() : residual;
  at::Tensor out = own.scalar_type() == at::kFloat ? own : at::empty_like(own, at::kFloat);
  cuda::RowNorm work = norm_of(own, bias, normalization, epsilon);
  work.residual = numbers_or_null(before);
  work.activation = kernel_activation(activation);
  work.out = write_numbers<float>(out);
  run_tiles(work, work.tiles(), out.device());
  return out;
}

std::pair<at::Tensor, at::Tensor> add_norm_kernel(const at::Tensor& x, const at::Tensor& bias,
                                                  const at::Tensor& before, const at::Tensor& sum_bias,
                                                  const LayerNorm& normalization, double epsilon) {
  const at::Tensor own = x.contiguous(), addend = before.contiguous();
  at::Tensor out = own.scalar_type() == at::kFloat ? own : at::empty_like(own, at::kFloat),
             sum = at::empty_like(out);
  cuda::RowNorm work = norm_of(own, bias, normalization, epsilon);
  work.addend = read_numbers<float>(addend);
  work.sum_bias = numbers_or_null(sum_bias);
  work.stored = write_numbers<float>(sum);
  work.out = write_numbers<float>(out);
  run_tiles(work, work.tiles(), out.device());
  return {sum, out};
}

}  // namespace molgauge::torch
