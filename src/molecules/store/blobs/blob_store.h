#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "molecules/store/blobs/blob_table.h"
#include "molecules/store/lmdb/access.h"
#include "molecules/store/tables/verification.h"

namespace molgauge::store {

class Environment;

/// The size of a table of values.
struct BlobTableReport {
  std::string name;
  BlobSpace space;
  std::size_t blobs = 0;
  std::uint64_t bytes = 0;
};

/// The values of variable size in a feature store (molecules/store/features/feature_store.h), in the same
/// folder and file as the rows. The rules of FeatureStore on lifetime, threads, processes and damage apply.
/// docs/reference/formats.md specifies the format.
class BlobStore {
 public:
  /// Throws as FeatureStore::open does.
  static BlobStore open(const std::filesystem::path& folder, Access access);

  /// Returns the table of the space. Creates it if it does not exist and the store is open for writing.
  /// Throws InputError if the table does not exist in a store that is open for reading.
  BlobTable table(const BlobSpace& space) const;

  /// Tables by name, without empty tables.
  std::vector<BlobTableReport> report() const;
  /// Returns the table of this name, or nothing if the store has none.
  std::optional<BlobTable> find(const std::string& name) const;

  /// Reads every value and checks its checksum. FeatureStore::verify() checks the trees of the file.
  Verification verify() const;

  /// Deletes the values of one table and returns their number. Throws InputError if no table has this name.
  std::size_t prune(const std::string& name) const;
  /// Deletes the damaged values of all tables and returns their number.
  std::size_t prune_damaged() const;

 private:
  BlobStore(std::shared_ptr<Environment> environment, unsigned catalogue);
  std::vector<BlobTable> tables() const;

  std::shared_ptr<Environment> environment_;
  unsigned catalogue_;  ///< LMDB handle of the database that lists the format and the spaces
};

}  // namespace molgauge::store
