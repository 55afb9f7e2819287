#pragma once

#include <cstddef>

/// Products of small row-major float matrices on one thread. Those of a training step are that small that a
/// matrix library spends about as long on copying its operands into the order it likes as on multiplying
/// them.
namespace headroom::ops {

struct LinearShape {
  std::size_t rows = 0, inputs = 0, outputs = 0;
};

/// y[r][o] = bias[o] + sum_i x[r][i] w[o][i]; x [rows, inputs], w [outputs, inputs], y [rows, outputs]. Every
/// row has the bits that it would have alone.
void apply_linear(const LinearShape& shape, const float* x, const float* w, const float* bias, float* y);

struct WeightedSums {
  std::size_t sums = 0, terms = 0, width = 0;
  std::size_t sum_stride = 0, term_stride = 0;  ///< in the weights
};

/// Rows that are sums of other rows: y[m][n] = sum_k weights[m * sum_stride + k * term_stride] x[k][n];
/// x [terms, width], y [sums, width]. Every sum has the bits that it would have alone.
void add_weighted_rows(const WeightedSums& shape, const float* weights, const float* x, float* y);

}  // namespace headroom::ops
