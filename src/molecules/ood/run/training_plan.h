#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/memory/plan/planner.h"
#include "molecules/ood/run/training_options.h"

namespace molgauge::ood {

/// The sizes of the training data of a head.
struct TrainingSizes {
  std::size_t width = 0;                    ///< width of the features
  std::size_t train_id = 0, train_ood = 0;  ///< molecules
  std::size_t validation = 0;               ///< ID and OOD validation molecules
  /// Whether the steps run on a GPU. The budget is then GPU memory.
  bool is_on_gpu = false;
  /// Bytes of the features, which are in memory during the whole training.
  std::uint64_t feature_bytes() const;
};

/// The memory budget for tensors, in bytes.
struct TensorBudget {
  std::uint64_t budget_bytes = 0;   ///< budget for features, head, optimizer and steps
  std::uint64_t outside_bytes = 0;  ///< tensors outside of the budget that are already allocated
};

/// The memory plan of a training, and its settings for the steps.
struct TrainingPlan {
  MemoryPlan report;  ///< the printed report
  /// The settings for TrainingOptions::strategy. Not set if no setting fits in the budget.
  std::optional<memory::StepSettings> strategy;
};

/// Plans the settings of training steps, for the commands that train and for `molgauge memory plan`. Runs a
/// few steps on synthetic features on the CPU. No other thread may create tensors at the same time.
TrainingPlan plan_training(const TrainingOptions& options, const TrainingSizes& sizes, std::size_t threads,
                           const TensorBudget& budget);

}  // namespace molgauge::ood
