#pragma once

#include <cstddef>

#include <ATen/ATen.h>

#include "memory/measure/phase.h"
#include "memory/recover/recovery.h"
#include "ood/head/head_pass.h"
#include "ood/losses/loss.h"
#include "ood/run/checkpoint.h"
#include "ood/run/training_data.h"
#include "ood/run/training_options.h"

namespace headroom::ood {

/// What a step saw.
struct StepReport {
  LossValue loss;
  double gradient_norm = 0;  ///< before clipping
};

/// Optimiser steps of a training. Each is done whole or not at all: it works on copies of the random
/// generators, the optimiser takes its memory before it changes a number, and whatever runs out of memory on
/// the way is done again from the start, to the same bytes.
class TrainingStep {
 public:
  /// Keeps the options. Throws UsageError when one of its options has no effect on these data.
  /// `phases`: where forward, backward and optimiser are measured; null: nowhere. Outlives the object.
  TrainingStep(const TrainingData& data, const TrainingOptions& options, const EnergyHead& head,
               std::size_t threads, memory::PhaseRecorder* phases = nullptr);

  /// Draws `items` ID and OOD rows and takes a step over all their pairs. Throws Error with
  /// ExitCode::over_budget when not even the smallest part of them fits the memory.
  StepReport run(TrainingState& state, std::size_t items);

  /// Units: rows whose activations are in memory at once.
  memory::RecoveryCounts memory() const;

 private:
  StepReport run_once(TrainingState& state, std::size_t items, const PassPlan& plan) const;
  StepReport set_gradients(const TrainingState& state, const at::Tensor& features, const DropoutMasks& masks,
                           const PassPlan& plan, train::LossScale& scale) const;
  at::Tensor draw_features(TrainingPairs& pairs, std::size_t items) const;

  const TrainingOptions& options_;
  at::Tensor features_;   ///< training rows, ID first
  std::int64_t id_rows_;  ///< of those
  PassPlan plan_;
  std::size_t side_by_side_;  ///< rows that the threads work on where activations are computed again
  memory::PhaseRecorder* phases_;
  memory::Recovery recovery_;
};

}  // namespace headroom::ood
