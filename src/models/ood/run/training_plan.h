#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "memory/plan/planner.h"
#include "models/ood/run/training_options.h"

namespace headroom::ood {

/// The sizes of a head's training data.
struct TrainingSizes {
  std::size_t width = 0;                    ///< width of the features
  std::size_t train_id = 0, train_ood = 0;  ///< molecules
  std::size_t validation = 0;               ///< of both sides
  /// The steps run on a GPU, whose memory the budget is.
  bool is_on_gpu = false;
  /// Bytes of the features, which are in memory from the start to the end.
  std::uint64_t feature_bytes() const;
};

/// Bytes for tensors.
struct TensorBudget {
  std::uint64_t budget_bytes = 0;   ///< features, head, optimiser and steps of the training
  std::uint64_t outside_bytes = 0;  ///< tensors that are allocated already, outside of the budget
};

/// How the steps of a training are run.
struct TrainingPlan {
  MemoryPlan report;                             ///< the printed report
  std::optional<memory::StepSettings> strategy;  ///< for TrainingOptions::way; none where nothing fits
};

/// Plans the settings of training steps. It is the only such place, for the verbs that train and for
/// `headroom memory plan`. Runs a few steps on synthetic features. No other thread may create tensors at the
/// same time.
///
/// For tensors on the CPU.
TrainingPlan plan_training(const TrainingOptions& options, const TrainingSizes& sizes, std::size_t threads,
                           const TensorBudget& budget);

}  // namespace headroom::ood
