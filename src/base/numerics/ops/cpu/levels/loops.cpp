// The loops of the level MOLGAUGE_LEVEL. The compiler vectorises them. This file is compiled once for each
// level, with the -m flags of the level.

#include "base/numerics/ops/cpu/loops.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/numerics/ops/training/keyed_numbers.h"

namespace molgauge::ops::cpu::MOLGAUGE_LEVEL {

// Defined in attention_in_training.cpp.
void attend(const AttentionInTraining& attention, const float* before, float* logits, float* out,
            float* scratch);
void attend_backward(const AttentionInTraining& attention, const float* logits, const float* out_gradient,
                     float* logit_gradient, float* joint_gradient, float* scratch);
void dropout_factors(std::size_t width, double dropout, std::uint64_t key, float* factors);

// Defined in equivariant.cpp.
void path_products(const PathProducts& path, float* products);
void path_products_backward(const PathProducts& path, const float* gradient, float* of_rows,
                            float* of_harmonics);
void silu(std::size_t count, const float* values, float* to);
void sine(std::size_t count, double* numbers);
void copy_rows(const RowCopy& copy);
void transpose(const Transposition& rows);
void sum_runs(const RunSums& runs, float* sums);
void sigmoid(std::size_t count, const float* values, float* to);
void exponentials(std::size_t count, float factor, const float* values, float* to);
void silu_backward(std::size_t count, const float* values, float* gradient);

// Defined in exact_sums.cpp.
void add_multiples(const Multiples& of);
void multiply_lower(std::size_t width, const double* lower, const double* columns, double* products);

namespace {

constexpr float kEpsilon = 1e-5F;
constexpr float kMomentum = 0.1F;

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

void multiply(std::size_t count, const float* slope, float* gradient) {
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    gradient[i] *= slope[i];
  }
}

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

void normalize_batch(Rows rows, const Normalization& norm, float* values, float* normalized,
                     float* inverse_deviation) {
  const auto count = static_cast<float>(rows.count);
  float* const mean = normalized;  // the first row of `normalized` holds the means until the last loop
  MOLGAUGE_LEVEL::sum_rows(rows, values, mean);
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

// Let x^ be the normalised input, g the gradient of the output, and n the number of rows. Means are over the
// n rows. The gradient of the input is weight / deviation * (g - mean(g) - x^ mean(g x^)).
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

void adam_update(std::size_t count, const AdamStep& options, const float* gradient, float* parameters,
                 float* mean, float* square_mean) {
  const AdamStep step = options;
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    const float g = gradient[i] + step.decay * parameters[i];
    mean[i] += (1 - step.beta1) * (g - mean[i]);
    square_mean[i] = step.beta2 * square_mean[i] + (1 - step.beta2) * g * g;
    parameters[i] -= step.rate * mean[i] / (std::sqrt(square_mean[i]) * step.deviation_scale + step.epsilon);
  }
}

void pesg_update(std::size_t count, const PesgStep& options, const float* gradient, const float* reference,
                 float* parameters, float* velocity) {
  const PesgStep step = options;
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    const float clamped = std::min(std::max(gradient[i], -1.0F), 1.0F);
    const float g =
        clamped + step.epoch_decay * (parameters[i] - reference[i]) + step.weight_decay * parameters[i];
    velocity[i] = (1 - step.momentum) * velocity[i] + step.momentum * g;
    parameters[i] -= step.rate * velocity[i];
  }
}

float squared_distance(std::size_t width, const float* a, const float* b) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t i = 0; i < width; ++i) {
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  }
  return sum;
}

float dot_product(std::size_t width, const float* a, const float* b) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t i = 0; i < width; ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

Range range_of(std::span<const float> numbers) {
  float least = numbers[0], greatest = numbers[0];
#pragma omp simd reduction(min : least) reduction(max : greatest)
  for (std::size_t i = 0; i < numbers.size(); ++i) {  // NOLINT(modernize-loop-convert): OpenMP needs an index
    least = numbers[i] < least ? numbers[i] : least;
    greatest = numbers[i] > greatest ? numbers[i] : greatest;
  }
  return {least, greatest};
}

std::size_t count_up_to(std::span<const float> numbers, float limit) {
  std::int32_t found = 0;
#pragma omp simd reduction(+ : found)
  for (std::size_t i = 0; i < numbers.size(); ++i) {  // NOLINT(modernize-loop-convert): OpenMP needs an index
    found += numbers[i] <= limit ? 1 : 0;
  }
  return static_cast<std::size_t>(found);
}

/// If this number is added to a double and then subtracted, the result is the double rounded to a whole
/// number.
constexpr double kWhole = 0x1.8p52;

CodeSums round_to_codes(std::size_t width, const float* row, double step, std::int16_t* codes) {
  const double per_step = 1 / step;
  double squares = 0, squared_errors = 0;
#pragma omp simd reduction(+ : squares, squared_errors)
  for (std::size_t i = 0; i < width; ++i) {
    const double code = (row[i] * per_step + kWhole) - kWhole, miss = row[i] - code * step;
    codes[i] = static_cast<std::int16_t>(static_cast<std::int32_t>(code));
    squares += code * code;
    squared_errors += miss * miss;
  }
  return {squares, squared_errors};
}

void sum_selected(const SelectedSums& sums, std::int64_t begin, std::int64_t end, float* to) {
  const std::int64_t width = sums.width;
  for (std::int64_t i = begin; i < end; ++i, to += width) {
    std::int64_t source = sums.first[i];
    const std::int64_t last = sums.first[i + 1];
    if (source == last) {
      std::fill_n(to, width, 0.0F);
      continue;
    }
    std::copy_n(sums.rows + sums.source[source] * width, width, to);
    for (++source; source < last; ++source) {
      const float* const row = sums.rows + sums.source[source] * width;
#pragma omp simd
      for (std::int64_t j = 0; j < width; ++j) {
        to[j] += row[j];
      }
    }
  }
}

void add_to_doubles(std::size_t count, const float* numbers, double* sums) {
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    sums[i] += static_cast<double>(numbers[i]);
  }
}

void leaky_relu(std::size_t count, float slope, float* numbers) {
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    numbers[i] = numbers[i] > 0 ? numbers[i] : slope * numbers[i];
  }
}

}  // namespace

extern const Loops kLoops;
const Loops kLoops = {.relu_dropout = relu_dropout,
                      .multiply = multiply,
                      .sum_rows = sum_rows,
                      .normalize_batch = normalize_batch,
                      .normalize_running = normalize_running,
                      .normalize_batch_backward = normalize_batch_backward,
                      .normalize_running_backward = normalize_running_backward,
                      .attend = attend,
                      .attend_backward = attend_backward,
                      .dropout_factors = dropout_factors,
                      .adam_update = adam_update,
                      .pesg_update = pesg_update,
                      .squared_distance = squared_distance,
                      .dot_product = dot_product,
                      .range_of = range_of,
                      .count_up_to = count_up_to,
                      .round_to_codes = round_to_codes,
                      .path_products = path_products,
                      .path_products_backward = path_products_backward,
                      .silu = silu,
                      .sigmoid = sigmoid,
                      .exponentials = exponentials,
                      .silu_backward = silu_backward,
                      .sine = sine,
                      .sum_selected = sum_selected,
                      .add_to_doubles = add_to_doubles,
                      .leaky_relu = leaky_relu,
                      .copy_rows = copy_rows,
                      .transpose = transpose,
                      .sum_runs = sum_runs,
                      .add_multiples = add_multiples,
                      .multiply_lower = multiply_lower};

}  // namespace molgauge::ops::cpu::MOLGAUGE_LEVEL
