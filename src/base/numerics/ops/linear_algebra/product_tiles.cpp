#include "base/numerics/ops/linear_algebra/product_tiles.h"

#include <algorithm>

#if defined(__x86_64__) && defined(__GNUC__)
#define MOLGAUGE_HAS_AVX2_VARIANT 1
#include <immintrin.h>

#include "base/numerics/ops/cpu/instruction_level.h"
#endif

namespace molgauge::ops {

void multiply_anywhere(std::size_t width, const TileRows& rows, const TileOutputs& outputs,
                       TileProducts& products) {
  for (std::size_t r = 0; r < kTileRows; ++r) {
    for (std::size_t o = 0; o < kTileOutputs; ++o) {
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (std::size_t i = 0; i < width; ++i) {
        sum += rows[r][i] * outputs[o][i];
      }
      products[r][o] = sum;
    }
  }
}

void sum_anywhere(std::size_t terms, const TileRows& weights, std::size_t stride, const float* columns,
                  float* sums, std::size_t row_stride) {
  for (std::size_t r = 0; r < kTileRows; ++r) {
    float* const own = sums + r * row_stride;
    std::fill_n(own, kTileColumns, 0.0F);
    for (std::size_t k = 0; k < terms; ++k) {
#pragma omp simd
      for (std::size_t n = 0; n < kTileColumns; ++n) {
        own[n] += weights[r][k * stride] * columns[k * kTileColumns + n];
      }
    }
  }
}

#ifdef MOLGAUGE_HAS_AVX2_VARIANT
namespace {

constexpr std::size_t kLanes = 8;

[[gnu::target("avx2,fma")]] inline float sum_of_lanes(__m256 lanes) {
  __m128 sum = _mm_add_ps(_mm256_castps256_ps128(lanes), _mm256_extractf128_ps(lanes, 1));
  sum = _mm_add_ps(sum, _mm_movehl_ps(sum, sum));
  return _mm_cvtss_f32(_mm_add_ss(sum, _mm_movehdup_ps(sum)));
}

// The empty assembler statements keep operands and sums in registers. Without these statements, the compiler
// reads each row once for every output. These reads would take twice as long as the products.

[[gnu::target("avx2,fma")]] void multiply_with_avx2(std::size_t width, const TileRows& rows,
                                                    const TileOutputs& outputs, TileProducts& products) {
  __m256 sums[kTileRows][kTileOutputs];
#pragma GCC unroll 4
  for (auto& sum : sums) {
    sum[0] = sum[1] = _mm256_setzero_ps();
  }
  const std::size_t whole = width / kLanes * kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes) {
    __m256 first = _mm256_loadu_ps(outputs[0] + i), second = _mm256_loadu_ps(outputs[1] + i);
    asm("" : "+x"(first), "+x"(second));
#pragma GCC unroll 4
    for (std::size_t r = 0; r < kTileRows; ++r) {
      __m256 row = _mm256_loadu_ps(rows[r] + i);
      asm("" : "+x"(row));
      sums[r][0] = _mm256_fmadd_ps(row, first, sums[r][0]);
      sums[r][1] = _mm256_fmadd_ps(row, second, sums[r][1]);
      asm("" : "+x"(sums[r][0]), "+x"(sums[r][1]));
    }
  }
#pragma GCC unroll 4
  for (std::size_t r = 0; r < kTileRows; ++r) {
#pragma GCC unroll 2
    for (std::size_t o = 0; o < kTileOutputs; ++o) {
      float sum = sum_of_lanes(sums[r][o]);
      for (std::size_t i = whole; i < width; ++i) {
        sum += rows[r][i] * outputs[o][i];
      }
      products[r][o] = sum;
    }
  }
}

[[gnu::target("avx2,fma")]] void sum_with_avx2(std::size_t terms, const TileRows& weights, std::size_t stride,
                                               const float* columns, float* sums, std::size_t row_stride) {
  __m256 low[kTileRows], high[kTileRows];
#pragma GCC unroll 4
  for (std::size_t r = 0; r < kTileRows; ++r) {
    low[r] = high[r] = _mm256_setzero_ps();
  }
  for (std::size_t k = 0; k < terms; ++k) {
    const __m256 left = _mm256_loadu_ps(columns + k * kTileColumns);
    const __m256 right = _mm256_loadu_ps(columns + k * kTileColumns + kLanes);
#pragma GCC unroll 4
    for (std::size_t r = 0; r < kTileRows; ++r) {
      const __m256 weight = _mm256_broadcast_ss(weights[r] + k * stride);
      low[r] = _mm256_fmadd_ps(left, weight, low[r]);
      high[r] = _mm256_fmadd_ps(right, weight, high[r]);
      asm("" : "+x"(low[r]), "+x"(high[r]));
    }
  }
#pragma GCC unroll 4
  for (std::size_t r = 0; r < kTileRows; ++r) {
    _mm256_storeu_ps(sums + r * row_stride, low[r]);
    _mm256_storeu_ps(sums + r * row_stride + kLanes, high[r]);
  }
}

/// Every level above the generic one has AVX2 and FMA.
bool has_avx2() { return cpu::chosen_level() >= cpu::InstructionLevel::avx2; }

}  // namespace

ProductTile choose_product_tile() { return has_avx2() ? multiply_with_avx2 : multiply_anywhere; }
SumTile choose_sum_tile() { return has_avx2() ? sum_with_avx2 : sum_anywhere; }
#else
ProductTile choose_product_tile() { return multiply_anywhere; }
SumTile choose_sum_tile() { return sum_anywhere; }
#endif

}  // namespace molgauge::ops
