#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "base/train/collectives/shared_step.h"
#include "base/train/sharded_pass.h"
#include "base/train/step.h"
#include "pockets/training/data.h"
#include "pockets/training/losses.h"
#include "pockets/training/options.h"

namespace molgauge::pocket {

/// Sums over the batches of an epoch.
struct EpochSums {
  double loss = 0, physics = 0, accuracy = 0, gradient_norm = 0;
  std::size_t batches = 0, steps = 0;
};

/// Sums of the energies of a pocket by kind of terms (bonds, angles, dihedrals, pairs), followed by the
/// number of terms of each kind.
using EnergySums = std::array<double, 8>;
EnergySums energy_sums(const Batch& pocket);
/// The weighted mean energies of these pockets, or 0 if the options have no physics loss.
double physics_loss(const TrainingOptions& options, std::span<const EnergySums> pockets);

/// The pockets of a step that each process computes: process r computes the range [ranges[r].first,
/// ranges[r].last).
using Shares = std::vector<train::RowRange>;

/// The minimum number of pockets of a shard (PassPlan::least_rows), which depends only on the device and the
/// sizes of the training pockets. The pockets of a shard are joined into one graph. On the CPU, a shard is
/// one pocket, and the threads compute the shards. On a GPU, a shard has several small pockets, because the
/// time of a pass hardly depends on its number of atoms if they are few.
std::int64_t pockets_of_a_shard(const TrainingData& data, const Device& device);

/// One step, with the pockets of all accumulated batches. With several processes, each process has some of
/// the pockets, and all processes get the same losses and gradients.
class PocketBatch final : public train::Batch {
 public:
  struct Work {
    std::vector<train::Parameter> parameters;
    std::vector<std::int64_t> sizes;  ///< pockets of each accumulated batch, of all processes
    ops::Floats targets;              ///< targets of all processes
    LoadedPockets pockets;            ///< pockets of this process
    std::vector<std::int64_t> keys;   ///< dropout keys, one for each pocket of this process
    Shares shares = {};               ///< with several processes: the share of each process
    std::size_t rank = 0;
    train::SharedStep* shared = nullptr;  ///< null if there is only one process
  };
  /// `options`, `sums` and the shared step must outlive the object.
  PocketBatch(Work work, const TrainingOptions& options, EpochSums& sums);

  void forward(const train::PassPlan& plan) override;
  void backward(double factor) override;
  void release() override;
  void commit() noexcept override;

 private:
  train::RowRange own_rows() const;
  /// Collects the rows and energies of all pockets of the step from all processes.
  void gather(const at::Tensor& own);
  at::Tensor outputs_of(const std::vector<train::Parameter>& parameters, const train::RowRange& rows,
                        at::ScalarType precision) const;
  /// Returns the parameters on the device that runs the passes.
  const std::vector<train::Parameter>& parameters_there();

  Work work_;
  const TrainingOptions& options_;
  EpochSums& sums_;
  EpochSums own_;
  at::Tensor outputs_, gradient_;  ///< outputs and gradients of all processes
  std::vector<EnergySums> energies_;
  std::vector<train::Parameter> copies_;  ///< copies of the parameters on a GPU; empty on the CPU
  std::optional<train::ShardedPass> pass_;
};

}  // namespace molgauge::pocket
