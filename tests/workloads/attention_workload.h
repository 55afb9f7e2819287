#pragma once

#include "support/padded_cost.h"
#include "workloads/block_workload.h"

namespace molgauge::workloads {

struct AttentionShape {
  std::int64_t layers = 4, width = 32, heads = 8;  ///< width is a multiple of heads
};

/// An encoder like Uni-Mol. Molecules are padded to the longest. Attention between all atoms of a molecule
/// has a bias for each pair and head, which every layer updates. Memory grows with the square of the length.
class AttentionWorkload final : public BlockWorkload {
 public:
  AttentionWorkload(const AttentionShape& shape, bool training);

  memory::Cost cost(std::span<const memory::ItemSize> batch) const override {
    return test::padded_cost(batch);
  }

 private:
  State inputs(std::span<const memory::ItemSize> batch) override;
  State block(std::size_t index, const State& state) override;
  double work(const memory::Cost& cost) const override;

  AttentionShape shape_;
};

}  // namespace molgauge::workloads
