#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "molecules/encoders/trainable_encoder.h"
#include "molecules/ood/run/training_plan.h"

namespace molgauge::ood {

/// The sizes of a training of a head together with the last layers of an encoder.
struct TuningSizes {
  std::vector<memory::ItemSize> molecules;  ///< all ID and OOD training molecules; at least one
  std::size_t train_id = 0, train_ood = 0, validation = 0;
  std::uint64_t kept_bytes = 0;  ///< output of the frozen layers for all molecules
  /// Maximum bytes that the output of the frozen layers may take in memory while these layers run. The layers
  /// themselves need memory as well.
  std::uint64_t most_kept_bytes = std::numeric_limits<std::uint64_t>::max();
  /// Set if the frozen layers have already run: whether their output is on disk. If it is in memory instead,
  /// it does not count toward the budget.
  std::optional<bool> is_kept_on_disk = {};
  /// Whether the steps run on a GPU. The budget is then GPU memory, and the output of the frozen layers stays
  /// in CPU memory.
  bool is_on_gpu = false;
};

struct TuningPlan {
  TrainingPlan training;
  bool keeps_on_disk = false;  ///< the output of the frozen layers goes to a file
  /// On a GPU, the bytes of CPU memory for copies of the parameters. On a CPU, 0, because the plan includes
  /// them.
  std::uint64_t host_overhead_bytes = 0;
};

/// Plans the steps, and decides whether the output of the frozen layers stays in memory or is written to a
/// file. A step processes parts of TunedRows::kLeastRows molecules. Two passes of a part are measured: one
/// with molecules of mean size, and one that includes the largest molecule. The memory of a step is computed
/// from these measurements.
///
/// Between steps, the trained layers process the validation molecules without gradients. This is also
/// measured with a part that includes the largest molecule. If a step draws more large molecules than
/// assumed, it runs out of memory and is repeated in smaller parts. For a GPU, passes are also measured on
/// the CPU, with parts of TunedRows::kLeastRowsOnGpu molecules.
///
/// The parameters of the encoder do not change. No other thread may create tensors at the same time.
TuningPlan plan_tuning(const TrainingOptions& options, const encoders::TrainableEncoder& encoder,
                       const TuningSizes& sizes, std::size_t threads, const TensorBudget& budget);

}  // namespace molgauge::ood
