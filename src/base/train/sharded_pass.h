#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <ATen/ATen.h>

#include "base/train/parameters.h"
#include "base/train/shards.h"

namespace molgauge::train {

/// The number of shards on a device (shards.h). `least_rows`: minimum rows of a shard. 0 selects the minimum
/// of the device.
inline std::int64_t shard_count(std::int64_t rows, at::Device device, std::int64_t least_rows = 0) {
  return least_rows > 0 ? std::max<std::int64_t>(1, rows / least_rows) : shard_count(rows, !device.is_cpu());
}

/// How a pass is executed. Only `precision` and `least_rows` affect the results of the pass. All passes of a
/// model have equal `least_rows`.
struct PassPlan {
  std::size_t threads = 1;
  std::int64_t least_rows = 0;  ///< minimum rows of a shard, as in shard_count()
  /// Keep the activations of all shards for the backward pass. If false, the backward pass recomputes them
  /// shard by shard (activation checkpointing).
  bool keep_activations = true;
  /// Number of shards in memory at once if activations are not kept. 0 means one shard for each thread.
  std::int64_t shards_at_once = 0;
  at::ScalarType precision = at::kFloat;  ///< type of products and activations; parameters stay float32
};

/// The consecutive rows [first, last) of a table.
struct RowRange {
  std::int64_t first = 0, last = 0;

  /// Returns these rows of a tensor. If the tensor is undefined, the result is undefined, too.
  at::Tensor of(const at::Tensor& rows) const;
};

/// The gradients of one shard, one tensor for each parameter. A tensor is undefined if the outputs of the
/// shard do not depend on the parameter.
using ShardGradients = std::vector<at::Tensor>;

/// A forward pass of many rows through a model, and the backward pass that may follow. The rows must not
/// depend on each other. Rows are processed in shards. Gradients are added in the order of the shards.
/// Results are therefore bit-identical for any number of threads and any choice of kept activations.
class ShardedPass {
 public:
  /// Returns outputs [n, ...] of n rows. `parameters` have the values of the model parameters, but separate
  /// gradients. Called from several threads at once. Called again in the backward pass if activations are not
  /// kept.
  using Forward = std::function<at::Tensor(const std::vector<Parameter>& parameters, const RowRange& rows)>;

  /// Runs the forward pass on rows [0, rows) on a device, and keeps the parameters.
  ShardedPass(std::vector<Parameter> parameters, std::int64_t rows, at::Device device, Forward forward,
              const PassPlan& plan);

  /// Outputs of the pass: [rows, ...], detached from the autograd graph.
  const at::Tensor& outputs() const { return outputs_; }
  /// Replaces the gradients of all parameters that require one. `gradient`: gradient of the loss with respect
  /// to the outputs. Call it only once. If it throws, the gradients are unchanged.
  void backward(const at::Tensor& gradient);
  /// Returns the gradients of each shard in order, instead of their sums. Call it once.
  std::vector<ShardGradients> gradients_of_shards(const at::Tensor& gradient);

 private:
  struct Shard {
    std::vector<Parameter> parameters;  ///< share the values of the model, but have separate gradients
    at::Tensor outputs;
  };
  /// Calls take(gradients) for each shard in order.
  void differentiate(const at::Tensor& gradient, const std::function<void(ShardGradients)>& take);
  RowRange range(std::int64_t shard) const;
  Shard run(std::int64_t shard) const;

  std::vector<Parameter> parameters_;
  std::int64_t rows_;
  Forward forward_;
  PassPlan plan_;
  std::int64_t shards_;
  std::vector<std::optional<Shard>> kept_;  ///< empty if activations are not kept
  at::Tensor outputs_;
};

/// Computes outputs(rows) for all rows of `features`, shard by shard, without gradients. `plan` determines
/// the number of shards at once. Its `keep_activations` and `precision` have no effect.
at::Tensor in_shards(const at::Tensor& features, const PassPlan& plan,
                     const std::function<at::Tensor(const at::Tensor& rows)>& outputs);

}  // namespace molgauge::train
