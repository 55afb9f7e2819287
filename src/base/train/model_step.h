#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/memory/plan/step_model.h"
#include "base/train/model.h"

namespace molgauge::train {

/// Makes a batch of this many rows of synthetic data.
using MakeUpBatch = std::function<std::unique_ptr<Batch>(std::int64_t rows)>;

/// Steps of a model on synthetic data, for the planner. An item is a row, and a step is one batch. With
/// activation checkpointing, the shards of the batch are computed one after another. Without it, the
/// activations of all shards are in memory at once. The results are bit-identical.
class ModelStep final : public memory::StepModel {
 public:
  /// `model`: a model that is used only for planning, because steps change its parameters. It must outlive
  /// the object. `name`: name of the work, for example "train a head". `data_bytes`: bytes of the features,
  /// which are always in memory.
  ModelStep(Model& model, MakeUpBatch make_up, std::string name, std::uint64_t data_bytes,
            Clipping clipping = {});

  std::string name() const override { return name_; }
  /// Returns two execution strategies: all rows at once, and activation checkpointing with one part at a
  /// time.
  std::vector<memory::StepSettings> variants() const override;
  /// The number of shards depends on the number of rows, with at most one shard for each row. Batches
  /// therefore allocate different numbers of tensors.
  bool has_static_allocations(const memory::StepSettings& /*settings*/) const override { return false; }
  std::vector<MemoryContribution> resident(const memory::StepSettings& settings) const override;
  double relative_time(const memory::Cost& cost, const memory::StepSettings& settings) const override;
  void run(std::span<const memory::ItemSize> batch, const memory::StepSettings& settings,
           memory::AllocationTagger& marks) override;

 private:
  Model& model_;
  MakeUpBatch make_up_;
  std::string name_;
  std::uint64_t data_bytes_;
  Clipping clipping_;
};

/// Time of a step with activation checkpointing, divided by the time without it. Activation checkpointing
/// needs a second forward pass, and a backward pass takes twice as long as a forward pass.
inline constexpr double kTimeOfCheckpointing = 4.0 / 3;

}  // namespace molgauge::train
