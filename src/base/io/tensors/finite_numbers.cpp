#include "base/io/tensors/finite_numbers.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/core/error.h"

namespace molgauge::io {

void require_finite(const TensorMap& tensors, const std::string& source, const std::string& remedy) {
  for (const auto& [name, tensor] : tensors) {
    const auto numbers = tensor.to_float32();
    const auto found = std::ranges::find_if_not(numbers, [](float number) { return std::isfinite(number); });
    if (found != numbers.end()) {
      throw InputError(fmt::format("{}: tensor '{}' holds {} (element {}), which is not a finite number. {}",
                                   source, name, *found, found - numbers.begin(), remedy));
    }
  }
}

}  // namespace molgauge::io
