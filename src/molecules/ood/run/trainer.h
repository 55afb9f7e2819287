#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/memory/measure/phase.h"
#include "molecules/ood/head/validation.h"
#include "molecules/ood/run/training_curve.h"
#include "molecules/ood/run/training_data.h"
#include "molecules/ood/run/training_options.h"
#include "molecules/ood/run/training_summary.h"
#include "molecules/ood/run/tuned_rows.h"

namespace molgauge::ood {

/// One finished epoch.
struct EpochReport {
  std::size_t epoch = 0;     ///< 0-based
  double train_loss = 0;     ///< mean over the batches
  double gradient_norm = 0;  ///< mean over the batches, before clipping
  Validation validation;
  bool best = false;  ///< this epoch had the best evaluation so far
  double seconds = 0;
};

/// Callbacks for displays and logs, which the training thread calls. A callback may be empty.
struct TrainingHooks {
  std::function<void(const EpochReport&)> after_epoch;
  std::function<void(std::size_t optimizer_steps)> after_step;
  /// Measures the stages forward, backward, optimizer and validation. Null disables the measurement.
  memory::PhaseRecorder* phases = nullptr;
};

/// Trains an energy head and writes best_model.safetensors, training_curve.csv, training_dynamics.csv (DPO
/// only) and checkpoints/ into the folder `run`.
///
/// An epoch consists of all training batches, an evaluation, the scheduler step, the check for a new best
/// (strictly greater validation AUROC), and the periodic checkpoint. Every eval_steps optimizer steps, there
/// is an additional evaluation. With the same data, options and seed, all files are bit-identical for any
/// number of ATen threads, even if the training was interrupted and resumed.
///
/// After an out-of-memory error, the failed work is repeated, if possible in smaller parts. Results are
/// bit-identical. Error with ExitCode::over_budget means that the smallest part does not fit.
///
/// Throws InputError if the data or a checkpoint is unsuitable, UsageError for an option out of range, and
/// Error if the training diverges. Throws Interrupted if the user asks to stop, after the state was written
/// to disk.
TrainingResult train_energy_head(const TrainingData& data, const TrainingOptions& options,
                                 const std::filesystem::path& run, const TrainingHooks& hooks = {});

/// Trains an energy head together with the last layers of an encoder. best_model.safetensors also contains
/// the tensors of these layers. Afterwards, the encoder has the parameters of the last epoch. `identity`: as
/// in TunedRows.
TrainingResult train_with_encoder(const encoders::TrainableEncoder& encoder, const TuningMolecules& molecules,
                                  const std::string& identity, const TrainingOptions& options,
                                  const std::filesystem::path& run, const TrainingHooks& hooks = {});

}  // namespace molgauge::ood
