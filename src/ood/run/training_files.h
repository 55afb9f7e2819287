#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

#include "core/duration.h"
#include "io/tensors/tensor_data.h"
#include "ood/run/checkpoint.h"
#include "train/checkpoint_folder.h"

namespace headroom::ood {

/// What a training writes into its run folder: best_model.safetensors, training_curve.csv,
/// training_dynamics.csv and checkpoints/.
///
/// Epochs can be shorter than a write to disk, so the newest state is written when half a second has passed
/// since the last write, and at the end. The best model is on disk before any checkpoint that knows of it:
/// what a kill loses is trained again, to the same bytes.
class TrainingFiles {
 public:
  TrainingFiles(std::filesystem::path run, TrainingIdentity identity);

  std::filesystem::path best_model() const { return run_ / "best_model.safetensors"; }

  /// Continues from the newest checkpoint; false when there is none. Throws InputError as read_checkpoint()
  /// does, when it has been trained for more than so many epochs, and when the best model that it speaks of
  /// is gone or damaged.
  bool resume(TrainingState& state, std::size_t epochs);
  /// Removes what an earlier training left, its config.json, statistics and evaluation included.
  void start_anew();

  /// Takes a copy, which the next write stores.
  void keep_best(const EnergyHead& head);
  void save_if_due(const TrainingState& state);
  void save(const TrainingState& state);
  /// The rotating checkpoint of an epoch that has ended, where one is due.
  void save_epoch(const TrainingState& state, std::size_t epoch, std::size_t planned_epochs);

  /// Time spent training, interrupted runs included.
  double seconds() const { return earlier_seconds_ + watch_.seconds(); }

 private:
  void write_best();
  void require_best_model(const std::filesystem::path& checkpoint) const;
  void keep_folder_checksums() const;

  std::filesystem::path run_;
  TrainingIdentity identity_;
  train::CheckpointFolder checkpoints_;
  std::optional<io::TensorMap> best_;  ///< not yet on disk
  Stopwatch watch_, since_save_;
  double earlier_seconds_ = 0;
};

}  // namespace headroom::ood
