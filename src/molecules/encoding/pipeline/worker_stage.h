#pragma once

#include <span>
#include <vector>

#include "base/core/threads/bounded_queue.h"
#include "base/memory/recover/recovery.h"
#include "molecules/encoding/pipeline/atom_pair_features.h"
#include "molecules/encoding/pipeline/encode_molecules.h"
#include "molecules/encoding/pipeline/record_tracker.h"
#include "molecules/encoding/pipeline/stage_times.h"
#include "molecules/encoding/pipeline/work_queue.h"

namespace molgauge::pipeline {

/// Featurises chunks, packs windows and encodes batches until there is no more work. run() is called by
/// several threads at once. If memory runs out, a batch is encoded in parts.
///
/// `fine` receives atom features and pair features. It is null if they are not requested.
class WorkerStage {
 public:
  WorkerStage(const encoders::Encoder& encoder, const PipelineOptions& options, RecordTracker& tracker,
              StageTimes& times, memory::Recovery& recovery, WorkQueue& work,
              BoundedQueue<EncodedBatch>& finished, FineWriter* fine);

  void run();

 private:
  using Molecules = std::span<const PendingMolecule>;

  void featurise(const Chunk& chunk);
  void featurise(PendingMolecule& molecule);
  chem::Molecule perceive(const chem::MoleculeRecord& record) const;
  std::vector<Batch> pack(Window& window);
  bool fits(std::span<const memory::ItemSize> batch) const;
  std::size_t tokens_of(std::span<const memory::ItemSize> batch) const;
  EncodedBatch encode(const Batch& batch);
  void encode_rows(Molecules part, std::span<float> rows) const;
  void keep_finite(Molecules part, EncodedBatch& encoded);

  const encoders::Encoder& encoder_;
  const PipelineOptions& options_;
  RecordTracker& tracker_;
  StageTimes& times_;
  memory::Recovery& recovery_;
  WorkQueue& work_;
  BoundedQueue<EncodedBatch>& finished_;
  FineWriter* fine_;
};

}  // namespace molgauge::pipeline
