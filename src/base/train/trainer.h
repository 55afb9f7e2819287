#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>

#include "base/core/text/duration.h"
#include "base/memory/recover/recovery.h"
#include "base/train/checkpoint_folder.h"
#include "base/train/collectives/process_group.h"
#include "base/train/model.h"

namespace molgauge::train {

/// The checkpoints of a training in its run folder, and the total training time.
///
/// An epoch can take less time than a write to disk. The newest state is therefore written only if half a
/// second has passed since the last write, and at the end. The best model is on disk before a checkpoint
/// refers to it. If the process is killed, the lost work is repeated with identical results.
class RunCheckpoints {
 public:
  /// Creates checkpoints/ in the run folder. The model must outlive the object.
  /// `epochs_between`: as in CheckpointFolder::is_kept().
  RunCheckpoints(Model& model, std::filesystem::path run, TrainingIdentity identity,
                 std::size_t epochs_between = CheckpointFolder::kEpochsBetween);

  /// Continues from the newest checkpoint. Returns false if there is none. Throws InputError like
  /// read_checkpoint(), or if the checkpoint has more epochs than requested, or if its best model is missing
  /// or damaged.
  bool resume(TrainingState& state, std::size_t epochs);
  /// Removes the files of an earlier training.
  void start_anew();

  void save_if_due(const TrainingState& state);
  void save(const TrainingState& state);
  /// Called when an epoch has ended. Writes the checkpoint of this epoch if it is due, and removes old
  /// checkpoints.
  void save_epoch(const TrainingState& state, std::size_t epoch, std::size_t planned_epochs);

  /// Total training time, including interrupted runs.
  double seconds() const { return earlier_seconds_ + watch_.seconds(); }

 private:
  void write(const std::filesystem::path& path, const TrainingState& state) const;
  void keep_folder_checksums() const;

  Model& model_;
  std::filesystem::path run_;
  TrainingIdentity identity_;
  CheckpointFolder checkpoints_;
  std::size_t epochs_between_;
  Stopwatch watch_, since_save_;
  double earlier_seconds_ = 0;
};

struct TrainerOptions {
  std::size_t epochs = 1;
  std::size_t patience = 1;  ///< epochs without a better score before the training stops
  EarlyStoppingRule early_stopping = EarlyStoppingRule::plain;
  std::size_t validation_steps = 0;  ///< optimizer steps between validations within an epoch; 0 disables them
  bool resume = true;                ///< continue from the newest checkpoint of the run folder, if there is
                                     ///< one
  StepOptions step = {};
  /// The processes that train together, each with its own model. Null if only this process trains. Only the
  /// first process can have a run folder.
  ProcessGroup* processes = nullptr;
};

/// The location of the checkpoints of a training.
struct RunFolder {
  std::filesystem::path path;
  TrainingIdentity identity;
  std::size_t epochs_between = CheckpointFolder::kEpochsBetween;  ///< epochs between kept checkpoints
};

/// Trains a model.
///
/// An epoch consists of all batches, a validation, the check for a new best (strictly greater score) and, in
/// a run folder, the periodic checkpoint. With the same model, options and seeds, all files are
/// bit-identical, even if the training was interrupted and resumed. After an out-of-memory error, the failed
/// work is repeated, if possible in smaller parts. Results are bit-identical.
///
/// Several processes go through the same epochs and steps. The first process provides the initial state. The
/// model makes gradients and scores equal in all processes. If a process leaves, run() throws Error in the
/// other processes, or Interrupted if the user stopped that process. The state after the last common step is
/// then on disk.
class Trainer {
 public:
  /// The model must outlive the object. `run` is not set if the training writes no files.
  Trainer(Model& model, TrainerOptions options, std::optional<RunFolder> run = {});

  /// Throws InputError if a checkpoint is unsuitable, and Error with ExitCode::over_budget if the smallest
  /// part does not fit in memory. Throws Interrupted if the user asks to stop, after the state was written to
  /// disk. Also throws the errors of the model.
  void run();

  const TrainingState& state() const { return state_; }
  bool resumed() const { return resumed_; }
  /// Training time, including interrupted runs in the run folder.
  double seconds() const { return checkpoints_ ? checkpoints_->seconds() : watch_.seconds(); }
  /// The recovery counts of the steps. In addition, `recoveries` counts recoveries in validations and while
  /// the state or the best model is saved.
  memory::RecoveryCounts memory() const;

 private:
  void begin();
  void train();
  void train_epoch();
  void finish_epoch();
  double validate();
  void observe(bool gained);
  void stop_if_asked();
  /// Repeats work that cannot be divided, such as a validation or a copy of the state, until it fits in
  /// memory.
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

}  // namespace molgauge::train
