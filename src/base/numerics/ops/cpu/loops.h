#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/numerics/ops/equivariant/path_products.h"
#include "base/numerics/ops/linear_algebra/symmetric_matrix.h"
#include "base/numerics/ops/training/attention_kernels.h"
#include "base/numerics/ops/training/layer_kernels.h"
#include "base/numerics/ops/training/optimizer_kernels.h"

namespace molgauge::ops::cpu {

/// The minimum and the maximum of some numbers.
struct Range {
  float least, greatest;
};

/// Sums over a row of integer codes. A coordinate is approximately code * step.
struct CodeSums {
  double squares = 0;         ///< sum of the squares of the codes
  double squared_errors = 0;  ///< sum of (coordinate - code * step)^2
};

/// Copies rows of a few dozen numbers. Calls of memmove would take longer than the copies:
///
///     to[i to_row + k] = from[i from_row + k] for k < width
struct RowCopy {
  std::int64_t count, width;
  const float* from;
  std::int64_t from_row;
  float* to;
  std::int64_t to_row;
};

/// Transposes rows: to[k to_row + i] = from[number(i) from_row + k] for k < width. number(i) is
/// from_numbers[i], or i if from_numbers is nullptr.
struct Transposition {
  std::int64_t count, width;
  const float* from;
  std::int64_t from_row;
  float* to;
  std::int64_t to_row;
  const std::int64_t* from_numbers = nullptr;
};

/// Rows of `count` numbers. `stride` is the distance between the starts of two rows. Each row is followed by
/// space for kProductColumns numbers.
struct RunSums {
  const float* numbers;
  std::int64_t rows, count, stride;
};

/// Sums of selected rows of `width` numbers. Sum i adds the rows source[k] of `rows` for first[i] <= k <
/// first[i + 1], in this order. It is zero if there are no such rows.
struct SelectedSums {
  const float* rows;
  const std::int64_t *first, *source;
  std::int64_t width;
};

/// Multiples of `count` rows, which are added to the sums of `targets` targets:
///
///     sums[t stride + i] += factors[t to_next_target + k to_next_row] * rows[k stride + i]
///
/// for each row k in turn, t < targets and i < width.
struct Multiples {
  const double* factors;
  std::size_t to_next_target, to_next_row;
  const double* rows;
  double* sums;
  std::size_t stride;  ///< distance between the starts of two rows, and of the sums of two targets
  std::size_t count, targets, width;
};

/// Loops that the compiler vectorises for one level. The headers named below describe the functions, which
/// run in the calling thread on row-major arrays that do not overlap. They do not allocate memory.
struct Loops {
  // See numerics/ops/training/layer_kernels.h.
  void (*relu_dropout)(Rows rows, const float* input, const Dropout& dropout, std::size_t place,
                       float* output, float* slope);
  void (*multiply)(std::size_t count, const float* slope, float* gradient);
  void (*sum_rows)(Rows rows, const float* values, float* sum);
  void (*normalize_batch)(Rows rows, const Normalization& norm, float* values, float* normalized,
                          float* inverse_deviation);
  void (*normalize_running)(Rows rows, const Normalization& norm, float* values, float* inverse_deviation);
  void (*normalize_batch_backward)(Rows rows, const float* weight, const float* normalized,
                                   const float* inverse_deviation, float* gradient, float* weight_gradient,
                                   float* bias_gradient);
  void (*normalize_running_backward)(Rows rows, const float* weight, const float* inverse_deviation,
                                     float* gradient);

  // See numerics/ops/training/attention_kernels.h.
  void (*attend)(const AttentionInTraining& attention, const float* before, float* logits, float* out,
                 float* scratch);
  void (*attend_backward)(const AttentionInTraining& attention, const float* logits,
                          const float* out_gradient, float* logit_gradient, float* joint_gradient,
                          float* scratch);
  void (*dropout_factors)(std::size_t width, double dropout, std::uint64_t key, float* factors);

  // See numerics/ops/training/optimizer_kernels.h.
  void (*adam_update)(std::size_t count, const AdamStep& step, const float* gradient, float* parameters,
                      float* mean, float* square_mean);
  void (*pesg_update)(std::size_t count, const PesgStep& step, const float* gradient, const float* reference,
                      float* parameters, float* velocity);

  // See numerics/ops/neighbours/.
  float (*squared_distance)(std::size_t width, const float* a, const float* b);
  float (*dot_product)(std::size_t width, const float* a, const float* b);
  /// `numbers` must not be empty.
  Range (*range_of)(std::span<const float> numbers);
  std::size_t (*count_up_to)(std::span<const float> numbers, float limit);
  CodeSums (*round_to_codes)(std::size_t width, const float* row, double step, std::int16_t* codes);

  // See numerics/ops/equivariant/.
  void (*path_products)(const PathProducts& path, float* products);
  void (*path_products_backward)(const PathProducts& path, const float* gradient, float* of_rows,
                                 float* of_harmonics);
  /// `to` may be equal to `values`.
  void (*silu)(std::size_t count, const float* values, float* to);
  void (*sigmoid)(std::size_t count, const float* values, float* to);
  /// to = exp(factor * values), where all products are at most 0. Results are at least exp(-86).
  void (*exponentials)(std::size_t count, float factor, const float* values, float* to);
  /// gradient *= derivative of silu at `values`.
  void (*silu_backward)(std::size_t count, const float* values, float* gradient);
  /// Replaces each number by its sine. Absolute values must be at most a million. The error is at most 1e-10.
  void (*sine)(std::size_t count, double* numbers);

  /// Writes the rows `begin` to `end - 1` of the sums to `to`.
  void (*sum_selected)(const SelectedSums& sums, std::int64_t begin, std::int64_t end, float* to);
  /// Adds `count` numbers to the sums: sums[i] += numbers[i].
  void (*add_to_doubles)(std::size_t count, const float* numbers, double* sums);
  /// Multiplies negative numbers by `slope`.
  void (*leaky_relu)(std::size_t count, float slope, float* numbers);

  void (*copy_rows)(const RowCopy& copy);
  void (*transpose)(const Transposition& rows);
  /// The sum of each row. It does not depend on other rows.
  void (*sum_runs)(const RunSums& runs, float* sums);

  // Bit-identical at every level: products are rounded before they are added, in the order of the rows.
  void (*add_multiples)(const Multiples& of);
  /// See numerics/ops/linear_algebra/symmetric_matrix.h.
  void (*multiply_lower)(std::size_t width, const double* lower, const double* columns, double* products);
};

}  // namespace molgauge::ops::cpu
