#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "models/train/collectives/process_group.h"
#include "models/train/parameters.h"
#include "models/train/sharded_pass.h"

namespace headroom::train {

/// The communication of the processes of a training in one step. The rows are distributed: process r has the
/// consecutive rows `ranges[r]`.
///
/// A step that runs out of memory in one process is done again there. Each exchange still happens once for
/// each step. The other processes wait.
class SharedStep {
 public:
  /// `group` outlives the object.
  SharedStep(ProcessGroup& group, std::vector<Parameter> parameters);

  /// Gathers the rows [n, d] of all processes. `own` [own rows, d] are the rows of this process. `name`: of
  /// these rows within the step.
  at::Tensor gather(const std::string& name, const at::Tensor& own, const std::vector<RowRange>& ranges);

  /// Sets the gradients of the parameters to the sums over all shards of all processes, added up in the order
  /// of the rows: the bytes that one process gets. `own`: of each shard of this process, in order.
  void sum(const std::vector<ShardGradients>& own);

  /// The step has been taken.
  void next() noexcept;

 private:
  at::Tensor slot(std::size_t parameter) const;
  void add(const ShardGradients& gradients);

  ProcessGroup& group_;
  std::vector<Parameter> parameters_;
  std::vector<std::int64_t> begins_;  ///< of each parameter within the sums

  struct Gathered {
    at::Tensor rows;
    std::size_t roots = 0;  ///< whose rows are there
  };
  std::map<std::string, Gathered> gathered_;
  at::Tensor sums_;  ///< of all parameters, and behind them 1 for each that has a gradient
  bool is_begun_ = false;
  std::size_t roots_summed_ = 0;
  bool has_added_ = false;
};

}  // namespace headroom::train
