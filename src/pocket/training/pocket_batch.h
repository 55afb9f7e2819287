#pragma once

#include <optional>
#include <vector>

#include "pocket/training/data.h"
#include "pocket/training/losses.h"
#include "pocket/training/options.h"
#include "train/sharded_pass.h"
#include "train/step.h"

namespace headroom::pocket {

/// Sums over the batches of an epoch.
struct EpochSums {
  double loss = 0, physics = 0, accuracy = 0, gradient_norm = 0;
  std::size_t batches = 0, steps = 0;
};

/// One step: the pockets of as many batches as are accumulated. Each pocket is a shard of the pass.
class PocketBatch final : public train::Batch {
 public:
  struct Work {
    std::vector<train::Parameter> parameters;
    std::vector<std::int64_t> sizes;  ///< pockets of each accumulated batch
    LoadedPockets pockets;
    ops::Floats targets;
    std::vector<std::int64_t> keys;  ///< of dropout, one a pocket
  };
  /// `options` and `sums` outlive the object.
  PocketBatch(Work work, const TrainingOptions& options, EpochSums& sums);

  void forward(const train::PassPlan& plan) override;
  void backward(double factor) override;
  void release() override;
  void commit() noexcept override;

 private:
  at::Tensor outputs_of(const std::vector<train::Parameter>& parameters, const train::RowRange& rows) const;

  Work work_;
  const TrainingOptions& options_;
  EpochSums& sums_;
  EpochSums own_;
  at::Tensor gradient_;
  std::optional<train::ShardedPass> pass_;
};

/// Mean energies of these pockets by the options; 0 without physics loss.
double physics_loss(const TrainingOptions& options, const std::vector<std::shared_ptr<const Batch>>& pockets);

}  // namespace headroom::pocket
