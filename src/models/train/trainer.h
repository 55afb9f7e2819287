#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>

#include "memory/recover/recovery.h"
#include "models/train/collectives/process_group.h"
#include "models/train/run_checkpoints.h"

namespace headroom::train {

struct TrainerOptions {
  std::size_t epochs = 1;
  std::size_t patience = 1;  ///< epochs
  EarlyStoppingRule early_stopping = EarlyStoppingRule::plain;
  std::size_t validation_steps = 0;  ///< optimiser steps between validations within an epoch; 0: none
  bool resume = true;                ///< go on from the newest checkpoint of the run folder when there is one
  StepOptions step = {};
  /// The processes that train together, each with a model of its own; null: this one alone. The first one
  /// has the run folder, if any of them.
  ProcessGroup* processes = nullptr;
};

/// Where a training keeps its checkpoints.
struct RunFolder {
  std::filesystem::path path;
  TrainingIdentity identity;
  std::size_t epochs_between = CheckpointFolder::kEpochsBetween;  ///< checkpoints of epochs that are kept
};

/// Trains a model.
///
/// An epoch is all its batches, then a validation, the check for a new best (strictly greater score) and, in
/// a run folder, the periodic checkpoint. With the same model, options and seeds there are the same bytes in
/// every file, whether or not the training was interrupted and resumed in between. When memory runs out,
/// whatever failed is done again, in smaller parts if it has any: results have the same bytes.
///
/// Several processes go through the same epochs and steps. The state is that of the first one; the model sees
/// to it that gradients and scores are the same in all. Where one of them leaves, the others end with
/// ProcessLost, or Interrupted if it was asked to stop, and the state after the last common step is on disk.
class Trainer {
 public:
  /// The model outlives the object. `run`: nothing where the training keeps no files.
  Trainer(Model& model, TrainerOptions options, std::optional<RunFolder> run = {});

  /// Throws InputError for a checkpoint that does not fit, Error with ExitCode::over_budget when the smallest
  /// part does not fit the memory, Interrupted when the user asked to stop (the state is on disk then), and
  /// what the model throws.
  void run();

  const TrainingState& state() const { return state_; }
  bool resumed() const { return resumed_; }
  /// Time spent training; interrupted runs of a run folder included.
  double seconds() const { return checkpoints_ ? checkpoints_->seconds() : watch_.seconds(); }
  /// Recoveries of the steps; `recoveries` includes those of keeping the state and the best model.
  memory::RecoveryCounts memory() const;

 private:
  void begin();
  void train();
  void train_epoch();
  void finish_epoch();
  double validate();
  void observe(bool gained);
  void stop_if_asked();
  /// Work that cannot be made smaller: validations, copies of the state.
  void retry_until_fits(const std::function<void()>& work);
  void save();

  Model& model_;
  TrainerOptions options_;
  EarlyStopping stopping_;
  Step step_;
  memory::Recovery keeping_;
  std::optional<RunCheckpoints> checkpoints_;
  Stopwatch watch_;
  TrainingState state_;
  bool resumed_ = false, has_begun_ = false;
};

}  // namespace headroom::train
