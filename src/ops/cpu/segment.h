#pragma once

#include <cstdint>

namespace headroom::ops::cpu {

/// Segments (ops/segment.h) of rows of `width` numbers, as plain arrays.
struct Runs {
  const std::int64_t* first;  ///< [count + 1]
  std::int64_t count, width;
};

/// The operators of ops/segment.h on row-major arrays that do not overlap. One thread.
void segment_sum(const float* rows, const Runs& runs, float* sums);
void segment_max(const float* rows, const Runs& runs, float* largest);
void add_to_segments(const float* rows, const float* addends, const Runs& runs, float* sums);

}  // namespace headroom::ops::cpu
