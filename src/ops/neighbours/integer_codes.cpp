#include "ops/neighbours/integer_codes.h"

#include <cmath>

#include "core/error.h"
#include "ops/each_processor.h"

namespace headroom::ops {
namespace {

constexpr double kLargestNorm = 32000;
/// A double added to this number keeps no fraction: adding and subtracting it rounds to a whole
/// number.
constexpr double kWhole = 0x1.8p52;

struct Sums {
  double squares = 0, squared_errors = 0;
};

HEADROOM_FOR_EACH_PROCESSOR
Sums round_to_codes(std::size_t width, const float* row, double step, std::int16_t* codes) {
  const double per_step = 1 / step;
  double squares = 0, squared_errors = 0;
#pragma omp simd reduction(+ : squares, squared_errors)
  for (std::size_t i = 0; i < width; ++i) {
    const double code = (row[i] * per_step + kWhole) - kWhole, miss = row[i] - code * step;
    codes[i] = static_cast<std::int16_t>(static_cast<std::int32_t>(code));
    squares += code * code;
    squared_errors += miss * miss;
  }
  return {squares, squared_errors};
}

}  // namespace

double code_step(double norm) { return norm > 0 ? norm / kLargestNorm : 1; }

double norm_of(std::span<const float> row) {
  double squares = 0;
  for (const float coordinate : row) {
    squares += static_cast<double>(coordinate) * coordinate;
  }
  if (!std::isfinite(squares)) {
    throw InputError("a search for neighbours needs finite numbers; leave out molecules that failed");
  }
  return std::sqrt(squares);
}

IntegerCodes encode(std::span<const float> row, double step) {
  IntegerCodes result;
  result.step = step;
  result.codes.resize(row.size());
  const Sums sums = round_to_codes(row.size(), row.data(), step, result.codes.data());
  result.squared_norm = sums.squares;
  result.error = std::sqrt(sums.squared_errors);
  return result;
}

}  // namespace headroom::ops
