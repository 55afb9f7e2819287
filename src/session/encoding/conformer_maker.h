#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "chem/conformers/worker_process.h"
#include "core/hash.h"
#include "headroom/conformers.h"
#include "store/blobs/blob_store.h"

namespace headroom::session {

/// The space of the store that conformers are kept in.
store::BlobSpace conformer_space();

/// What has become of the molecules so far.
struct ConformerCounts {
  std::size_t made = 0, from_store = 0, flat = 0, not_converged = 0, unrefined = 0, processes_replaced = 0;
};

/// Places the atoms of molecules in space: takes what the store has, else has a process make it
/// (chem/conformers/worker_process.h), and keeps it in the store. A molecule is known by its whole text, as
/// rows of features are: the places depend on the order of the atoms, so that another SMILES of the same
/// molecule has others, and what is found in the store is what would be made.
///
/// Thread safety: make() may be called from any thread, several at once; each has a process of its own. What
/// was made is on disk half a second later if make() is called again by then, and when flush() returns.
class ConformerMaker {
 public:
  /// Throws UsageError where the options name no fallback.
  ConformerMaker(store::BlobTable table, const ConformerOptions& options);
  /// Writes what has not been written; a failure is lost, so call flush() first.
  ~ConformerMaker();
  ConformerMaker(const ConformerMaker&) = delete;
  ConformerMaker& operator=(const ConformerMaker&) = delete;

  /// Throws InputError with the reason why a molecule has no places, and as the store does.
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
  const bool takes_flat_;

  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<chem::WorkerProcess>> idle_;
  std::vector<Hash128> keys_;         ///< of `waiting_`
  std::vector<store::Blob> waiting_;  ///< to be written
  Clock::time_point written_ = Clock::now();
  ConformerCounts counts_;
};

}  // namespace headroom::session
