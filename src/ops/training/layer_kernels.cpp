#include "ops/training/layer_kernels.h"

#include <algorithm>
#include <cmath>

#include "ops/each_processor.h"

namespace headroom::ops {
namespace {

constexpr float kEpsilon = 1e-5F;
constexpr float kMomentum = 0.1F;

}  // namespace

HEADROOM_FOR_EACH_PROCESSOR
void relu_dropout(Rows rows, const float* input, const Dropout& dropout, std::size_t place, float* output,
                  float* slope) {
  const auto threshold = static_cast<std::uint64_t>(dropout.probability * 4294967296.0);
  const auto kept = static_cast<float>(1.0 / (1.0 - dropout.probability));
  for (std::size_t i = 0; i < rows.count; ++i) {
    const std::uint64_t key = threshold == 0 ? 0 : keyed_number(dropout.row_keys[i], dropout.draw);
    const std::size_t first = i * rows.width;
#pragma omp simd
    for (std::size_t j = 0; j < rows.width; ++j) {
      const bool keep = (keyed_number(key, place * rows.width + j) >> 32) >= threshold;
      slope[first + j] = input[first + j] > 0 && keep ? kept : 0.0F;
      output[first + j] = input[first + j] > 0 && keep ? input[first + j] * kept : 0.0F;
    }
  }
}

HEADROOM_FOR_EACH_PROCESSOR
void multiply(std::size_t count, const float* slope, float* gradient) {
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    gradient[i] *= slope[i];
  }
}

HEADROOM_FOR_EACH_PROCESSOR
void sum_rows(Rows rows, const float* values, float* sum) {
  std::fill_n(sum, rows.width, 0.0F);
  for (std::size_t i = 0; i < rows.count; ++i) {
    const float* const row = values + i * rows.width;
#pragma omp simd
    for (std::size_t j = 0; j < rows.width; ++j) {
      sum[j] += row[j];
    }
  }
}

HEADROOM_FOR_EACH_PROCESSOR
void normalize_batch(Rows rows, const Normalization& norm, float* values, float* normalized,
                     float* inverse_deviation) {
  const auto count = static_cast<float>(rows.count);
  float* const mean = normalized;  // uses its first row, which is written last
  sum_rows(rows, values, mean);
#pragma omp simd
  for (std::size_t j = 0; j < rows.width; ++j) {
    mean[j] /= count;
    inverse_deviation[j] = 0;
    norm.running_mean[j] += kMomentum * (mean[j] - norm.running_mean[j]);
  }
  for (std::size_t i = 0; i < rows.count; ++i) {
    float* const row = values + i * rows.width;
#pragma omp simd
    for (std::size_t j = 0; j < rows.width; ++j) {
      row[j] -= mean[j];
      inverse_deviation[j] += row[j] * row[j];
    }
  }
  const float unbiased = rows.count > 1 ? 1.0F / (count - 1) : 1.0F;
#pragma omp simd
  for (std::size_t j = 0; j < rows.width; ++j) {
    const float squares = inverse_deviation[j];
    norm.running_variance[j] += kMomentum * (squares * unbiased - norm.running_variance[j]);
    inverse_deviation[j] = 1.0F / std::sqrt(squares / count + kEpsilon);
  }
  for (std::size_t i = 0; i < rows.count; ++i) {
    float* const row = values + i * rows.width;
    float* const unit = normalized + i * rows.width;
#pragma omp simd
    for (std::size_t j = 0; j < rows.width; ++j) {
      unit[j] = row[j] * inverse_deviation[j];
      row[j] = unit[j] * norm.weight[j] + norm.bias[j];
    }
  }
}

HEADROOM_FOR_EACH_PROCESSOR
void normalize_running(Rows rows, const Normalization& norm, float* values, float* inverse_deviation) {
#pragma omp simd
  for (std::size_t j = 0; j < rows.width; ++j) {
    inverse_deviation[j] = 1.0F / std::sqrt(norm.running_variance[j] + kEpsilon);
  }
  for (std::size_t i = 0; i < rows.count; ++i) {
    float* const row = values + i * rows.width;
#pragma omp simd
    for (std::size_t j = 0; j < rows.width; ++j) {
      row[j] = (row[j] - norm.running_mean[j]) * inverse_deviation[j] * norm.weight[j] + norm.bias[j];
    }
  }
}

// With x^ the normalised input, g the gradient in the output and n rows, the gradient in the input is
// weight / deviation * (g - mean(g) - x^ mean(g x^)).
HEADROOM_FOR_EACH_PROCESSOR
void normalize_batch_backward(Rows rows, const float* weight, const float* normalized,
                              const float* inverse_deviation, float* gradient, float* weight_gradient,
                              float* bias_gradient) {
  std::fill_n(weight_gradient, rows.width, 0.0F);
  std::fill_n(bias_gradient, rows.width, 0.0F);
  for (std::size_t i = 0; i < rows.count; ++i) {
    const float* const row = gradient + i * rows.width;
    const float* const unit = normalized + i * rows.width;
#pragma omp simd
    for (std::size_t j = 0; j < rows.width; ++j) {
      weight_gradient[j] += row[j] * unit[j];
      bias_gradient[j] += row[j];
    }
  }
  const auto count = static_cast<float>(rows.count);
  for (std::size_t i = 0; i < rows.count; ++i) {
    float* const row = gradient + i * rows.width;
    const float* const unit = normalized + i * rows.width;
#pragma omp simd
    for (std::size_t j = 0; j < rows.width; ++j) {
      row[j] = weight[j] * inverse_deviation[j] *
               (row[j] - bias_gradient[j] / count - unit[j] * weight_gradient[j] / count);
    }
  }
}

HEADROOM_FOR_EACH_PROCESSOR
void normalize_running_backward(Rows rows, const float* weight, const float* inverse_deviation,
                                float* gradient) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    float* const row = gradient + i * rows.width;
#pragma omp simd
    for (std::size_t j = 0; j < rows.width; ++j) {
      row[j] *= weight[j] * inverse_deviation[j];
    }
  }
}

}  // namespace headroom::ops
