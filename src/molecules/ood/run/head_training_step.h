#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "base/memory/plan/step_model.h"
#include "base/train/adamw.h"
#include "molecules/ood/head/energy_head.h"
#include "molecules/ood/head/head_pass.h"
#include "molecules/ood/run/training_options.h"

namespace molgauge::ood {

/// A training step of an energy head on synthetic features, for the planner. An item is a pair of an ID row
/// and an OOD row. The loss compares all ID rows of a step with all OOD rows, so a step is one batch. With
/// activation checkpointing, the rows of the batch can be processed in consecutive parts with bit-identical
/// results. This is gradient accumulation.
///
/// The memory peak of parallel threads depends on their timing. run() therefore processes one shard after
/// another, and allocates the memory that the other threads would need. The measured peak is reproducible. It
/// equals the peak of parallel threads that all need their maximum at the same time.
class HeadTrainingStep final : public memory::StepModel {
 public:
  /// `options.batch_size` is the number of items of a step. If `options.memory_saving` fixes a setting, the
  /// planner does not vary it. `data_bytes`: bytes of the features of the training and validation molecules,
  /// which are always in memory. `validation_pairs`: pairs of validation molecules that are evaluated
  /// together between steps. `workspace_bytes`: workspaces of matrix products, which a GPU always keeps.
  HeadTrainingStep(std::int64_t feature_width, const TrainingOptions& options, std::uint64_t data_bytes,
                   std::size_t validation_pairs, std::size_t threads, std::uint64_t workspace_bytes = 0);

  std::string name() const override { return "train an energy head"; }
  /// Returns three execution strategies: all rows at once, activation checkpointing on all threads, and
  /// activation checkpointing with one part at a time.
  std::vector<memory::StepSettings> variants() const override;
  /// The number of shards depends on the number of rows, with at most one shard for each row. Batches
  /// therefore allocate different numbers of tensors.
  bool has_static_allocations(const memory::StepSettings& /*settings*/) const override { return false; }
  /// Counts the rows as tokens, and the shards of the rows as `pairs`.
  memory::Cost cost(std::span<const memory::ItemSize> batch) const override;
  std::vector<MemoryContribution> resident(const memory::StepSettings& settings) const override;
  double relative_time(const memory::Cost& cost, const memory::StepSettings& settings) const override;
  double serialization_factor(const memory::Cost& cost, const memory::StepSettings& settings) const override;
  void run(std::span<const memory::ItemSize> batch, const memory::StepSettings& settings,
           memory::AllocationTagger& marks) override;

 private:
  /// Peak bytes of the work on one shard.
  struct ShardBytes {
    std::uint64_t passes = 0;       ///< bytes of both passes
    std::uint64_t beyond_kept = 0;  ///< bytes of the larger pass, in addition to the activations that the
                                    ///< forward pass keeps
  };
  std::size_t batch_parts() const;
  std::size_t side_by_side(std::size_t shards, const memory::StepSettings& settings) const;
  train::PassPlan one_thread(const memory::StepSettings& settings) const;
  ShardBytes measure_shard(const memory::StepSettings& settings);
  at::Tensor stand_in_for_others(std::size_t shards, const memory::StepSettings& settings) const;
  void take_step(std::int64_t items, const memory::StepSettings& settings, memory::AllocationTagger& marks);
  void validate(const memory::StepSettings& settings) const;
  /// Gathered features [n, width].
  at::Tensor rows(std::int64_t count) const;

  TrainingOptions options_;
  std::uint64_t data_bytes_, workspace_bytes_;
  std::int64_t validation_pairs_;
  std::size_t threads_;
  EnergyHead head_;
  train::Parameters parameters_;
  train::AdamW optimizer_;
  at::Generator dropout_;
  at::Tensor features_;  ///< a few rows that batches are gathered from
  std::optional<ShardBytes> shard_;
};

}  // namespace molgauge::ood
