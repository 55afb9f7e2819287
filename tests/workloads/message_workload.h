#pragma once

#include "workloads/block_workload.h"

namespace headroom::workloads {

struct MessageShape {
  std::int64_t layers = 4, width = 32;
};

/// A graph network: messages of atoms and edges through a linear layer, summed where they arrive. Items lie
/// side by side; memory grows with atoms and edges.
class MessageWorkload final : public BlockWorkload {
 public:
  MessageWorkload(const MessageShape& shape, bool training);

 private:
  State inputs(std::span<const memory::ItemSize> batch) override;
  State block(std::size_t index, const State& state) override;
  double work(const memory::Cost& cost) const override;

  MessageShape shape_;
};

}  // namespace headroom::workloads
