#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace headroom::ops {

/// A row of coordinates as whole numbers: code[i] * step lies within step / 2 of coordinate i.
struct IntegerCodes {
  std::vector<std::int16_t> codes;
  double step = 1;
  double squared_norm = 0;  ///< squared norm of the codes
  double error = 0;         ///< distance between the row and the codes times the step
};

/// The step with which a row of Euclidean norm `norm` has codes of norm 32000 at most, roundings included:
/// the product of two such rows, and every part of it, fits 32 bits. 1 for norm 0. Rows have fewer than a
/// million coordinates.
double code_step(double norm);

/// The Euclidean norm of a row. Throws InputError if a coordinate is not finite or the norm exceeds 1e18: its
/// square would not fit a float.
double norm_of(std::span<const float> row);

IntegerCodes encode(std::span<const float> row, double step);

}  // namespace headroom::ops
