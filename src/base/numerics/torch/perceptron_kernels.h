#pragma once

#include <array>
#include <vector>

#include <ATen/core/Tensor.h>

#include "base/numerics/torch/layers.h"

/// The parts of perceptrons that are not matrix products, in one kernel each (cuda/perceptron_steps.h). They
/// do not use autograd unless stated otherwise. Tensors are float32 on a device with kernels. Matrices are
/// contiguous. A mask [n, width] contains dropout factors. It may be undefined, and only its rows must be
/// contiguous.
namespace molgauge::torch {

/// Replaces x by relu(x) * mask, and returns it.
at::Tensor masked_relu(at::Tensor x, const at::Tensor& mask);
/// Replaces the gradient of y = masked_relu(x, mask) by the gradient of x, and returns it.
at::Tensor masked_relu_backward(at::Tensor of_y, const at::Tensor& y, const at::Tensor& mask);
/// The same for the gradient of y that is the outer product of `column` [n] and `row` [width].
at::Tensor masked_relu_backward_of_product(const at::Tensor& column, const at::Tensor& row,
                                           const at::Tensor& y, const at::Tensor& mask);
/// Returns the sum [width] of the rows of each matrix [n, width]. There are at most 8 matrices.
std::vector<at::Tensor> column_sums(const std::vector<at::Tensor>& matrices);

/// Applies linear layers with silu between them: x [n, in] -> [n, out]. Differentiable.
at::Tensor silu_layers(const at::Tensor& x, const std::array<Linear, 3>& layers);

}  // namespace molgauge::torch
