#include "molecules/encoding/session/same_records.h"

#include <utility>

#include <fmt/format.h>

#include "base/core/files/watched_inputs.h"

namespace molgauge::session {

pipeline::MoleculeSource recording_keys(pipeline::MoleculeSource source, std::vector<Hash128>& keys) {
  return [source = std::move(source), &keys] {
    auto record = source();
    if (record) {
      keys.push_back(pipeline::key_of(*record));
    }
    return record;
  };
}

void SameRecords::require_next(const chem::MoleculeRecord& record) {
  if (seen_ == keys_.size()) {
    refuse_changed(file_, "the number of records");
  }
  if (pipeline::key_of(record) != keys_[seen_]) {
    refuse_changed(file_, fmt::format("record {}", seen_ + 1));
  }
  ++seen_;
}

void SameRecords::require_end() const {
  if (seen_ != keys_.size()) {
    refuse_changed(file_, "the number of records");
  }
}

}  // namespace molgauge::session
