#pragma once

#include <cstddef>

/// Products of small row-major float matrices on one thread. In a training step, a matrix library would need
/// about as much time to reorder such small operands as to multiply them.
namespace molgauge::ops {

struct LinearShape {
  std::size_t rows = 0, inputs = 0, outputs = 0;
};

/// Computes y[r][o] = bias[o] + sum over i of x[r][i] w[o][i], with x [rows, inputs], w [outputs, inputs] and
/// y [rows, outputs]. The bits of a row do not depend on other rows.
void apply_linear(const LinearShape& shape, const float* x, const float* w, const float* bias, float* y);

struct WeightedSums {
  std::size_t sums = 0, terms = 0, width = 0;
  /// Distances in the array of weights: from one sum to the next, and from one term to the next.
  std::size_t sum_stride = 0, term_stride = 0;
};

/// Computes weighted sums of rows: y[m][n] = sum over k of weights[m * sum_stride + k * term_stride] x[k][n],
/// with x [terms, width] and y [sums, width]. The bits of a sum do not depend on other sums.
void add_weighted_rows(const WeightedSums& shape, const float* weights, const float* x, float* y);

}  // namespace molgauge::ops
