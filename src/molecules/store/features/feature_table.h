#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/core/hash.h"
#include "molecules/store/features/feature_space.h"

namespace molgauge::store {

class Environment;

/// The rows of one feature space. The key of a row is the hash128() of the input text (base/core/hash.h).
///
/// All methods treat a row that is damaged or has another width as absent. Callers then compute it again and
/// overwrite it. Copies are handles of the same rows and keep the store open.
///
/// Thread safety: every method may be called from any thread, several at once. Other processes may read and
/// write the same rows meanwhile. Methods throw InputError if the damage is not limited to single rows.
class FeatureTable {
 public:
  const std::string& name() const { return name_; }
  const FeatureSpace& space() const { return space_; }

  /// Number of keys, damaged rows included.
  std::size_t size() const;

  /// Returns one element for each key. Element i is true if keys[i] has a row.
  std::vector<bool> find(std::span<const Hash128> keys) const;

  /// Copies the row of keys[i] to row i of `rows` (row-major [keys.size(), width]) and sets element i of the
  /// result. If the row is absent, row i stays unchanged. All rows come from one consistent view of the
  /// store. Up to `threads` threads read them in file order, so the order of the keys does not affect the
  /// speed.
  std::vector<bool> read(std::span<const Hash128> keys, std::span<float> rows, std::size_t threads = 1) const;

  /// Stores row i of `rows` (row-major [keys.size(), width]) under keys[i] and replaces existing rows. If a
  /// key occurs twice, the last row counts. Uses one transaction: all rows are on disk when this returns. If
  /// it throws (full disk, missing permission), no row is stored and the store stays usable.
  void write(std::span<const Hash128> keys, std::span<const float> rows) const;

  /// Calls `visit` with every row, in the order of the keys, from one consistent view of the store. `visit`
  /// must not use the store. The row is valid until `visit` returns.
  using Visit = std::function<void(const Hash128& key, std::span<const float> row)>;
  void for_each(const Visit& visit) const;

 private:
  friend class FeatureStore;
  FeatureTable(std::shared_ptr<Environment> environment, std::string name, FeatureSpace space,
               unsigned database);

  std::shared_ptr<Environment> environment_;
  std::string name_;
  FeatureSpace space_;
  unsigned database_;  ///< LMDB handle
};

}  // namespace molgauge::store
