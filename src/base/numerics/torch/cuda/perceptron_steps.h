#pragma once

#include <cstdint>

#include "base/numerics/ops/everywhere.h"
#include "base/numerics/torch/cuda/row_and_column.h"

/// The steps and tiles of perceptron_kernels.h (launch_steps.h, launch_tiles.h). All pointers are device
/// pointers to matrices [n, width]. `mask` may be null, and its rows may be further apart than their width.
namespace molgauge::torch::cuda {

/// Multiplies relu(x) by the mask, in place.
struct MaskedRelu {
  float* x;
  const float* mask;
  std::int64_t width, mask_stride;

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    const float number = x[i] < 0 ? 0 : x[i];  // NaN remains NaN
    if (mask == nullptr) {
      x[i] = number;
      return;
    }
    const auto [row, k] = RowAndColumn::of(i, width);
    x[i] = number * mask[row * mask_stride + k];
  }
};

/// The gradient of the input of MaskedRelu from the gradient of its result y. If `of_y` is null, the gradient
/// of y is the outer product of a column [n] and a row [width].
struct MaskedReluGradient {
  const float *y, *of_y, *column, *row, *mask;
  std::int64_t width, mask_stride;
  float* of_x;  ///< may be the memory of of_y

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    const auto [n, k] = RowAndColumn::of(i, width);
    const float gradient = of_y == nullptr ? column[n] * row[k] : of_y[i];
    const float factor = mask == nullptr ? 1 : mask[n * mask_stride + k];
    of_x[i] = y[i] > 0 ? gradient * factor : 0;
  }
};

/// The sums of the columns of several matrices with equally many rows. A tile computes the sums of up to
/// kColumns columns of a matrix, and kLanes threads share a column.
struct ColumnSums {
  static constexpr int kColumns = 16, kLanes = 32, kThreads = kColumns * kLanes, kMaxMatrices = 8;

  struct Matrix {
    const float* numbers;  ///< [rows, width]
    std::int64_t width;
    std::int64_t end;  ///< number of tiles of this matrix and all matrices before it
    float* sums;       ///< [width]
  };
  struct Place {
    const Matrix* matrix;
    std::int64_t column;  ///< first column of the tile
  };
  struct Shared {
    float sums[kColumns][kLanes + 1];
  };
  struct Own {};

  Matrix matrices[kMaxMatrices];
  std::int64_t rows;

  MOLGAUGE_EVERYWHERE int rounds(std::int64_t /*tile*/) const { return 1; }
  MOLGAUGE_EVERYWHERE Place place_of(std::int64_t tile) const {
    int i = 0;
    while (tile >= matrices[i].end) {
      ++i;
    }
    return {&matrices[i], (tile - (i == 0 ? 0 : matrices[i - 1].end)) * kColumns};
  }

  MOLGAUGE_EVERYWHERE void load(std::int64_t tile, int /*round*/, int thread, Shared& to) const {
    const int own_column = thread % kColumns, lane = thread / kColumns;
    const Place place = place_of(tile);
    const std::int64_t column = place.column + own_column, width = place.matrix->width;
    float sum = 0;
    for (std::int64_t row = lane; column < width && row < rows; row += kLanes) {
      sum += place.matrix->numbers[row * width + column];
    }
    to.sums[own_column][lane] = sum;
  }
  MOLGAUGE_EVERYWHERE void compute(std::int64_t tile, int /*round*/, int thread, const Shared& from,
                                   Own& /*own*/) const {
    const Place place = place_of(tile);
    if (thread >= kColumns || place.column + thread >= place.matrix->width) {
      return;
    }
    float sum = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
      sum += from.sums[thread][lane];
    }
    place.matrix->sums[place.column + thread] = sum;
  }
};

}  // namespace molgauge::torch::cuda
