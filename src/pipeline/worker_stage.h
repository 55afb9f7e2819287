#pragma once

#include <vector>

#include "core/bounded_queue.h"
#include "pipeline/encode_molecules.h"
#include "pipeline/ledger.h"
#include "pipeline/stage_times.h"
#include "pipeline/work_queue.h"

namespace headroom::pipeline {

/// Featurises chunks, packs windows and encodes batches until there is no more work. run() is called by
/// several threads at once.
class WorkerStage {
 public:
  WorkerStage(const encoders::Encoder& encoder, const PipelineOptions& options, Ledger& ledger,
              StageTimes& times, WorkQueue& work, BoundedQueue<EncodedBatch>& finished);

  void run();

 private:
  void featurise(const Chunk& chunk);
  void featurise(PendingMolecule& molecule);
  std::vector<Batch> pack(Window& window);
  EncodedBatch encode(const Batch& batch);

  const encoders::Encoder& encoder_;
  const PipelineOptions& options_;
  Ledger& ledger_;
  StageTimes& times_;
  WorkQueue& work_;
  BoundedQueue<EncodedBatch>& finished_;
};

}  // namespace headroom::pipeline
