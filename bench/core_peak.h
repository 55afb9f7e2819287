#pragma once

#include <cstdint>

namespace molgauge {

/// Multiplies and adds in registers. There are so many sums that no addition waits for the previous one.
/// Returns a value that depends on all sums. It is compiled for the CPU of the machine that builds it.
float multiply_and_add(std::int64_t rounds);

/// Multiplications and additions in a round.
std::int64_t operations_in_a_round();

}  // namespace molgauge
