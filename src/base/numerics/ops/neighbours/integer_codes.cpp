#include "base/numerics/ops/neighbours/integer_codes.h"

#include <cmath>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/numerics/ops/cpu/instruction_level.h"

namespace molgauge::ops {
namespace {

constexpr double kLargestNorm = 32000;
constexpr double kLargestRow = 1e18;

}  // namespace

double code_step(double norm) { return norm > 0 ? norm / kLargestNorm : 1; }

double norm_of(std::span<const float> row) {
  double squares = 0;
  for (const float coordinate : row) {
    squares += static_cast<double>(coordinate) * coordinate;
  }
  if (!std::isfinite(squares)) {
    throw InputError("a search for neighbours needs finite numbers. Leave out molecules that failed");
  }
  if (squares > kLargestRow * kLargestRow) {
    throw InputError(fmt::format(
        "a row of features has the norm {:.3g}. A search for neighbours takes norms up to {:g}, because it "
        "squares them in single precision. Scale the features",
        std::sqrt(squares), kLargestRow));
  }
  return std::sqrt(squares);
}

IntegerCodes encode(std::span<const float> row, double step) {
  IntegerCodes result;
  result.step = step;
  result.codes.resize(row.size());
  const cpu::CodeSums sums = cpu::loops().round_to_codes(row.size(), row.data(), step, result.codes.data());
  result.squared_norm = sums.squares;
  result.error = std::sqrt(sums.squared_errors);
  return result;
}

}  // namespace molgauge::ops
