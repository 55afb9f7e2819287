#include "ops/cpu/segment.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::ops::cpu {
namespace {

/// Joins every row of a run into the run's result, which starts as `neutral`.
template <typename Join>
void reduce(const float* rows, const Runs& runs, float neutral, float* results, Join join) {
  for (std::int64_t run = 0; run < runs.count; ++run) {
    float* __restrict const result = results + run * runs.width;
    std::fill_n(result, runs.width, neutral);
    for (std::int64_t row = runs.first[run]; row < runs.first[run + 1]; ++row) {
      const float* __restrict const numbers = rows + row * runs.width;
      for (std::int64_t i = 0; i < runs.width; ++i) {
        result[i] = join(result[i], numbers[i]);
      }
    }
  }
}

}  // namespace

void segment_sum(const float* rows, const Runs& runs, float* sums) {
  reduce(rows, runs, 0.0F, sums, [](float sum, float number) { return sum + number; });
}

void segment_max(const float* rows, const Runs& runs, float* largest) {
  // A NaN wins, as it does in ATen: a broken number must not vanish.
  reduce(rows, runs, -std::numeric_limits<float>::infinity(), largest,
         [](float most, float number) { return most >= number || std::isnan(most) ? most : number; });
}

void add_to_segments(const float* rows, const float* addends, const Runs& runs, float* sums) {
  for (std::int64_t run = 0; run < runs.count; ++run) {
    const float* __restrict const addend = addends + run * runs.width;
    for (std::int64_t row = runs.first[run]; row < runs.first[run + 1]; ++row) {
      const float* __restrict const numbers = rows + row * runs.width;
      float* __restrict const sum = sums + row * runs.width;
      for (std::int64_t i = 0; i < runs.width; ++i) {
        sum[i] = numbers[i] + addend[i];
      }
    }
  }
}

}  // namespace headroom::ops::cpu
