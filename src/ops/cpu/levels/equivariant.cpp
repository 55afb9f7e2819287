// Loops over edges and over numbers of equivariant networks for the level HEADROOM_LEVEL, written for the
// compiler to vectorise: lanes are edges.

#include <algorithm>
#include <cstdint>

#include "ops/cpu/levels/exponential.h"
#include "ops/cpu/loops.h"

namespace headroom::ops::cpu::HEADROOM_LEVEL {

void path_products(const PathProducts& path, float* products) {
  for (std::int64_t u = 0; u < path.channels; ++u) {
    const float* const rows = path.rows + u * path.in_components * path.stride;
    for (std::int64_t k = 0; k < path.out_components; ++k) {
      std::fill_n(products + (k * path.channels + u) * path.stride, path.edges, 0.0F);
    }
    for (std::int64_t c = 0; c < path.coupling_count; ++c) {
      const ScaledCoupling coupling = path.couplings[c];
      float* const to = products + (coupling.third * path.channels + u) * path.stride;
      const float* const row = rows + coupling.first * path.stride;
      const float* const harmonic = path.harmonics + coupling.second * path.stride;
#pragma omp simd
      for (std::int64_t e = 0; e < path.edges; ++e) {
        to[e] += coupling.value * row[e] * harmonic[e];
      }
    }
  }
}

void path_products_backward(const PathProducts& path, const float* gradient, float* of_rows,
                            float* of_harmonics) {
  for (std::int64_t u = 0; u < path.channels; ++u) {
    const float* const rows = path.rows + u * path.in_components * path.stride;
    float* const own = of_rows + u * path.in_components * path.stride;
    for (std::int64_t c = 0; c < path.coupling_count; ++c) {
      const ScaledCoupling coupling = path.couplings[c];
      const float* const of_product = gradient + (coupling.third * path.channels + u) * path.stride;
      const float* const row = rows + coupling.first * path.stride;
      const float* const harmonic = path.harmonics + coupling.second * path.stride;
      float* const of_row = own + coupling.first * path.stride;
      float* const of_harmonic = of_harmonics + coupling.second * path.stride;
#pragma omp simd
      for (std::int64_t e = 0; e < path.edges; ++e) {
        const float slope = coupling.value * of_product[e];
        of_row[e] += slope * harmonic[e];
        of_harmonic[e] += slope * row[e];
      }
    }
  }
}

void silu(std::size_t count, float* values) {
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    const float x = values[i], shrunk = exponential(x < 0 ? x : -x);
    values[i] = x * (x < 0 ? shrunk : 1.0F) / (1.0F + shrunk);
  }
}

void silu_backward(std::size_t count, const float* values, float* gradient) {
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    const float x = values[i], shrunk = exponential(x < 0 ? x : -x);
    const float sigmoid = (x < 0 ? shrunk : 1.0F) / (1.0F + shrunk);
    gradient[i] *= sigmoid * (1.0F + x * (1.0F - sigmoid));
  }
}

}  // namespace headroom::ops::cpu::HEADROOM_LEVEL
