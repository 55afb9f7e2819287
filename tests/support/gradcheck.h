#pragma once

#include <functional>
#include <vector>

#include <ATen/ATen.h>

namespace headroom::test {

/// Settings for comparing gradients. Numbers in float32 need a step of about 1e-2 and a matching tolerance.
/// The defaults fit float64.
struct GradcheckOptions {
  double step = 1e-6;       ///< change of a number, in each direction
  double tolerance = 1e-5;  ///< absolute, and relative to the larger of the two slopes
  std::int64_t most = 200;  ///< numbers of a tensor to test, evenly spread
};

/// The value of a function of tensors, and its gradients from the tested backward pass.
struct ValueAndGradients {
  double value = 0;
  std::vector<at::Tensor>
      gradients;  ///< one for each input, with its shape. Undefined gradients are not compared
};

/// Expects the gradients to equal the slopes of the value, computed as central differences. Calls `function`
/// repeatedly. It reads the inputs in place: float32 or float64, contiguous, on the CPU. The inputs are
/// unchanged afterwards. For an operator with a custom backward pass, use a weighted sum of its outputs with
/// different weights as the value. Autograd then differentiates the sum through that backward pass.
void expect_gradients(const std::vector<at::Tensor>& inputs,
                      const std::function<ValueAndGradients()>& function,
                      const GradcheckOptions& options = {});

/// The same for a differentiable function of the inputs, whose outputs are weighted and summed here.
void expect_gradients_of(std::vector<at::Tensor> inputs,
                         const std::function<at::Tensor(const std::vector<at::Tensor>& inputs)>& function,
                         const GradcheckOptions& options = {});

}  // namespace headroom::test
