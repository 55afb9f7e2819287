#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "base/numerics/ops/everywhere.h"
#include "base/numerics/torch/cuda/row_and_column.h"

/// The steps and tiles of row_kernels.h (launch_steps.h, launch_tiles.h). All pointers are device pointers.
/// Matrices are contiguous, and sums have the order of the rows.
namespace molgauge::torch::cuda {

/// Adds the messages of GINE (base/numerics/ops/graph.h) to the rows of the nodes.
struct NeighbourSums {
  const float *nodes, *kinds;                 ///< [n, width], [kinds, width]
  const std::int64_t *source, *kind, *first;  ///< arrays of Edges
  std::int64_t width;
  float* out;  ///< [n, width]

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    const auto [node, k] = RowAndColumn::of(i, width);
    float sum = 0;
    for (std::int64_t edge = first[node]; edge < first[node + 1]; ++edge) {
      const float message = nodes[source[edge] * width + k] + kinds[kind[edge] * width + k];
      sum += message < 0 ? 0 : message;  // NaN remains NaN
    }
    out[i] = nodes[i] + sum;
  }
};

/// Adds the sum of the rows of each segment, times a factor, to the state of the segment.
struct SegmentSums {
  const float *states, *rows;  ///< [segments, width], [n, width]
  const std::int64_t* first;   ///< [segments + 1]
  const float* factors;        ///< [segments]
  std::int64_t width;
  float* out;  ///< [segments, width]

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    const auto [segment, k] = RowAndColumn::of(i, width);
    float sum = 0;
    for (std::int64_t row = first[segment]; row < first[segment + 1]; ++row) {
      sum += rows[row * width + k];
    }
    out[i] = states[i] + factors[segment] * sum;
  }
};

/// The column maxima of each segment. If a column contains a NaN, the result is NaN.
struct SegmentMaxima {
  const float* rows;          ///< [n, width]
  const std::int64_t* first;  ///< [segments + 1]
  std::int64_t width;
  float* out;  ///< [segments, width]

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    const auto [segment, k] = RowAndColumn::of(i, width);
    float highest = -INFINITY;
    for (std::int64_t row = first[segment]; row < first[segment + 1]; ++row) {
      const float number = rows[row * width + k];
      if (number > highest || number != number) {
        highest = number;
      }
    }
    out[i] = highest;
  }
};

/// Adds to each row the row of its segment.
struct SegmentAddends {
  const float *rows, *addends;  ///< [n, width], [segments, width]
  const std::int64_t* of;       ///< [n] segment of each row
  std::int64_t width;
  float* out;  ///< [n, width]

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    const auto [row, k] = RowAndColumn::of(i, width);
    out[i] = rows[i] + addends[of[row] * width + k];
  }
};

enum class RowType : std::uint8_t { float32, float16, bfloat16 };

/// Reads numbers of one of these types as float32.
struct RowReader {
  const void* numbers;
  RowType type;

  MOLGAUGE_EVERYWHERE float operator[](std::int64_t i) const {
    if (type == RowType::float32) {
      return static_cast<const float*>(numbers)[i];
    }
    const std::uint32_t half = static_cast<const std::uint16_t*>(numbers)[i];
    if (type == RowType::bfloat16) {
      return from_bits(half << 16);
    }
    // The exponent of float16 has 5 bits and the bias 15. The multiplication corrects the bias, also for
    // subnormal numbers.
    const std::uint32_t sign = (half & 0x8000U) << 16, rest = (half & 0x7fffU) << 13;
    const bool is_finite = (half & 0x7c00U) != 0x7c00U;
    const float size = is_finite ? from_bits(rest) * 0x1p112F : from_bits(rest | 0x7f800000U);
    return sign != 0 ? -size : size;
  }
  MOLGAUGE_EVERYWHERE static float from_bits(std::uint32_t bits) {
    float number = 0;
    memcpy(&number, &bits, sizeof(number));
    return number;
  }
};

enum class RowActivation : std::uint8_t { none, relu, gelu };

/// Computes residual + activation(layer normalisation(x + bias + addend)) for each row, and stores x + bias +
/// addend + sum_bias in `stored`. A tile consists of kRows rows,
/// and kLanes threads share a row. The first round sums the row, and the second round sums the squares of the
/// differences from the mean. `out` may be the memory of x.
struct RowNorm {
  static constexpr int kRows = 8, kLanes = 32, kThreads = kRows * kLanes;

  /// Sums of the threads. Because of the padding, threads of a warp access different memory banks.
  struct Shared {
    float sums[kRows][kLanes + 1], squares[kRows][kLanes + 1];
  };
  struct Own {};

  RowReader x;  ///< [rows, width]
  // The following arrays may be null.
  const float *bias, *addend;  ///< [width], [rows, width]
  const float* residual;       ///< [rows, width]
  const float* sum_bias;       ///< [width]
  float* stored;               ///< [rows, width]
  const float *weight, *offset;
  std::int64_t rows, width;
  float epsilon;
  RowActivation activation;
  float* out;  ///< [rows, width]

  MOLGAUGE_EVERYWHERE std::int64_t tiles() const { return (rows + kRows - 1) / kRows; }
  MOLGAUGE_EVERYWHERE int rounds(std::int64_t /*tile*/) const { return 2; }

  MOLGAUGE_EVERYWHERE void load(std::int64_t tile, int round, int thread, Shared& to) const {
    const int slot = thread / kLanes, lane = thread % kLanes;
    const std::int64_t row = tile * kRows + slot;
    if (row >= rows) {
      return;
    }
    const float mean = round == 0 ? 0 : mean_of(to.sums[slot]);
    float sum = 0;
    for (std::int64_t k = lane; k < width; k += kLanes) {
      const float number = at(row, k) - mean;
      sum += round == 0 ? number : number * number;
    }
    (round == 0 ? to.sums : to.squares)[slot][lane] = sum;
  }

  MOLGAUGE_EVERYWHERE void compute(std::int64_t tile, int round, int thread, const Shared& from,
                                   Own& /*own*/) const {
    const int slot = thread / kLanes, lane = thread % kLanes;
    const std::int64_t row = tile * kRows + slot;
    if (round == 0 || row >= rows) {
      return;
    }
    const float mean = mean_of(from.sums[slot]), factor = 1 / sqrtf(mean_of(from.squares[slot]) + epsilon);
    for (std::int64_t k = lane; k < width; k += kLanes) {
      const float in = at(row, k), number = activate((in - mean) * factor * weight[k] + offset[k]);
      if (stored != nullptr) {
        stored[row * width + k] = sum_bias == nullptr ? in : in + sum_bias[k];
      }
      out[row * width + k] = residual == nullptr ? number : residual[row * width + k] + number;
    }
  }

 private:
  MOLGAUGE_EVERYWHERE float at(std::int64_t row, std::int64_t k) const {
    const float number = bias == nullptr ? x[row * width + k] : x[row * width + k] + bias[k];
    return addend == nullptr ? number : addend[row * width + k] + number;
  }
  MOLGAUGE_EVERYWHERE float mean_of(const float (&sums)[kLanes + 1]) const {
    float sum = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
      sum += sums[lane];
    }
    return sum / static_cast<float>(width);
  }
  MOLGAUGE_EVERYWHERE float activate(float number) const {
    if (activation == RowActivation::relu) {
      return number < 0 ? 0 : number;
    }
    return activation == RowActivation::gelu ? 0.5F * number * (1 + erff(number * 0.70710678F)) : number;
  }
};

}  // namespace molgauge::torch::cuda
