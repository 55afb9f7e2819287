#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "memory/plan/planner.h"
#include "ood/run/training_options.h"

namespace headroom::ood {

/// What a head is trained on.
struct TrainingSizes {
  std::size_t width = 0;                    ///< of the features
  std::size_t train_id = 0, train_ood = 0;  ///< molecules
  std::size_t validation = 0;               ///< of both sides
  /// Bytes of features that are there from the start to the end.
  std::uint64_t feature_bytes() const;
};

/// Bytes for tensors.
struct TensorBudget {
  std::uint64_t budget_bytes = 0;   ///< features, head, optimiser and steps of the training
  std::uint64_t outside_bytes = 0;  ///< tensors that live already and are no part of that
};

/// How the steps of a training are run.
struct TrainingPlan {
  MemoryPlan report;                        ///< what is printed
  std::optional<memory::StepSettings> way;  ///< for TrainingOptions::way; nothing where nothing fits
};

/// Plans how the steps of a training are run: the one place, for the verbs that train and for `headroom
/// memory plan`. Runs a few steps on made-up features; no other thread makes tensors meanwhile.
///
/// Made for tensors on the CPU.
TrainingPlan plan_training(const TrainingOptions& options, const TrainingSizes& sizes, std::size_t threads,
                           const TensorBudget& budget);

}  // namespace headroom::ood
