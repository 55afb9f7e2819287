#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "base/io/tensors/tensor_data.h"
#include "molecules/encoders/unimol/inputs.h"

/// Reads the reference data for the tests of the Uni-Mol network.
namespace molgauge::test {

inline std::vector<std::int64_t> as_integers(const io::TensorData& data) {
  std::vector<std::int64_t> integers;
  for (const float number : data.to_float32()) {
    integers.push_back(std::lround(number));
  }
  return integers;
}

/// The names of the padded batches in a file: "b0", "b1" and so on.
inline std::vector<std::string> batches_in(const io::TensorMap& arrays) {
  const std::string kind = "_src_tokens";
  std::vector<std::string> batches;
  for (const auto& [name, array] : arrays) {
    if (name.ends_with(kind)) {
      batches.push_back(name.substr(0, name.size() - kind.size()));
    }
  }
  return batches;
}

/// The molecules of a padded batch without their padding.
inline std::vector<encoders::unimol::Inputs> unpadded(const io::TensorMap& arrays, const std::string& batch) {
  const io::TensorData& tokens = arrays.at(batch + "_src_tokens");
  const std::vector<std::int64_t> all = as_integers(tokens);
  const std::vector<float> distances = arrays.at(batch + "_src_distance").to_float32();
  const auto molecules = static_cast<std::size_t>(tokens.shape[0]),
             places = static_cast<std::size_t>(tokens.shape[1]);
  std::vector<encoders::unimol::Inputs> inputs(molecules);
  for (std::size_t m = 0; m < molecules; ++m) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(m * places);
    const auto end =
        std::find(first, first + static_cast<std::ptrdiff_t>(places), encoders::unimol::kPadding);
    inputs[m].tokens.assign(first, end);
    const std::size_t count = inputs[m].tokens.size();
    for (std::size_t i = 0; i < count; ++i) {
      const auto row = distances.begin() + static_cast<std::ptrdiff_t>((m * places + i) * places);
      inputs[m].distances.insert(inputs[m].distances.end(), row, row + static_cast<std::ptrdiff_t>(count));
    }
  }
  return inputs;
}

/// The largest difference of `count` numbers. Infinite if a number is NaN.
inline double difference(const float* ours, const float* theirs, std::size_t count) {
  double largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double apart = std::abs(double{ours[i]} - double{theirs[i]});
    largest = std::isfinite(apart) ? std::max(largest, apart) : INFINITY;
  }
  return largest;
}

}  // namespace molgauge::test
