#pragma once

#include "base/numerics/ops/cpu/kernels.h"
#include "base/numerics/ops/cpu/levels/vector.h"

namespace molgauge::ops::cpu::MOLGAUGE_LEVEL {

// Loops over rows of numbers that do not alias. Compilers vectorise these loops.

inline void add_message(const float* __restrict source, const float* __restrict kind, std::int64_t width,
                        float* __restrict sum) {
  for (std::int64_t i = 0; i < width; ++i) {
    const float message = source[i] + kind[i];
    // If the message is NaN, the sum becomes NaN.
    sum[i] += message < 0.0F ? 0.0F : message;
  }
}

inline void message_passing(const MessagePassing& graph, std::int64_t first, std::int64_t last, float* out) {
  const std::int64_t width = graph.width;
  for (std::int64_t node = first; node < last; ++node, out += width) {
    __builtin_memcpy(out, graph.nodes + node * width, static_cast<std::size_t>(width) * sizeof(float));
    for (std::int64_t edge = graph.first[node]; edge < graph.first[node + 1]; ++edge) {
      add_message(graph.nodes + graph.source[edge] * width, graph.kinds + graph.kind[edge] * width, width,
                  out);
    }
  }
}

/// Combines all rows of each run. The result of a run starts as `neutral`, and join(result, number) adds a
/// row to it.
template <typename Join>
inline void reduce(const float* rows, const Runs& runs, float neutral, float* results, Join join) {
  for (std::int64_t run = 0; run < runs.count; ++run) {
    float* __restrict const result = results + run * runs.width;
    for (std::int64_t i = 0; i < runs.width; ++i) {
      result[i] = neutral;
    }
    for (std::int64_t row = runs.first[run]; row < runs.first[run + 1]; ++row) {
      const float* __restrict const numbers = rows + row * runs.width;
      for (std::int64_t i = 0; i < runs.width; ++i) {
        result[i] = join(result[i], numbers[i]);
      }
    }
  }
}

inline void segment_sum(const float* rows, const Runs& runs, float* sums) {
  reduce(rows, runs, 0.0F, sums, [](float sum, float number) { return sum + number; });
}

inline void segment_max(const float* rows, const Runs& runs, float* largest) {
  // If a number is NaN, the maximum is NaN, as in ATen.
  reduce(rows, runs, -__builtin_inff(), largest,
         [](float most, float number) { return most >= number || most != most ? most : number; });
}

inline void add_to_segments(const float* rows, const float* addends, const Runs& runs, float* sums) {
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

}  // namespace molgauge::ops::cpu::MOLGAUGE_LEVEL
