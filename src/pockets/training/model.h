#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "base/core/session/progress.h"
#include "base/memory/measure/phase.h"
#include "base/train/collectives/shared_step.h"
#include "base/train/model.h"
#include "pockets/training/data.h"
#include "pockets/training/history.h"
#include "pockets/training/options.h"
#include "pockets/training/pocket_batch.h"

namespace molgauge::pocket {

/// A pocket encoder in training: its data, the order of its pockets, and the figures of its epochs. It has no
/// random state, because orders and dropout depend only on seed, epoch and position.
class PocketModel final : public train::Model {
 public:
  /// All arguments must outlive the object. `run`: the run folder. `phases` may be null. `group` is null if
  /// one process trains alone.
  PocketModel(const TrainingData& data, const TrainingOptions& options, std::filesystem::path run,
              memory::PhaseRecorder* phases, std::size_t threads, train::ProcessGroup* group);

  const std::vector<EpochRecord>& history() const { return history_; }
  train::StepOptions step_options() const;

  const train::Parameters& parameters() const override { return parameters_; }
  train::Optimizer& optimizer() override { return *optimizer_; }
  std::size_t batches() const override;
  std::int64_t rows(std::size_t step) const override;
  std::unique_ptr<train::Batch> draw(std::size_t step) override;
  /// Returns the negative validation loss, because the trainer maximises the score.
  double validate() override;
  void keep_best() override;

  void begin(const train::TrainingState& state) override;
  void begin_epoch(const train::TrainingState& state) override;
  void after_batch(const train::TrainingState& state, double gradient_norm) override;
  void end_epoch(const train::TrainingState& state) override;
  void after_epoch(const train::TrainingState& state, double seconds) override;

  void save(train::Checkpoint& checkpoint) const override;
  void restore(const train::Checkpoint& checkpoint, const std::string& file) override;
  void write_best() override;
  void write_curve() override;
  void require_best(const std::filesystem::path& checkpoint) const override;
  void remove_files() override;

 private:
  /// Returns the indices, in the training data, of the pockets of a step for all processes.
  std::vector<std::size_t> places_of(std::size_t step) const;
  Shares shares_of(const std::vector<std::size_t>& places) const;
  /// Returns the pockets at the given indices that belong to this process.
  std::vector<TrainingPocket> own_pockets(const std::vector<std::size_t>& places) const;
  bool is_first() const { return group_ == nullptr || group_->is_first(); }
  /// Computes the rows and energies of the validation pockets, and gathers them from all processes.
  void encode_validation();

  const TrainingData& data_;
  const TrainingOptions& options_;
  std::filesystem::path run_;
  memory::PhaseRecorder* phases_;
  std::size_t threads_;
  train::ProcessGroup* group_;
  std::vector<EpochRecord> history_;
  train::Parameters parameters_;
  std::unique_ptr<train::Optimizer> optimizer_;
  std::vector<double> costs_;
  PocketLoader loader_;
  std::optional<train::SharedStep> shared_step_, shared_validation_;

  std::vector<std::vector<std::size_t>> order_;  ///< the batches of the epoch
  std::uint64_t epoch_key_ = 0;
  EpochSums sums_;
  LossValue validation_;
  double python_validation_loss_ = 0;
  at::Tensor validation_rows_, validation_energies_;
  std::optional<io::TensorMap> best_;  ///< tensors that are not on disk yet
  std::optional<Progress> display_;
};

/// Returns the path of the best model in a run folder.
std::filesystem::path best_model_file(const std::filesystem::path& run);
inline constexpr const char* kHistoryFile = "training_history.json";

}  // namespace molgauge::pocket
