#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "molecules/store/features/feature_space.h"
#include "molecules/store/features/feature_table.h"
#include "molecules/store/lmdb/access.h"
#include "molecules/store/tables/verification.h"

namespace molgauge::store {

/// The size of a table. Free pages and the catalogue are not part of any table.
struct TableReport {
  std::string name;
  FeatureSpace space;
  std::size_t rows = 0;
  std::uint64_t bytes = 0;
};

struct StoreReport {
  std::filesystem::path folder;
  std::vector<TableReport> tables;  ///< tables by name, without empty tables
  std::uint64_t bytes_used = 0;     ///< bytes of the data file, including free pages in between
  std::uint64_t bytes_on_disk = 0;
};

/// The feature store: a folder with an LMDB environment that has one table for each feature space.
/// docs/reference/formats.md specifies the format.
///
/// Lifetime: a FeatureStore and its tables are handles. The store closes with the last handle. If a process
/// opens the same folder twice, both objects refer to the same store. Opening it for writing while it is open
/// for reading is an Error.
///
/// Thread safety: every method may be called from any thread. Any number of processes may read and write at
/// once on a local file system. Writers take turns. A killed process loses its unfinished transaction and
/// does not block other processes. A handle must not be used in a child after fork().
class FeatureStore {
 public:
  /// Throws InputError if there is no store to read, if the folder contains other files, if the store is
  /// damaged, or if a newer version of Molgauge wrote the store. Throws Error if the folder cannot be
  /// written.
  static FeatureStore open(const std::filesystem::path& folder, Access access);

  /// Returns the table of the space. Creates it if it does not exist and the store is open for writing.
  /// Throws InputError if a store that is open for reading has no such table, or if its rows have another
  /// width.
  FeatureTable table(const FeatureSpace& space) const;
  /// Returns the table of this name. Throws InputError with the existing names if there is none.
  FeatureTable table(const std::string& name) const;

  StoreReport report() const;

  /// Checks the trees of the file and the checksum of every row.
  Verification verify() const;

  // New rows reuse the disk space of deleted rows. The data file does not shrink.

  /// Deletes the rows of one table and returns their number. Throws as table(name) does.
  std::size_t prune(const std::string& name) const;
  /// Deletes the damaged rows of all tables and returns their number.
  std::size_t prune_damaged() const;

 private:
  FeatureStore(std::shared_ptr<Environment> environment, unsigned catalogue);
  std::vector<FeatureTable> tables() const;

  std::shared_ptr<Environment> environment_;
  unsigned catalogue_;  ///< LMDB handle of the database that lists the format and the spaces
};

}  // namespace molgauge::store
