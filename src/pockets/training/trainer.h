#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "base/memory/measure/phase.h"
#include "base/train/collectives/process_group.h"
#include "pockets/training/data.h"
#include "pockets/training/history.h"
#include "pockets/training/options.h"

namespace molgauge::pocket {

struct TrainingResult {
  std::size_t epochs_run = 0, best_epoch = 0;  ///< best_epoch: counted from 0
  double best_validation_loss = 0;
  bool stopped_early = false, resumed = false;
  double seconds = 0;
  std::vector<EpochRecord> history;
  std::size_t oom_recoveries = 0;
  std::size_t pockets_planned = 0, pockets_used = 0;  ///< pockets in memory at once, planned and used
};

/// Trains an encoder in a run folder, or continues an earlier training. Writes checkpoints/,
/// best_model.safetensors and training_history.json. For the same options and data, all files are
/// bit-identical for any number of threads and any memory budget. This also holds if the training was killed
/// and resumed. `options_identity` must match the identity in the checkpoint. `phases` may be null. Throws
/// the exceptions of train::Trainer::run().
///
/// The processes of `group` train together. On CPUs, the files are bit-identical to a training in one
/// process. Only the first process writes files. If `group` is null, one process trains alone.
TrainingResult train_encoder(const TrainingData& data, const TrainingOptions& options,
                             const std::string& options_identity, const std::filesystem::path& run,
                             memory::PhaseRecorder* phases, train::ProcessGroup* group = nullptr);

}  // namespace molgauge::pocket
