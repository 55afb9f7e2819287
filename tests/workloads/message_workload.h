#pragma once

#include "workloads/block_workload.h"

namespace molgauge::workloads {

struct MessageShape {
  std::int64_t layers = 4, width = 32;
};

/// A graph network. The messages of atoms and edges pass through a linear layer and are summed at their
/// targets. Items are packed, so memory grows with atoms and edges.
class MessageWorkload final : public BlockWorkload {
 public:
  MessageWorkload(const MessageShape& shape, bool training);

 private:
  State inputs(std::span<const memory::ItemSize> batch) override;
  State block(std::size_t index, const State& state) override;
  double work(const memory::Cost& cost) const override;

  MessageShape shape_;
};

}  // namespace molgauge::workloads
