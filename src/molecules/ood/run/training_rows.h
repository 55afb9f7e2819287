#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ATen.h>

#include "base/io/tensors/tensor_data.h"
#include "base/train/parameters.h"
#include "base/train/sharded_pass.h"
#include "molecules/ood/head/energy_head.h"
#include "molecules/ood/run/training_options.h"

namespace molgauge::ood {

/// The rows of one batch. Only one forward and backward pass is active at a time.
class RowBatch {
 public:
  virtual ~RowBatch() = default;

  virtual at::Device device() const = 0;
  /// Computes the energies [n] of the rows with the current parameters of the head, detached from the
  /// autograd graph. Keeps the pass for backward(), and discards an earlier pass.
  virtual at::Tensor forward(const EnergyHead& head, const DropoutMasks& masks,
                             const train::PassPlan& plan) = 0;
  /// Does the same as train::ShardedPass::backward(), for all parameters of the training.
  virtual void backward(const at::Tensor& gradient) = 0;
};

/// The molecules for training and validation of a head: precomputed features, or molecules for an encoder
/// that is fine-tuned.
class TrainingRows {
 public:
  virtual ~TrainingRows() = default;

  virtual std::int64_t width() const = 0;
  virtual at::Device device() const = 0;
  virtual std::size_t id_rows() const = 0;
  virtual std::size_t ood_rows() const = 0;
  /// Minimum number of rows in a shard (train::PassPlan::least_rows).
  virtual std::int64_t least_rows() const { return 0; }
  /// The number of threads, at most `threads`, that process parts in parallel.
  virtual std::size_t threads_of_pass(std::size_t threads) const { return threads; }
  /// Returns 16 hexadecimal digits that depend on all data. A checkpoint can only be continued with the same
  /// rows.
  virtual std::string identity() const = 0;

  /// Parameters that are trained in addition to the head.
  virtual std::vector<train::ParameterGroup> groups(const TrainingOptions& /*options*/) const { return {}; }
  /// Prefix of the names of parameters in checkpoints.
  virtual std::string tensor_prefix() const { return "energy_head."; }
  /// Adds copies of the trained parameters outside the head to the tensors of the best model.
  virtual void add_to_best(io::TensorMap& /*tensors*/) const {}

  /// Creates a batch of the rows with these indices, ID rows first. Draws random numbers from `random`.
  virtual std::unique_ptr<RowBatch> gather(std::vector<std::int64_t> rows, at::Generator& random) const = 0;
  /// Features of the ID and OOD validation molecules, with the current parameters.
  virtual std::pair<at::Tensor, at::Tensor> validation(std::size_t threads) const = 0;
};

}  // namespace molgauge::ood
