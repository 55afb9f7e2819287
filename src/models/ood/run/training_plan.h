#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "memory/plan/planner.h"
#include "models/ood/run/training_options.h"

namespace headroom::ood {

/// The sizes of the training data of a head.
struct TrainingSizes {
  std::size_t width = 0;                    ///< width of the features
  std::size_t train_id = 0, train_ood = 0;  ///< molecules
  std::size_t validation = 0;               ///< validation molecules of both sides
  /// The steps run on a GPU, and the budget is GPU memory.
  bool is_on_gpu = false;
  /// Bytes of the features, which are in memory from the start to the end.
  std::uint64_t feature_bytes() const;
};

/// Bytes for tensors.
struct TensorBudget {
  std::uint64_t budget_bytes = 0;   ///< features, head, optimizer and steps of the training
  std::uint64_t outside_bytes = 0;  ///< tensors that are allocated already, outside of the budget
};

/// The execution of the steps of a training.
struct TrainingPlan {
  MemoryPlan report;                             ///< the printed report
  std::optional<memory::StepSettings> strategy;  ///< settings for TrainingOptions::strategy; none if nothing
                                                 ///< fits
};

/// Plans the settings of training steps, for the verbs that train and for `headroom memory plan`. Runs a few
/// steps on synthetic features. No other thread may create tensors at the same time.
///
/// For tensors on the CPU.
TrainingPlan plan_training(const TrainingOptions& options, const TrainingSizes& sizes, std::size_t threads,
                           const TensorBudget& budget);

}  // namespace headroom::ood
