#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "molecules/encoding/pipeline/encode_molecules.h"

namespace molgauge::session {

/// Returns a source with the records of `source`. It appends the key of each record to `keys`, which must
/// outlive the result.
pipeline::MoleculeSource recording_keys(pipeline::MoleculeSource source, std::vector<Hash128>& keys);

/// Checks that a second reading of a file gives the same records as the first reading. This is necessary
/// because records are matched with their features by their position in the file.
class SameRecords {
 public:
  /// `keys`: the keys of the first reading (recording_keys()). Both arguments must outlive the object.
  SameRecords(const std::string& file, std::span<const Hash128> keys) : file_(file), keys_(keys) {}

  /// Call it with each record of the second reading in turn. Throws InputError if the first reading gave
  /// another record.
  void require_next(const chem::MoleculeRecord& record);
  /// Call it after the last record. Throws InputError if the first reading gave more records.
  void require_end() const;

 private:
  const std::string& file_;
  std::span<const Hash128> keys_;
  std::size_t seen_ = 0;
};

}  // namespace molgauge::session
