#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "base/memory/plan/step_model.h"

namespace molgauge::workloads {

/// The data between blocks: states of atoms, and of pairs or edges.
using State = std::vector<at::Tensor>;

/// Training of a stack of blocks with autograd and an optimizer with two moments. As in real trainers,
/// gradients appear in the backward pass and live until the next step begins. With checkpointing, only the
/// input of each block is kept, and the backward pass computes the block again. In bf16, parameters stay
/// float32 and blocks compute with copies of them.
///
/// If `training` is false, a step is only the forward pass, without gradients.
class BlockWorkload : public memory::StepModel {
 public:
  std::string name() const override;
  /// Returns false for bf16, because the matrix library chooses its algorithms for bf16 products.
  bool has_static_allocations(const memory::StepSettings& settings) const override {
    return settings.precision == memory::Precision::fp32;
  }
  std::vector<memory::StepSettings> variants() const override;
  bool can_accumulate() const override { return training_; }
  std::vector<MemoryContribution> resident(const memory::StepSettings& settings) const override;
  double relative_time(const memory::Cost& cost, const memory::StepSettings& settings) const override;
  void run(std::span<const memory::ItemSize> batch, const memory::StepSettings& settings,
           memory::AllocationTagger& marks) override;

  /// Forward and backward over a batch, without the optimizer step.
  void accumulate(std::span<const memory::ItemSize> batch, const memory::StepSettings& settings,
                  memory::AllocationTagger& marks);
  void forget_gradients();
  void optimise();

 protected:
  BlockWorkload(std::string kind, std::size_t blocks, bool training)
      : kind_(std::move(kind)), blocks_(blocks), training_(training) {}

  /// Adds a weight to the model and returns its number. Called by constructors.
  std::size_t add_parameter(at::IntArrayRef shape);
  /// The weight in the precision of the blocks.
  at::Tensor weight(std::size_t number) const;
  at::ScalarType precision() const { return precision_; }

  /// Synthetic data of a batch.
  virtual State inputs(std::span<const memory::ItemSize> batch) = 0;
  virtual State block(std::size_t index, const State& state) = 0;
  /// Time of a batch in the unit of kStepCost, excluding this fixed cost of the step.
  virtual double work(const memory::Cost& cost) const = 0;

 private:
  void pass(std::span<const memory::ItemSize> batch, memory::AllocationTagger& marks);
  void checkpointed_pass(std::span<const memory::ItemSize> batch, memory::AllocationTagger& marks);

  std::string kind_;
  std::size_t blocks_;
  bool training_;
  at::ScalarType precision_ = at::kFloat;
  std::vector<at::Tensor> parameters_, means_, square_means_;
};

}  // namespace molgauge::workloads
