#pragma once

#include <vector>

#include <ATen/core/Tensor.h>

/// AdamW and the norm of gradients on a GPU. A kernel (cuda/optimizer_steps.h) processes many parameters at
/// once. For CPU tensors, loops execute the steps, for tests.
namespace molgauge::torch {

/// A parameter with its moments: contiguous float32 tensors with the same device and size. The gradient may
/// have any layout.
struct AdamWParameter {
  at::Tensor value, gradient, mean, square_mean;
  double decay = 1;  ///< factor by which the weight decay multiplies the value
  double rate = 0;   ///< learning rate, including the bias correction of the mean
};

struct AdamWNumbers {
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  double square_correction = 1;  ///< divisor of the root of square_mean
};

/// Performs one step of models/train/adamw.h. Allocates all memory before it changes any number.
void adamw_by_steps(const std::vector<AdamWParameter>& parameters, const AdamWNumbers& numbers);

/// Returns sums of squares [parts], float64, whose sum is the sum of the squares of all arrays. The arrays
/// are contiguous float32 tensors on the same device. Each part has a fixed order of additions.
at::Tensor square_sums(const std::vector<at::Tensor>& arrays);

}  // namespace molgauge::torch
