#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

/// Elementwise operations of a classifier on row-major float arrays, vectorised for this CPU, on one thread.
namespace molgauge::ops {

/// An array of rows, each `width` long.
struct Rows {
  std::size_t count = 0, width = 0;
  std::size_t size() const { return count * width; }
};

/// Decides which activations dropout keeps (keyed_numbers.h). Each decision is a hash of the row key and the
/// index of the activation. It does not depend on other rows or on the order of the work.
struct Dropout {
  double probability = 0;
  std::span<const std::uint64_t> row_keys;  ///< key of each row; may be empty if probability is 0
  std::uint64_t draw = 0;                   ///< index of the pass, if several passes use the same rows
};

/// Computes slope = (input > 0) * factor and output = input * slope. The dropout factor is 1 / (1 - p) for
/// kept activations, else 0. The index of an activation, on which the decision depends, is place * width +
/// column.
void relu_dropout(Rows rows, const float* input, const Dropout& dropout, std::size_t place, float* output,
                  float* slope);

/// Computes gradient *= slope.
void multiply(std::size_t count, const float* slope, float* gradient);

/// Computes sum[j] = sum over the rows i of values[i][j].
void sum_rows(Rows rows, const float* values, float* sum);

/// Parameters of batch normalisation (Ioffe and Szegedy 2015, arXiv:1502.03167) with epsilon 1e-5.
struct Normalization {
  const float* weight;
  const float* bias;
  float* running_mean;
  float* running_variance;  ///< running average of the unbiased variance
};

/// Normalises with the statistics of the batch. Moves the running statistics a tenth of the way towards the
/// statistics of the batch. Replaces values by normalized * weight + bias. Writes normalized [rows, width]
/// and inverse_deviation [width] for the backward pass.
void normalize_batch(Rows rows, const Normalization& norm, float* values, float* normalized,
                     float* inverse_deviation);
/// Normalises with the running statistics. Replaces values and writes inverse_deviation [width].
void normalize_running(Rows rows, const Normalization& norm, float* values, float* inverse_deviation);

/// Backward pass of normalize_batch: replaces the gradient of the output by the gradient of the input, and
/// sets the gradients of weight and bias [width].
void normalize_batch_backward(Rows rows, const float* weight, const float* normalized,
                              const float* inverse_deviation, float* gradient, float* weight_gradient,
                              float* bias_gradient);
/// Backward pass of normalize_running. Replaces the gradient of the output by the gradient of the input.
void normalize_running_backward(Rows rows, const float* weight, const float* inverse_deviation,
                                float* gradient);

}  // namespace molgauge::ops
