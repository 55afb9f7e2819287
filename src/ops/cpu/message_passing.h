#pragma once

#include <cstdint>

namespace headroom::ops::cpu {

/// Arguments of message_passing (ops/message_passing.h) as plain arrays, row-major.
struct MessagePassing {
  const float* nodes;          ///< [node_count, width]
  const float* kinds;          ///< [number of kinds, width]
  const std::int64_t* source;  ///< [edges], ordered by target
  const std::int64_t* kind;    ///< [edges]
  const std::int64_t* first;   ///< [node_count + 1]
  std::int64_t node_count, width;
};

/// Writes out [node_count, width], which overlaps nothing of the arguments. One thread.
void message_passing(const MessagePassing& arguments, float* out);

}  // namespace headroom::ops::cpu
