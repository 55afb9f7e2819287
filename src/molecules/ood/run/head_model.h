#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/core/session/progress.h"
#include "base/core/text/duration.h"
#include "base/memory/measure/phase.h"
#include "base/memory/recover/recovery.h"
#include "base/train/adamw.h"
#include "base/train/model.h"
#include "base/train/pass_memory.h"
#include "molecules/ood/run/head_batch.h"
#include "molecules/ood/run/head_files.h"
#include "molecules/ood/run/trainer.h"
#include "molecules/ood/run/training_rows.h"

namespace molgauge::ood {

/// An energy head in training: its data, its random generators, and the results of its epochs.
class HeadModel final : public train::Model {
 public:
  /// All arguments must outlive the object. `run`: the run folder. Throws UsageError if an option has no
  /// effect on these rows.
  HeadModel(const TrainingRows& data, const TrainingOptions& options, const std::filesystem::path& run,
            const TrainingHooks& hooks, std::size_t threads);

  /// The options of the optimizer steps, with the execution strategy of the plan.
  train::StepOptions step_options() const;
  const TrainingProgress& progress() const { return progress_; }
  /// The number of validations that ran out of memory and then succeeded in smaller parts.
  std::size_t recoveries() const { return scoring_.counts().recoveries; }

  const train::Parameters& parameters() const override { return parameters_; }
  train::Optimizer& optimizer() override { return optimizer_; }
  std::size_t batches() const override;
  std::int64_t rows(std::size_t batch) const override { return 2 * items(batch); }
  std::unique_ptr<train::Batch> draw(std::size_t batch) override;
  /// Returns the AUROC.
  double validate() override;
  void keep_best() override;

  void begin(const train::TrainingState& state) override;
  void begin_epoch(const train::TrainingState& state) override;
  void after_batch(const train::TrainingState& state, double gradient_norm) override;
  void end_epoch(const train::TrainingState& state) override;
  void after_epoch(const train::TrainingState& state, double seconds) override;

  std::string tensor_prefix() const override { return data_.tensor_prefix(); }
  void save(train::Checkpoint& checkpoint) const override;
  void restore(const train::Checkpoint& checkpoint, const std::string& file) override;
  void write_best() override { files_.write_best(); }
  void write_curve() override { files_.write_curve(progress_); }
  void require_best(const std::filesystem::path& checkpoint) const override {
    files_.require_best(checkpoint);
  }
  void remove_description() override { files_.remove_description(); }
  void remove_files() override { files_.remove(); }
  void forget_results() override { files_.forget_results(); }

 private:
  std::int64_t items(std::size_t batch) const;
  train::PassRows passes(std::int64_t rows) const;
  void log(double seconds) const;

  const TrainingRows& data_;
  const TrainingOptions& options_;
  const TrainingHooks& hooks_;
  std::size_t threads_;
  EnergyHead head_;
  train::Parameters parameters_;
  train::AdamW optimizer_;
  HeadRandom random_;
  std::size_t epoch_items_;
  memory::AllocatorAccess allocator_;
  memory::Recovery scoring_;
  HeadFiles files_;

  TrainingProgress progress_;
  LossValue loss_;                        ///< loss of the last step
  std::optional<Validation> validation_;  ///< result for the present parameters
  EpochReport report_;                    ///< report of the last epoch
  Stopwatch epoch_watch_;
  std::unique_ptr<memory::PhaseMark> epoch_mark_;
  std::optional<Progress> display_;
};

}  // namespace molgauge::ood
