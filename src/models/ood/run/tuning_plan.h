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
  std::vector<memory::ItemSize> molecules;  ///< the training molecules of both sides; at least one
  std::size_t train_id = 0, train_ood = 0, validation = 0;
  std::uint64_t kept_bytes = 0;  ///< output of the frozen layers for all molecules
  /// Maximum bytes of this output in memory while the frozen layers run. The frozen layers need memory, too.
  std::uint64_t most_kept_bytes = std::numeric_limits<std::uint64_t>::max();
  /// Whether this output is on disk, if the frozen layers have already run. If it is in memory, it does not
  /// count toward the budget.
  std::optional<bool> is_kept_on_disk = {};
  /// The steps run on a GPU, and the budget is GPU memory. The output of the frozen layers stays in CPU
  /// memory.
  bool is_on_gpu = false;
};

struct TuningPlan {
  TrainingPlan training;
  bool keeps_on_disk = false;  ///< the output of the frozen layers goes to a file
  std::uint64_t host_overhead_bytes =
      0;  ///< on a GPU, the bytes of the process; on a CPU, the plan includes them
};

/// Plans the steps, and decides whether the output of the frozen layers stays in memory or is written to a
/// file. A step processes parts of TunedRows::kLeastRows molecules. The passes of two parts are measured: one
/// with molecules of mean size, and one that includes the largest molecule. The memory of a step is computed
/// from these measurements. Between steps, the validation molecules pass the trained layers without
/// gradients. This is measured with the same sizes. If a step draws more large molecules than assumed, it
/// runs out of memory and is repeated in smaller parts. For a GPU the passes are measured on the CPU, with
/// parts of TunedRows::kLeastRowsOnGpu.
///
/// The parameters of the encoder do not change. No other thread may create tensors at the same time.
TuningPlan plan_tuning(const TrainingOptions& options, const encoders::TrainableEncoder& encoder,
                       const TuningSizes& sizes, std::size_t threads, const TensorBudget& budget);

}  // namespace headroom::ood
