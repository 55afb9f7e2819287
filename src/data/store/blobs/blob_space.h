#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headroom::store {

/// The largest possible value: 64 MiB.
constexpr std::size_t kLargestBlob = std::size_t{1} << 26;

/// Everything that determines the bytes of a value of variable size, such as a conformer or the vectors of
/// all atoms. All values of a space have the same kind and options.
struct BlobSpace {
  std::string kind;     ///< "conformers": letters, digits, '.', '_' and '-', at most 64
  std::string options;  ///< everything that changes the values, e.g. "etkdg seed 42;rdkit=2022.09.3"

  bool operator==(const BlobSpace&) const = default;
};

/// Name of the space's database: "conformers-0123456789abcdef", the kind and the first 64 bits of the
/// XXH3-128 hash of "blobs", kind and options joined by line feeds. Throws UsageError if the kind is invalid.
std::string database_name(const BlobSpace& space);

/// Convert a space to the JSON object in the catalogue of the store, and back. blob_space_from_json throws
/// InputError on anything else, without naming the file.
std::string to_json(const BlobSpace& space);
BlobSpace blob_space_from_json(std::string_view text);

}  // namespace headroom::store
