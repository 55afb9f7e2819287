#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

/// The elementwise parts of a classifier over row-major float arrays, vectorised for the processor they run
/// on; one thread.
namespace headroom::ops {

/// An array of rows, each `width` long.
struct Rows {
  std::size_t count = 0, width = 0;
  std::size_t size() const { return count * width; }
};

/// Decides which activations dropout keeps (keyed_numbers.h). Every decision is a hash of the row's key and
/// the index of the activation, so that it depends neither on the other rows of a batch nor on the order of
/// the work.
struct Dropout {
  double probability = 0;
  std::span<const std::uint64_t> row_keys;  ///< one for each row; may be empty when probability is 0
  std::uint64_t draw = 0;                   ///< number of the pass, where several passes use the same rows
};

/// slope = 1 where input > 0, else 0, times the dropout factor of (row, place * width + column): 0, or
/// 1 / (1 - p) where the activation is kept. output = input * slope.
void relu_dropout(Rows rows, const float* input, const Dropout& dropout, std::size_t place, float* output,
                  float* slope);

/// gradient *= slope
void multiply(std::size_t count, const float* slope, float* gradient);

/// sum[j] = sum over rows of values[i][j]
void sum_rows(Rows rows, const float* values, float* sum);

/// Batch normalisation (Ioffe and Szegedy 2015, arXiv:1502.03167), epsilon 1e-5.
struct Normalization {
  const float* weight;
  const float* bias;
  float* running_mean;
  float* running_variance;  ///< running average of the unbiased variance
};

/// Uses the statistics of the batch; the running ones move a tenth towards them. Replaces values by the
/// normalised ones times weight plus bias; writes normalized [rows, width] and inverse_deviation [width] for
/// the backward pass.
void normalize_batch(Rows rows, const Normalization& norm, float* values, float* normalized,
                     float* inverse_deviation);
/// Uses the running statistics.
void normalize_running(Rows rows, const Normalization& norm, float* values, float* inverse_deviation);

/// Backward through normalize_batch: replaces the gradient in the output by that in the input, and sets the
/// gradients in weight and bias [width].
void normalize_batch_backward(Rows rows, const float* weight, const float* normalized,
                              const float* inverse_deviation, float* gradient, float* weight_gradient,
                              float* bias_gradient);
/// Backward through normalize_running, only for the input.
void normalize_running_backward(Rows rows, const float* weight, const float* inverse_deviation,
                                float* gradient);

}  // namespace headroom::ops
