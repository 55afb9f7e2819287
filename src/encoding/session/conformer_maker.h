#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "chem/conformers/worker_process.h"
#include "core/hash.h"
#include "data/store/blobs/blob_store.h"
#include "headroom/conformers.h"

namespace headroom::session {

/// The space of the store that conformers are kept in.
store::BlobSpace conformer_space();

/// Counts of the molecules so far.
struct ConformerCounts {
  std::size_t made = 0, from_store = 0, flat = 0, not_converged = 0, unrefined = 0, processes_replaced = 0;
};

/// Embeds molecules in three dimensions: takes conformers from the store, else has a process make them
/// (chem/conformers/worker_process.h), and keeps them in the store. The key is the whole text of a molecule,
/// like that of a feature row: coordinates depend on the order of the atoms, so that another SMILES of the
/// same molecule has others, and a stored conformer equals a newly made one.
///
/// Thread safety: make() may be called from any thread, several at once; each has a process of its own. A
/// conformer is on disk half a second later if make() is called again by then, and when flush() returns.
class ConformerMaker {
 public:
  ConformerMaker(store::BlobTable table, const ConformerOptions& options);
  /// Writes the unwritten conformers; a failure is not reported, so call flush() first.
  ~ConformerMaker();
  ConformerMaker(const ConformerMaker&) = delete;
  ConformerMaker& operator=(const ConformerMaker&) = delete;

  /// Throws InputError with the reason why a molecule has no conformer, and the errors of the store.
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

}  // namespace headroom::session
