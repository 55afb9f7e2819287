#pragma once

#include <functional>
#include <vector>

#include <ATen/ATen.h>

namespace molgauge::test {

/// Settings for comparing gradients. The defaults are for float64. For float32, use a step of about 1e-2 and
/// a larger tolerance.
struct GradcheckOptions {
  double step = 1e-6;       ///< change of a number, in each direction
  double tolerance = 1e-5;  ///< absolute, and relative to the larger of the two slopes
  std::int64_t most = 200;  ///< maximum count of tested numbers of a tensor, evenly spread
};

/// The value of a function of tensors, and its gradients from the tested backward pass.
struct ValueAndGradients {
  double value = 0;
  std::vector<at::Tensor>
      gradients;  ///< a gradient for each input, with its shape. Undefined gradients are not compared
};

/// Expects the gradients to equal the slopes of the value, computed as central differences. Calls `function`
/// repeatedly and changes numbers of the inputs in place. The inputs are float32 or float64, contiguous, and
/// on the CPU. They are restored afterwards. To test a custom backward pass, use a weighted sum of the
/// outputs with different weights as the value, and let autograd differentiate it.
void expect_gradients(const std::vector<at::Tensor>& inputs,
                      const std::function<ValueAndGradients()>& function,
                      const GradcheckOptions& options = {});

/// Like expect_gradients(), for a differentiable function of the inputs. The value is the sum of the outputs
/// with different weights.
void expect_gradients_of(std::vector<at::Tensor> inputs,
                         const std::function<at::Tensor(const std::vector<at::Tensor>& inputs)>& function,
                         const GradcheckOptions& options = {});

}  // namespace molgauge::test
