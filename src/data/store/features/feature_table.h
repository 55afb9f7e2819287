#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/hash.h"
#include "data/store/features/feature_space.h"

namespace headroom::store {

class Environment;

/// The rows of one feature space, by the hash of the input text (core's hash128).
///
/// A row that is damaged or has another width counts as absent everywhere, so that it is computed again and
/// overwritten. Copies are handles of the same rows and keep the store open.
///
/// Thread safety: every method may be called from any thread, several at once; other processes may read and
/// write the same rows meanwhile. Methods throw InputError when the file is damaged beyond single rows.
class FeatureTable {
 public:
  const std::string& name() const { return name_; }
  const FeatureSpace& space() const { return space_; }

  /// Number of keys, damaged rows included.
  std::size_t size() const;

  /// Element i: whether keys[i] has a row.
  std::vector<bool> find(std::span<const Hash128> keys) const;

  /// Row i of `rows` (row-major [keys.size(), width]) becomes the row of keys[i], and element i of the result
  /// is true; an absent row leaves its place as it was. All rows come from one state of the store. They are
  /// read in the order in which they lie in the file, by up to `threads` threads: the order of the keys costs
  /// nothing.
  std::vector<bool> read(std::span<const Hash128> keys, std::span<float> rows, std::size_t threads = 1) const;

  /// Stores row i of `rows` (row-major [keys.size(), width]) under keys[i], over what was there; the last one
  /// counts where a key comes twice. One transaction: all rows are on disk when this returns, none of them is
  /// stored when it throws (full disk, missing permission; the store stays usable).
  void write(std::span<const Hash128> keys, std::span<const float> rows) const;

  /// Calls `visit` with every row, in the order of the keys, from one state of the store. `visit` must not
  /// use the store; the row is gone when it returns.
  using Visit = std::function<void(const Hash128& key, std::span<const float> row)>;
  void for_each(const Visit& visit) const;

 private:
  friend class FeatureStore;
  FeatureTable(std::shared_ptr<Environment> environment, std::string name, FeatureSpace space,
               unsigned database);

  std::shared_ptr<Environment> environment_;
  std::string name_;
  FeatureSpace space_;
  unsigned database_;  ///< LMDB's handle
};

}  // namespace headroom::store
