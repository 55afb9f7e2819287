#pragma once

#include <functional>
#include <vector>

#include <ATen/ATen.h>

namespace headroom::test {

/// How closely gradients are compared. Numbers in float32 need a step of about 1e-2 and a tolerance to match;
/// in float64 the defaults do.
struct GradcheckOptions {
  double step = 1e-6;       ///< change of a number, in each direction
  double tolerance = 1e-5;  ///< absolute, and relative to the larger of the two slopes
  std::int64_t most = 200;  ///< numbers of a tensor that are tried, evenly spread
};

/// The value of a function of tensors, and its gradients in them by the backward pass that is tested.
struct ValueAndGradients {
  double value = 0;
  std::vector<at::Tensor> gradients;  ///< one for each input, of its shape; undefined: not compared
};

/// Expects that the gradients are the slopes of the value, which are taken as central differences. `function`
/// is called again and again, and reads the inputs as they are: float32 or float64, contiguous, on the CPU.
/// They are as they were afterwards. For an operator with a backward of its own, the value is a weighted sum
/// of its outputs, with weights that differ; autograd's gradients of that sum go through the operator's
/// backward.
void expect_gradients(const std::vector<at::Tensor>& inputs,
                      const std::function<ValueAndGradients()>& function,
                      const GradcheckOptions& options = {});

/// As above, for a differentiable function of the inputs, whose outputs are weighted and summed here.
void expect_gradients_of(std::vector<at::Tensor> inputs,
                         const std::function<at::Tensor(const std::vector<at::Tensor>& inputs)>& function,
                         const GradcheckOptions& options = {});

}  // namespace headroom::test
