#pragma once

#include <cstddef>
#include <cstdint>

#include "base/numerics/ops/activation.h"
#include "base/numerics/ops/cpu/panels.h"
#include "base/numerics/ops/precision.h"

namespace molgauge::ops::cpu {

/// The number format of a group, which is a 32-bit element of a packed layer. The numbers of a group belong
/// to one column, and one instruction multiplies them.
enum class Group {
  one_float32,
  two_bfloat16,
  two_integers,  ///< two integers of 16 bits, each from -127 to 127
  four_bytes,    ///< four weights of 8 bits, -127 to 127, for inputs that are unsigned bytes. To make inputs
                 ///< unsigned, kByteShift is added to them
  four_signed_bytes,  ///< four weights of 8 bits, -127 to 127, for inputs that are signed bytes
};

inline constexpr std::int32_t kByteShift = 128;

constexpr std::int64_t numbers_in(Group group) {
  switch (group) {
    case Group::one_float32:
      return 1;
    case Group::two_bfloat16:
    case Group::two_integers:
      return 2;
    case Group::four_bytes:
    case Group::four_signed_bytes:
      break;
  }
  return 4;
}

/// A linear layer with its normalisation and activation, packed for one set of kernels
/// (base/numerics/ops/cpu/packed_layer.h). `panels` holds the transposed weights in panels of
/// Kernels::panel_columns columns: [panels][groups][columns]. The last group and the last panel are padded
/// with zeros.
struct Layer {
  std::int64_t in = 0, out = 0;
  Precision precision = Precision::fp32;
  std::int64_t groups = 0;  ///< number of groups in a column
  const std::uint32_t* panels = nullptr;
  const float* column_scales = nullptr;  ///< int8 only, [columns of all panels]
  /// For int8 only: initial values of the sums. They compensate for kByteShift.
  const std::int32_t* column_starts = nullptr;
  const float* bias = nullptr;         ///< [columns of all panels]
  const float* norm_weight = nullptr;  ///< [out]. If nullptr, the layer has no normalisation
  const float* norm_bias = nullptr;    ///< [out]
  Activation activation = Activation::none;
};

/// Arguments of message_passing (base/numerics/ops/graph.h) as plain arrays, row-major.
struct MessagePassing {
  const float* nodes;          ///< [number of nodes, width]
  const float* kinds;          ///< [number of kinds, width]
  const std::int64_t* source;  ///< [edges], ordered by target
  const std::int64_t* kind;    ///< [edges]
  const std::int64_t* first;   ///< [number of nodes + 1]
  std::int64_t width;
};

/// Segments (base/numerics/ops/graph.h) of rows of `width` numbers, as plain arrays.
struct Runs {
  const std::int64_t* first;  ///< [count + 1]
  std::int64_t count, width;
};

/// All pairs (a_i, b_j) of the numbers of two groups a and b. The numbers are given as exp(a_i) and
/// exp(-b_j). The pairwise preference loss of energy heads needs them (molecules/ood/losses/loss_terms.h).
/// Both arrays are padded with zeros, which do not contribute.
struct PreferencePairs {
  const double* growth;  ///< [rows] exp(a_i). `rows` is a multiple of kPairRows
  const double* decay;   ///< [columns] exp(-b_j). `columns` is a multiple of kPairColumns
  double* row_sums;      ///< [rows] sums to which the sum over j of sigmoid(a_i - b_j) / growth[i] is added
  double* column_sums;   ///< [columns] sums to which the sum over i of sigmoid(a_i - b_j) / decay[j] is added
  double largest_softplus;  ///< upper bound of softplus(a_i - b_j) of all pairs; at most kLargestPairSoftplus
  std::int64_t rows, columns;
};

/// Attention within one molecule. At first, `logits` contains the logits of earlier layers. For each head:
///
///     logits[i, j] += scale q[i] . k[j];  out[i] = sum over j of softmax_j(logits[i, j]) v[j]
///
/// Consecutive numbers of one head have the distance `heads`, so a vector contains one number of each head.
struct PairAttention {
  const float* joint;  ///< [tokens, 3, depth, heads] queries, keys and values
  float* logits;       ///< [tokens, tokens, heads]
  float* out;          ///< [queries, depth, heads]
  std::int64_t tokens, heads, depth;
  std::int64_t queries;  ///< number of leading tokens that attend; logits of other tokens are unchanged
  float scale;
};

/// Gaussian functions of a number y: heights[k] exp(-((y - means[k]) factors[k])^2 / 2). All arrays are
/// [kernels].
struct GaussianRows {
  const float *means, *factors, *heights;
  std::int64_t kernels;
};

/// c [rows, columns] = a b with arbitrary strides of a:
///
///     c[i, j] = start[i, j] + sum over k of a[i a_row + k a_term] b[k b_term + j]
///
/// Columns are computed in whole vectors. Rows of b, c and column_start are padded to a multiple of
/// kProductColumns. The padding of b must be finite. The padding of c is undefined afterwards. Each sum is
/// computed in the order of k and does not depend on other rows and columns.
struct StridedProduct {
  const float *a, *b;
  float* c;
  std::int64_t rows, terms, columns;
  std::int64_t a_row, a_term, b_term, c_row;
  // Initial values of the sums. They are c itself (`add`), a number for each column, a number for each row,
  // or zero.
  bool add = false;
  const float* column_start = nullptr;  ///< [columns]
  const float* row_start = nullptr;     ///< [rows]
  // Layout of a row of c. If `group` is 0, the row is contiguous. Otherwise, it consists of groups of `group`
  // contiguous columns, and the distance between the starts of two groups is c_group. `group` is a multiple
  // of kGroupColumns and cannot be combined with `add`.
  std::int64_t group = 0, c_group = 0;
  /// [rows] If not nullptr, row i of the product uses row row_numbers[i] of a and of c. Cannot be combined
  /// with `add`, row_start or `group`.
  const std::int64_t* row_numbers = nullptr;
};
inline constexpr std::int64_t kGroupColumns = 8;

/// A product like StridedProduct for few columns. A vector contains two terms of each column, because one
/// term would leave most of the vector empty. The number of terms is even. The terms of a are contiguous. The
/// terms of b are in pairs, [terms / 2, kPairedColumns, 2], with zeros beyond the last column:
///
///     c[i, j] += sum over k of a[i a_row + k] b[k / 2, j, k % 2]
///
/// c has room for kPairedColumns columns. The even terms and the odd terms are summed separately in the order
/// of k. Both sums are then added to c.
struct PairedProduct {
  const float *a, *b;
  float* c;
  std::int64_t rows, terms, a_row, c_row;
};
inline constexpr std::int64_t kPairedColumns = 8;

/// Products of rows of a with rows of b, for few columns of c:
///
///     c[i, j] = row_start[i] + sum over k of a[i a_row + k] b[j b_row + k]
///
/// With few columns, most of a vector in strided_product() would be empty. The number of terms is a multiple
/// of kProductColumns. A sum does not depend on other rows and columns.
struct RowsProduct {
  const float *a, *b;
  float* c;
  std::int64_t rows, columns, terms, a_row, b_row, c_row;
  const float* row_start;  ///< [rows]
};

inline constexpr std::int64_t kProductColumns = 16;

inline constexpr std::int64_t kPairRows = 4, kPairColumns = 8;
/// The largest softplus for which the product of exp(softplus) over four pairs is finite in a double.
inline constexpr double kLargestPairSoftplus = 170.0;

/// Maximum number of heads whose attention weights are computed together.
inline constexpr std::int64_t kMaxHeadsAtOnce = 16;

/// Rows of a block of a dense layer. The intermediate results of two layers then stay in the cache.
inline constexpr std::int64_t kBlockRows = 48;

// Kernels run in the calling thread on row-major arrays that do not overlap. They do not allocate.

/// The kernels of packed layers of one level.
struct LayerKernels {
  std::int64_t panel_columns;
  Group bf16_group, int8_group;
  /// Maximum number of groups that one instruction multiplies. A column is padded with zeros, so that it can
  /// be divided into equal steps of at most this number of groups.
  std::int64_t longest_step;

  /// Writes activation(normalization(x W^T + b)) to `to` [rows, out]. If `add` is true, adds the result to
  /// the numbers in `to` instead. x is [rows, in] with at most kBlockRows rows. Scratch memory: `product` is
  /// [rows, out]. For precisions other than fp32, `rounded` has space for kBlockRows rows of in + 1 floats.
  void (*dense)(const Layer& layer, const float* x, std::int64_t rows, void* rounded, float* product,
                bool add, float* to);

  /// Applies only the normalisation of the layer: writes normalization(x) to `to`. x and `to` are [rows,
  /// out].
  void (*normalise)(const Layer& layer, const float* x, std::int64_t rows, float* to);
};

/// The kernels of plain arrays. Levels whose vectors have the same width share them.
struct ArrayKernels {
  /// Scratch: `weights` [tokens, kMaxHeadsAtOnce].
  void (*pair_attention)(const PairAttention& attention, float* weights);

  /// Evaluates all functions at each of the `count` numbers y. Writes [count, kernels].
  void (*gaussian_rows)(const GaussianRows& rows, const float* y, std::int64_t count, float* to);

  /// Writes out [last - first, width]: the sums of nodes `first` to `last - 1`.
  void (*message_passing)(const MessagePassing& graph, std::int64_t first, std::int64_t last, float* out);

  /// The sum of softplus(a_i - b_j) over all pairs.
  double (*preference_pairs)(const PreferencePairs& pairs);

  /// Compares a group of queries with a panel of points. `pairs`: number of pairs of coordinates. Returns
  /// whether any value of the result is below its bound.
  bool (*compare_panel)(std::size_t pairs, const QueryGroup& queries, Panel panel, PanelComparison& result);

  void (*strided_product)(const StridedProduct& product);
  void (*paired_product)(const PairedProduct& product);
  void (*rows_product)(const RowsProduct& product);

  void (*segment_sum)(const float* rows, const Runs& runs, float* sums);
  void (*segment_max)(const float* rows, const Runs& runs, float* largest);
  void (*add_to_segments)(const float* rows, const float* addends, const Runs& runs, float* sums);
};

/// All kernels of one level.
struct Kernels : LayerKernels, ArrayKernels {};

}  // namespace molgauge::ops::cpu
