#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/hash.h"

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

class Environment;

using Blob = std::vector<std::byte>;

/// The values of one blob space. The key of a value is a hash of its source.
///
/// All methods treat a damaged value as absent. Callers then compute it again and overwrite it. Copies are
/// handles of the same values and keep the store open.
///
/// Thread safety: every method may be called from any thread, several at once. Other processes may read and
/// write the same values meanwhile. Methods throw InputError if the damage is not limited to single values.
class BlobTable {
 public:
  const std::string& name() const { return name_; }
  const BlobSpace& space() const { return space_; }

  /// Number of keys, damaged values included.
  std::size_t size() const;

  /// Returns the values of the keys. Element i is not set if the table has no value for keys[i]. All values
  /// come from one consistent view of the store.
  std::vector<std::optional<Blob>> read(std::span<const Hash128> keys) const;

  /// Returns the bytes of the values of the keys. Element i is not set if the table has no value for keys[i].
  std::vector<std::optional<std::size_t>> sizes(std::span<const Hash128> keys) const;

  /// Stores blobs[i] under keys[i] and replaces existing values. If a key occurs twice, the last value
  /// counts. Uses one transaction: all values are on disk when this returns. If it throws (full disk, missing
  /// permission), no value is stored and the store stays usable. Throws InputError if a value is larger than
  /// kLargestBlob.
  void write(std::span<const Hash128> keys, std::span<const Blob> blobs) const;

  /// The values to write to one table.
  struct Values {
    const BlobTable& table;
    std::span<const Hash128> keys;
    std::span<const Blob> blobs;
  };
  /// Writes values to several tables of one store in one transaction. The rules of write() apply.
  static void write_together(std::span<const Values> all);

  /// Calls `visit` with every value, in the order of the keys, from one consistent view of the store. `visit`
  /// must not use the store. The value is valid until `visit` returns.
  using Visit = std::function<void(const Hash128& key, std::span<const std::byte> blob)>;
  void for_each(const Visit& visit) const;

 private:
  friend class BlobStore;
  BlobTable(std::shared_ptr<Environment> environment, std::string name, BlobSpace space, unsigned database);
  /// Calls use(index, content) with every intact value of the keys.
  template <typename Use>
  void look_up(std::span<const Hash128> keys, const Use& use) const;

  std::shared_ptr<Environment> environment_;
  std::string name_;
  BlobSpace space_;
  unsigned database_;  ///< LMDB handle
};

}  // namespace molgauge::store
