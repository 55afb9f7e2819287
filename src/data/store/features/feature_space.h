#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headroom::store {

/// The widest possible row, in numbers: 64 MiB of float32.
constexpr std::size_t kWidestRow = std::size_t{1} << 24;

/// Everything that determines the numbers of a feature row: only rows of the same space are comparable.
struct FeatureSpace {
  std::string encoder;         ///< "minimol": letters, digits, '.', '_' and '-', at most 64
  std::string weights_sha256;  ///< hash of the tensors file; empty for encoders without weights
  std::string options;         ///< everything else that changes the result, e.g. "precision=fp32;gauge=pivot"
  std::size_t width = 0;       ///< numbers a row, 1 to kWidestRow

  bool operator==(const FeatureSpace&) const = default;
};

/// Name of the space's database: "minimol-0123456789abcdef", the encoder and the first 64 bits of the
/// XXH3-128 hash of encoder, weights_sha256 and options joined by line feeds. Throws UsageError if the
/// encoder name or the width is invalid.
std::string database_name(const FeatureSpace& space);

/// Convert a space to the JSON object in the catalogue of the store, and back. feature_space_from_json throws
/// InputError on anything else, without naming the file.
std::string to_json(const FeatureSpace& space);
FeatureSpace feature_space_from_json(std::string_view text);

}  // namespace headroom::store
