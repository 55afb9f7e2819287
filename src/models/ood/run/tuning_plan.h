#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "models/encoders/trainable_encoder.h"
#include "models/ood/run/training_plan.h"

namespace headroom::ood {

/// The sizes of a training of a head together with the last layers of an encoder.
struct TuningSizes {
  std::vector<memory::ItemSize> molecules;  ///< those of the training, of both sides; at least one
  std::size_t train_id = 0, train_ood = 0, validation = 0;
  std::uint64_t kept_bytes = 0;  ///< output of the frozen layers for all molecules
  /// As much of that output fits the memory while the frozen layers are run, which take memory themselves.
  std::uint64_t most_kept_bytes = std::numeric_limits<std::uint64_t>::max();
  /// The location of that output if the frozen layers have been run. In memory, it does not count toward the
  /// budget.
  std::optional<bool> is_kept_on_disk = {};
  /// The steps run on a GPU, and the budget is GPU memory. That output stays in CPU memory.
  bool is_on_gpu = false;
};

struct TuningPlan {
  TrainingPlan training;
  bool keeps_on_disk = false;             ///< the output of the frozen layers goes to a file
  std::uint64_t host_overhead_bytes = 0;  ///< bytes of the process beside a GPU; the CPU's plan has them
};

/// Plans how the steps are run, and whether the output of the frozen layers stays in memory or goes to a file
/// on disk. A step works on parts of TunedRows::kLeastRows molecules. The passes of two parts are measured:
/// one with molecules of mean size, and one that includes the largest molecule. The memory of a step follows
/// from them. The molecules of the validation go through the trained layers without gradients, between the
/// steps, which is measured with the same sizes. A step that happens to draw more large molecules than that
/// runs out of memory and is done again in smaller parts. For a GPU the passes are measured on the CPU, in
/// the GPU's parts of TunedRows::kLeastRowsOnGpu.
///
/// The parameters of the encoder do not change. No other thread makes tensors meanwhile.
TuningPlan plan_tuning(const TrainingOptions& options, const encoders::TrainableEncoder& encoder,
                       const TuningSizes& sizes, std::size_t threads, const TensorBudget& budget);

}  // namespace headroom::ood
