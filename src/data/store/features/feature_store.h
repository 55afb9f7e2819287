#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "data/store/features/feature_space.h"
#include "data/store/features/feature_table.h"
#include "data/store/lmdb/access.h"
#include "data/store/tables/verification.h"

namespace headroom::store {

/// The size of a table. Free pages, and the catalogue, belong to no table.
struct TableReport {
  std::string name;
  FeatureSpace space;
  std::size_t rows = 0;
  std::uint64_t bytes = 0;
};

struct StoreReport {
  std::filesystem::path folder;
  std::vector<TableReport> tables;  ///< by name; tables without rows are left out
  std::uint64_t bytes_used = 0;     ///< bytes of the data file, free pages in between included
  std::uint64_t bytes_on_disk = 0;
};

/// The feature store: a folder holding an LMDB environment with one table a feature space.
/// docs/reference/formats.md has the format to the byte.
///
/// Lifetime: a FeatureStore and its tables are handles; the store closes with the last of them. Opening the
/// same folder again in one process gives the same store, except for writing while it is held for reading,
/// which is an Error.
///
/// Thread safety: every method may be called from any thread. Any number of processes may read and write at
/// once, on a local file system; writers take turns. A process that is killed loses the transaction in flight
/// and hinders no other. A handle must not be used in a child after fork().
class FeatureStore {
 public:
  /// Throws InputError when there is no store to read, or the folder holds something else, a damaged store or
  /// one of a newer Headroom; Error when the folder cannot be written.
  static FeatureStore open(const std::filesystem::path& folder, Access access);

  /// The table of the space; made, when the store is open for writing, unless it is there. Throws InputError
  /// when it is not there, or has rows of another width.
  FeatureTable table(const FeatureSpace& space) const;
  /// The table of this name, else InputError with the names there are.
  FeatureTable table(const std::string& name) const;

  StoreReport report() const;

  /// Reads every row.
  Verification verify() const;

  // Deleting gives the space to the rows that come next; the data file does not get smaller.

  /// Deletes the rows of one table, else as table(name); returns their number.
  std::size_t prune(const std::string& name) const;
  /// Deletes the damaged rows of all tables; returns their number.
  std::size_t prune_damaged() const;

 private:
  FeatureStore(std::shared_ptr<Environment> environment, unsigned catalogue);
  std::vector<FeatureTable> tables() const;

  std::shared_ptr<Environment> environment_;
  unsigned catalogue_;  ///< LMDB's handle of the database with the format and the spaces
};

}  // namespace headroom::store
