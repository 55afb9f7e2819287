#pragma once

#include <cstddef>
#include <cstdint>

#include <ATen/ATen.h>

#include "base/train/pass_memory.h"
#include "base/train/sharded_pass.h"
#include "molecules/ood/head/energy_head.h"

namespace molgauge::ood {

/// A forward pass of many rows through a head, and the backward pass that may follow.
class HeadPass {
 public:
  /// Runs the forward pass on features [n, width]. Applies dropout if the masks are defined. Keeps the
  /// parameters of the head, the features and the masks for backward().
  HeadPass(const EnergyHead& head, const at::Tensor& features, const DropoutMasks& masks,
           const train::PassPlan& plan);

  /// Energies [n], float32, detached from the autograd graph.
  const at::Tensor& energies() const { return pass_.outputs(); }
  /// Calls train::ShardedPass::backward() with gradient [n].
  void backward(const at::Tensor& gradient) { pass_.backward(gradient); }

 private:
  train::ShardedPass pass_;
};

/// Describes passes of `rows` rows through a head, for the recovery from out-of-memory errors.
train::PassRows pass_rows(const EnergyHead& head, std::int64_t rows, std::size_t threads);

}  // namespace molgauge::ood
