#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace molgauge::ops {

/// A row of coordinates as integers. code[i] * step differs from coordinate i by at most step / 2.
struct IntegerCodes {
  std::vector<std::int16_t> codes;
  double step = 1;
  double squared_norm = 0;  ///< squared norm of the codes
  double error = 0;         ///< Euclidean distance between the row and step * codes
};

/// Returns the step for rows of Euclidean norm `norm`. The norm of the codes is then at most 32000, including
/// rounding, so products of two rows and all partial sums fit in 32 bits. Returns 1 for norm 0. Rows must
/// have fewer than a million coordinates.
double code_step(double norm);

/// The Euclidean norm of a row. Throws InputError if a coordinate is not finite, or if the norm exceeds 1e18,
/// because its square would not fit in a float.
double norm_of(std::span<const float> row);

IntegerCodes encode(std::span<const float> row, double step);

}  // namespace molgauge::ops
