#include "ood/dpo_tile.h"

#include <algorithm>
#include <cmath>

// One build of the kernel per instruction set, chosen when the library is loaded. The choice is made by a
// resolver that runs before a sanitizer is ready, so sanitized builds keep to the plain one.
#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define HEADROOM_FOR_EACH_PROCESSOR \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define HEADROOM_FOR_EACH_PROCESSOR
#endif

namespace headroom::ood {

ScaledEnergies::ScaledEnergies(std::span<const float> energies, double beta, double centre) {
  for (const float energy : energies) {
    value.push_back(beta * (energy - centre));
    growth.push_back(std::exp(value.back()));
    decay.push_back(std::exp(-value.back()));
  }
}

bool ScaledEnergies::products_are_finite() const {
  return std::all_of(value.begin(), value.end(), [](double v) { return std::abs(v) <= 350; });
}

// Both kernels: softplus(x) = max(x, 0) + log(1 + exp(-|x|)), the logarithms of a row taken of the product at
// once; sigmoid(x) = 1 / (1 + exp(-|x|)) for x >= 0, exp(-|x|) / (1 + exp(-|x|)) below.

HEADROOM_FOR_EACH_PROCESSOR
double accumulate_dpo_tile(const DpoTile& tile) {
  const double* const ood = &tile.ood.value[tile.columns.first];
  const double* const ood_growth = &tile.ood.growth[tile.columns.first];
  const double* const ood_decay = &tile.ood.decay[tile.columns.first];
  double* const ood_sum = tile.ood_sum;
  double total = 0;
  for (std::size_t i = 0; i < tile.rows.count; ++i) {
    const double id = tile.id.value[tile.rows.first + i];
    const double id_growth = tile.id.growth[tile.rows.first + i];
    const double id_decay = tile.id.decay[tile.rows.first + i];
    double positive = 0, row = 0, product = 1;
#pragma omp simd reduction(+ : positive, row) reduction(* : product)
    for (std::size_t j = 0; j < tile.columns.count; ++j) {
      const double x = id - ood[j];
      const double up = id_growth * ood_decay[j], down = id_decay * ood_growth[j];
      const double small = up < down ? up : down;
      const double weight = 1.0 + small;
      const double sigmoid = (x >= 0 ? 1.0 : small) / weight;
      positive += x >= 0 ? x : 0.0;
      product *= weight;
      row += sigmoid;
      ood_sum[j] += sigmoid;
    }
    tile.id_sum[i] += row;
    total += positive + std::log(product);
  }
  return total;
}

double accumulate_wide_dpo_tile(const DpoTile& tile) {
  double total = 0;
  for (std::size_t i = 0; i < tile.rows.count; ++i) {
    double product = 1;
    for (std::size_t j = 0; j < tile.columns.count; ++j) {
      const double x = tile.id.value[tile.rows.first + i] - tile.ood.value[tile.columns.first + j];
      const double small = std::exp(-std::abs(x));
      const double sigmoid = (x >= 0 ? 1.0 : small) / (1.0 + small);
      total += std::max(x, 0.0);
      product *= 1.0 + small;
      tile.id_sum[i] += sigmoid;
      tile.ood_sum[j] += sigmoid;
    }
    total += std::log(product);
  }
  return total;
}

}  // namespace headroom::ood
