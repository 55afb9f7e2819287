#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/core/hash.h"
#include "molecules/chem/conformers/worker_process.h"
#include "molecules/store/blobs/blob_store.h"
#include "molgauge/conformers.h"

namespace molgauge::session {

/// The blob space of the conformers of an engine in the store.
store::BlobSpace conformer_space(ConformerEngine engine);

/// Numbers of molecules so far, by the way in which their conformers were obtained.
struct ConformerCounts {
  std::size_t made = 0, from_store = 0, flat = 0, not_converged = 0, unrefined = 0, from_exact = 0,
              processes_replaced = 0;
};

/// Generates conformers. Takes them from the store if they exist. Otherwise, a worker process makes them
/// (molecules/chem/conformers/worker_process.h), and the store keeps them. The key is the hash of the whole
/// text of a molecule, because coordinates depend on the order of the atoms. Two SMILES of one molecule have
/// different conformers. A stored conformer is bit-identical to a new one.
///
/// Thread safety: several threads may call make() at once. Each thread has its own worker process. Conformers
/// are written when flush() is called, or when make() is called half a second or more after the last write.
class ConformerMaker {
 public:
  ConformerMaker(store::BlobTable table, const ConformerOptions& options);
  /// Writes the unwritten conformers. Failures are not reported, so call flush() first.
  ~ConformerMaker();
  ConformerMaker(const ConformerMaker&) = delete;
  ConformerMaker& operator=(const ConformerMaker&) = delete;

  /// Returns the conformer of a record. Throws InputError with the reason if the molecule has no conformer.
  /// Throws the errors of the store.
  chem::MadeConformer make(const chem::MoleculeRecord& record);
  void flush();
  ConformerCounts counts() const;

 private:
  using Clock = std::chrono::steady_clock;

  chem::MadeConformer place(const chem::MoleculeRecord& record);
  void keep(const Hash128& key, const chem::MadeConformer& made);
  void count(const chem::MadeConformer& made, bool is_from_store);

  const store::BlobTable table_;
  const chem::ConformerLimits limits_;
  const bool takes_drawings_;

  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<chem::WorkerProcess>> idle_;
  std::vector<Hash128> keys_;         ///< keys of `waiting_`
  std::vector<store::Blob> waiting_;  ///< conformers to be written
  Clock::time_point written_ = Clock::now();
  ConformerCounts counts_;
};

}  // namespace molgauge::session
