#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "base/train/collectives/process_group.h"
#include "base/train/parameters.h"
#include "base/train/sharded_pass.h"

namespace molgauge::train {

/// The communication of the processes of a training in one step. The rows are distributed: process r has the
/// consecutive rows `ranges[r]`.
///
/// If a step runs out of memory in one process, that process repeats the step while the other processes wait.
/// Each exchange still happens only once in each step.
class SharedStep {
 public:
  /// `group` must outlive the object.
  SharedStep(ProcessGroup& group, std::vector<Parameter> parameters);

  /// Gathers the rows [n, d] of all processes. `own` [own rows, d]: the rows of this process. `name`:
  /// identifies the rows within the step.
  at::Tensor gather(const std::string& name, const at::Tensor& own, const std::vector<RowRange>& ranges);

  /// Sets the gradients of the parameters to the sums over the shards of all processes, added in the order of
  /// the rows. The result is bit-identical to a training in one process. `own`: gradients of each shard of
  /// this process, in order.
  void sum(const std::vector<ShardGradients>& own);

  /// Call it when the step is finished.
  void next() noexcept;

 private:
  at::Tensor slot(std::size_t parameter) const;
  void add(const ShardGradients& gradients);

  ProcessGroup& group_;
  std::vector<Parameter> parameters_;
  std::vector<std::int64_t> begins_;  ///< start of each parameter within the sums

  struct Gathered {
    at::Tensor rows;
    std::size_t roots = 0;  ///< number of processes from which rows have arrived
  };
  std::map<std::string, Gathered> gathered_;
  /// Sums of the gradients of all parameters, then a flag for each parameter, which is 1 if it has a
  /// gradient.
  at::Tensor sums_;
  bool is_begun_ = false;
  std::size_t roots_summed_ = 0;
  bool has_added_ = false;
};

}  // namespace molgauge::train
