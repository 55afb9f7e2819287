#include "base/numerics/torch/perceptron_kernels.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include "base/numerics/torch/cuda/perceptron_steps.h"
#include "base/numerics/torch/run_kernel.h"
#include "base/numerics/torch/torch_compatibility.h"

namespace molgauge::torch {
namespace {

const float* mask_numbers(const at::Tensor& mask) {
  return mask.defined() ? read_numbers<float>(mask) : nullptr;
}
std::int64_t mask_stride(const at::Tensor& mask) { return mask.defined() ? mask.stride(0) : 0; }

using ::torch::autograd::AutogradContext;
using Tensors = ::torch::autograd::variable_list;

class SiluLayers : public ::torch::autograd::Function<SiluLayers> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight1,
                            const at::Tensor& bias1, const at::Tensor& weight2, const at::Tensor& bias2,
                            const at::Tensor& weight3, const at::Tensor& bias3) {
    const at::Tensor before1 = at::linear(x, weight1, bias1), first = at::silu(before1);
    const at::Tensor before2 = at::linear(first, weight2, bias2), second = at::silu(before2);
    context->save_for_backward({x, weight1, weight2, weight3, before1, first, before2, second});
    context->saved_data["x"] = x.requires_grad();
    return at::linear(second, weight3, bias3);
  }
  static Tensors backward(AutogradContext* context, const Tensors& gradients) {
    const Tensors saved = context->get_saved_variables();
    const at::Tensor third = gradients[0].contiguous();
    const at::Tensor second = at::silu_backward(third.mm(saved[3]), saved[6]);
    const at::Tensor first = at::silu_backward(second.mm(saved[2]), saved[4]);
    const Tensors of_biases = column_sums({first, second, third});
    return {context->saved_data["x"].toBool() ? first.mm(saved[1]) : at::Tensor(),
            first.t().mm(saved[0]),
            of_biases[0],
            second.t().mm(saved[5]),
            of_biases[1],
            third.t().mm(saved[7]),
            of_biases[2]};
  }
};

}  // namespace

at::Tensor silu_layers(const at::Tensor& x, const std::array<Linear, 3>& layers) {
  return SiluLayers::apply(x.to(at::kFloat).contiguous(), layers[0].weight, layers[0].bias, layers[1].weight,
                           layers[1].bias, layers[2].weight, layers[2].bias);
}

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
