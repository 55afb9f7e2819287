#include "base/numerics/torch/perceptron_kernels.h"

#include <ATen/ATen.h>

#include "base/numerics/torch/cuda/perceptron_steps.h"
#include "base/numerics/torch/run_kernel.h"
#include "base/numerics/torch/torch_compatibility.h"

namespace molgauge::torch {
namespace {

const float* mask_numbers(const at::Tensor& mask) {
  return mask.defined() ? read_numbers<float>(mask) : nullptr;
}
std::int64_t mask_stride(const at::Tensor& mask) { return mask.defined() ? mask.stride(0) : 0; }

}  // namespace

at::Tensor masked_relu(at::Tensor x, const at::Tensor& mask) {
  run_kernel(cuda::MaskedRelu{.x = write_numbers<float>(x),
                              .mask = mask_numbers(mask),
                              .width = x.size(1),
                              .mask_stride = mask_stride(mask)},
             x.numel(), x.device());
  return x;
}

at::Tensor masked_relu_backward(at::Tensor of_y, const at::Tensor& y, const at::Tensor& mask) {
  run_kernel(cuda::MaskedReluGradient{.y = read_numbers<float>(y),
                                      .of_y = read_numbers<float>(of_y),
                                      .column = nullptr,
                                      .row = nullptr,
                                      .mask = mask_numbers(mask),
                                      .width = y.size(1),
                                      .mask_stride = mask_stride(mask),
                                      .of_x = write_numbers<float>(of_y)},
             y.numel(), y.device());
  return of_y;
}

at::Tensor masked_relu_backward_of_product(const at::Tensor& column, const at::Tensor& row,
                                           const at::Tensor& y, const at::Tensor& mask) {
  at::Tensor of_x = at::empty_like(y);
  run_kernel(cuda::MaskedReluGradient{.y = read_numbers<float>(y),
                                      .of_y = nullptr,
                                      .column = read_numbers<float>(column),
                                      .row = read_numbers<float>(row),
                                      .mask = mask_numbers(mask),
                                      .width = y.size(1),
                                      .mask_stride = mask_stride(mask),
                                      .of_x = write_numbers<float>(of_x)},
             y.numel(), y.device());
  return of_x;
}

std::vector<at::Tensor> column_sums(const std::vector<at::Tensor>& matrices) {
  std::vector<at::Tensor> sums;
  cuda::ColumnSums work{.matrices = {}, .rows = matrices.front().size(0)};
  std::int64_t tiles = 0;
  for (const at::Tensor& matrix : matrices) {
    const std::int64_t width = matrix.size(1);
    tiles += (width + cuda::ColumnSums::kColumns - 1) / cuda::ColumnSums::kColumns;
    const at::Tensor own = at::empty({width}, matrix.options());
    work.matrices[sums.size()] = {.numbers = read_numbers<float>(matrix),
                                  .width = width,
                                  .end = tiles,
                                  .sums = write_numbers<float>(own)};
    sums.push_back(own);
  }
  run_tiles(work, tiles, matrices.front().device());
  return sums;
}

}  // namespace molgauge::torch
