// Vectors and matrices of the level MOLGAUGE_LEVEL. The compiler vectorises the loops.

#include "molecules/chem/conformers/fast/levels/level.h"

namespace molgauge::chem::fast::MOLGAUGE_LEVEL {
namespace {

double larger(double a, double b) { return a > b ? a : b; }
double size_of(double number) { return number < 0 ? -number : number; }

}  // namespace

/// Copies positions to float32, and their rounding errors to `rest`.
void spread(PairShape shape, std::size_t dimensions, const double* positions, float* to, float* rest) {
  for (std::size_t d = 0; d < dimensions; ++d) {
    const double* const from = positions + d * shape.axis;
#pragma omp simd
    for (std::size_t i = 0; i < shape.atoms; ++i) {
      const auto rounded = static_cast<float>(from[i]);
      to[d * shape.square + i] = rounded;
      rest[d * shape.square + i] = static_cast<float>(from[i] - static_cast<double>(rounded));
    }
  }
}

void gather(PairShape shape, std::size_t dimensions, const float* from, double* slopes) {
  for (std::size_t d = 0; d < dimensions; ++d) {
#pragma omp simd
    for (std::size_t i = 0; i < shape.atoms; ++i) {
      slopes[d * shape.axis + i] += static_cast<double>(from[d * shape.square + i]);
    }
  }
}

void change_and_multiply(QuasiNewton matrix, RankTwo change, const float* vector, float* product) {
  const std::size_t width = matrix.width;
  const float* const __restrict s = change.s;
  const float* const __restrict p = change.p;
  const float* const __restrict v = vector;
  for (std::size_t r = 0; r < width; r += 2) {
    float* const __restrict row = matrix.matrix + r * width;
    float* const __restrict next = row + width;
    const float s0 = change.a * s[r] + change.b * p[r], p0 = change.b * s[r];
    const float s1 = change.a * s[r + 1] + change.b * p[r + 1], p1 = change.b * s[r + 1];
    float sum = 0, next_sum = 0;
#pragma omp simd reduction(+ : sum, next_sum)
    for (std::size_t c = 0; c < width; ++c) {
      const float one = row[c] + s0 * s[c] + p0 * p[c];
      const float other = next[c] + s1 * s[c] + p1 * p[c];
      row[c] = one;
      next[c] = other;
      sum += one * v[c];
      next_sum += other * v[c];
    }
    product[r] = sum;
    product[r + 1] = next_sum;
  }
}

double dot(std::size_t count, const double* one, const double* other) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t i = 0; i < count; ++i) {
    sum += one[i] * other[i];
  }
  return sum;
}

void step(std::size_t count, const double* from, double factor, const double* direction, double* to) {
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    to[i] = from[i] + factor * direction[i];
  }
}

double largest_product(std::size_t count, const double* one, const double* other) {
  double largest = 0;
#pragma omp simd reduction(max : largest)
  for (std::size_t i = 0; i < count; ++i) {
    largest = larger(largest, size_of(one[i]) * larger(size_of(other[i]), 1.0));
  }
  return largest;
}

double largest_ratio(std::size_t count, const double* one, const double* other) {
  double largest = 0;
#pragma omp simd reduction(max : largest)
  for (std::size_t i = 0; i < count; ++i) {
    largest = larger(largest, size_of(one[i]) / larger(size_of(other[i]), 1.0));
  }
  return largest;
}

void smooth(PairShape shape, double* lower, double* upper) {
  const std::size_t n = shape.atoms, square = shape.square;
  for (std::size_t k = 0; k < n; ++k) {
    const double* const __restrict lower_k = lower + k * square;
    const double* const __restrict upper_k = upper + k * square;
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) {
        continue;
      }
      double* const __restrict lower_i = lower + i * square;
      double* const __restrict upper_i = upper + i * square;
      const double lower_ik = lower_k[i], upper_ik = upper_k[i];
#pragma omp simd
      for (std::size_t j = 0; j < square; ++j) {
        const double sum = upper_ik + upper_k[j];
        upper_i[j] = upper_i[j] < sum ? upper_i[j] : sum;
        lower_i[j] = larger(lower_i[j], larger(lower_ik - upper_k[j], lower_k[j] - upper_ik));
      }
    }
  }
}

void multiply(PairShape shape, const double* matrix, const double* vector, double* product) {
  for (std::size_t i = 0; i < shape.atoms; ++i) {
    const double* const row = matrix + i * shape.square;
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t j = 0; j < shape.square; ++j) {
      sum += row[j] * vector[j];
    }
    product[i] = sum;
  }
}

}  // namespace molgauge::chem::fast::MOLGAUGE_LEVEL
