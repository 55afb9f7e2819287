#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace molgauge::store {

/// The largest possible value: 64 MiB.
constexpr std::size_t kLargestBlob = std::size_t{1} << 26;

/// The kind and the options of values of variable size, such as conformers or the vectors of all atoms. Kind
/// and options determine the bytes of a value. All values of a space have the same kind and options.
struct BlobSpace {
  std::string kind;     ///< "conformers": letters, digits, '.', '_' and '-', at most 64
  std::string options;  ///< all settings that affect the values, for example "etkdg seed 42;rdkit=2022.09.3"

  bool operator==(const BlobSpace&) const = default;
};

/// Name of the database of the space, for example "conformers-0123456789abcdef". It consists of the kind and
/// of the first 64 bits of a hash. The hash is the XXH3-128 of "blobs", kind and options, joined by line
/// feeds. Throws UsageError if the kind is invalid.
std::string database_name(const BlobSpace& space);

/// These functions convert a space to the JSON object in the catalogue of the store, and back.
/// blob_space_from_json() throws InputError for other texts. The message does not contain the file.
std::string to_json(const BlobSpace& space);
BlobSpace blob_space_from_json(std::string_view text);

}  // namespace molgauge::store
