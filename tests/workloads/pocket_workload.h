#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "workloads/block_workload.h"

namespace molgauge::workloads {

struct PocketShape {
  std::int64_t layers = 3, width = 16, heads = 4;
  std::size_t bank_pockets = 24;    ///< the number of stored embeddings
  std::int64_t embedding = 16'384;  ///< numbers in one embedding
};

/// Training on binding pockets of widely varying size, as tensors: messages along edges, an update of every
/// pair of atoms in a pocket, and a bank of recent pocket embeddings that outlives hundreds of batches.
class PocketWorkload final : public BlockWorkload {
 public:
  explicit PocketWorkload(const PocketShape& shape);

  /// Includes the full bank, because the bank is full after some steps.
  std::vector<MemoryContribution> resident(const memory::StepSettings& settings) const override;

  /// Adds the embeddings of this number of pockets, and removes the oldest embeddings.
  void remember(std::size_t pockets);

 private:
  State inputs(std::span<const memory::ItemSize> batch) override;
  State block(std::size_t index, const State& state) override;
  double work(const memory::Cost& cost) const override;

  PocketShape shape_;
  std::deque<at::Tensor> bank_;  ///< embeddings of the pockets
};

/// The pockets of a data set: most have 30 to 60 atoms, some up to 130, and every fifteenth has 190.
std::vector<memory::ItemSize> pocket_sizes(std::size_t count);

}  // namespace molgauge::workloads
