#pragma once

#include <cstddef>
#include <filesystem>

#include "base/core/text/duration.h"
#include "base/train/checkpoint_folder.h"
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

}  // namespace molgauge::train
