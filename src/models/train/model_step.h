#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "memory/plan/step_model.h"
#include "models/train/model.h"

namespace headroom::train {

/// Makes a batch of this many rows of made-up data.
using MakeUpBatch = std::function<std::unique_ptr<Batch>(std::int64_t rows)>;

/// Steps of a model, for the planner. An item is a row, and a step is one batch. The batch runs at once or,
/// with activation checkpointing, one shard after the other. The results are bit-identical.
class ModelStep final : public memory::StepModel {
 public:
  /// Takes steps, which change the parameters: `model` is one that was made for planning. It outlives the
  /// object. `name`: of the work, as in "train a head". `data_bytes`: of the features, which are there all
  /// the time.
  ModelStep(Model& model, MakeUpBatch make_up, std::string name, std::uint64_t data_bytes,
            Clipping clipping = {});

  std::string name() const override { return name_; }
  /// Execution strategies: all rows at once, or activation checkpointing with one part at a time.
  std::vector<memory::StepSettings> variants() const override;
  /// Rows are cut into shards, as many as there are rows for.
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

/// Two forward passes and a backward pass, which takes twice as long, over one of each.
inline constexpr double kTimeOfCheckpointing = 4.0 / 3;

}  // namespace headroom::train
