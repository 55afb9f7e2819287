#pragma once

#include <cstdint>

namespace headroom {

/// Multiplies and adds in registers. There are enough sums that none waits for the one before. Returns a
/// value that depends on all of them. Compiled for the CPU that builds it.
float multiply_and_add(std::int64_t rounds);

/// Multiplications and additions in a round.
std::int64_t operations_in_a_round();

}  // namespace headroom
