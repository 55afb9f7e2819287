#pragma once

#include <filesystem>
#include <optional>
#include <utility>

#include "base/io/tensors/tensor_data.h"
#include "molecules/ood/run/run_results.h"
#include "molecules/ood/run/training_progress.h"

namespace molgauge::ood {

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
