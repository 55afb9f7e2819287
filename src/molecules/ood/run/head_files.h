#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/io/tensors/tensor_data.h"
#include "molecules/ood/losses/loss.h"
#include "molecules/ood/run/run_results.h"
#include "molecules/ood/run/training_curve.h"

namespace molgauge::ood {

/// Sums over the batches of the running epoch.
struct EpochSums {
  std::size_t batches = 0;
  double loss = 0;
  double gradient_norm = 0;
  PairStatistics pairs;

  /// `norm`: L2 norm of the gradient of the batch, before clipping.
  void add(const LossValue& batch, double norm);
  double mean_loss() const { return loss / static_cast<double>(batches); }
  double mean_gradient_norm() const { return gradient_norm / static_cast<double>(batches); }
  PairStatistics mean_pairs() const;
};

/// The progress of the training of a head, in addition to the counters of the trainer (train::TrainingState).
struct TrainingProgress {
  EpochSums sums;                        ///< sums of the running epoch
  std::vector<EpochRecord> curve;        ///< records of finished epochs
  std::vector<PairStatistics> dynamics;  ///< statistics of finished epochs; empty without pair statistics
};

/// Adds `progress` to the fields of a checkpoint, except for the number of batches, which the trainer writes.
void add_progress(const TrainingProgress& progress, nlohmann::json& fields);
/// Throws nlohmann::json::exception if `fields` do not come from add_progress() and the trainer.
TrainingProgress progress_in(const nlohmann::json& fields);

/// The files of the training of a head in its run folder, in addition to checkpoints: best_model.safetensors,
/// training_curve.csv, training_dynamics.csv.
class HeadFiles {
 public:
  explicit HeadFiles(std::filesystem::path run) : run_(std::move(run)) {}

  /// Takes the tensors of the best model, which write_best() stores.
  void keep_best(io::TensorMap tensors) { best_ = std::move(tensors); }
  void write_best();
  void write_curve(const TrainingProgress& progress) const;
  /// Implements train::Model::require_best().
  void require_best(const std::filesystem::path& checkpoint) const;

  /// Removes config.json.
  void remove_description() const;
  /// Removes best_model.safetensors, training_curve.csv, training_dynamics.csv and all results of the run
  /// (remove_results() in molecules/ood/run/run_results.h).
  void remove() const;
  /// Removes the evaluation files, because they belong to an earlier model.
  void forget_results() const;

 private:
  std::filesystem::path best_model() const { return best_model_file(run_); }

  std::filesystem::path run_;
  std::optional<io::TensorMap> best_;  ///< tensors that are not on disk yet
};

}  // namespace molgauge::ood
