#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace molgauge::store {

/// The widest possible row, in numbers: 64 MiB of float32.
constexpr std::size_t kWidestRow = std::size_t{1} << 24;

/// The encoder, weights and options of feature rows, which determine their numbers. Only rows of the same
/// space are comparable.
struct FeatureSpace {
  std::string encoder;         ///< "minimol": letters, digits, '.', '_' and '-', at most 64
  std::string weights_sha256;  ///< hash of the tensors file; empty for encoders without weights
  std::string options;         ///< other settings that affect the numbers, for example
                               ///< "precision=fp32;gauge=pivot"
  std::size_t width = 0;       ///< numbers in a row, 1 to kWidestRow

  bool operator==(const FeatureSpace&) const = default;
};

/// Name of the database of the space, for example "minimol-0123456789abcdef". It consists of the encoder and
/// of the first 64 bits of a hash. The hash is the XXH3-128 of encoder, weights_sha256 and options, joined by
/// line feeds. Throws UsageError if the encoder name or the width is invalid.
std::string database_name(const FeatureSpace& space);

/// These functions convert a space to the JSON object in the catalogue of the store, and back.
/// feature_space_from_json() throws InputError for other texts. The message does not contain the file.
std::string to_json(const FeatureSpace& space);
FeatureSpace feature_space_from_json(std::string_view text);

}  // namespace molgauge::store
