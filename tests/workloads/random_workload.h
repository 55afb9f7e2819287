#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/memory/plan/planner.h"
#include "base/memory/plan/step_model.h"

namespace molgauge::workloads {

/// A model, items with a mix of sizes, and a budget.
struct RandomWorkload {
  std::string kind;  ///< "train attention"
  std::unique_ptr<memory::StepModel> model;
  memory::PlanningRequest request;
};

/// Returns the workload of a seed. Equal seeds give equal workloads. It has an encoder or a trainer of random
/// dimensions, and a random mix of sizes (equal, drug-like, uniform, heavy-tailed, bimodal). The budget for
/// tensors is between 64 MiB and `most_bytes`. An eighth of the budgets is above 512 MiB. The budgets below
/// 512 MiB and the budgets above are each evenly distributed on a logarithmic scale. If a step can be split,
/// the effective batch is between a fifth and five times the batch that the budget holds at once. Otherwise,
/// it is smaller than this batch.
RandomWorkload random_workload(std::uint64_t seed, std::uint64_t most_bytes);

/// Like random_workload(), but always Uni-Mol. The network is small and has random sizes, with or without
/// atom features and pair features.
RandomWorkload random_unimol_workload(std::uint64_t seed, std::uint64_t most_bytes);

/// The result of a planned workload.
struct Trial {
  std::string kind;
  std::uint64_t budget_bytes = 0, projected_bytes = 0, true_bytes = 0;
  bool fits = false;     ///< whether the planner chose a strategy
  bool refused = false;  ///< memory ran out within the budget, so a real run would have to recover
  double used_share = 0;
  std::string limited_by, settings;
  std::size_t probes = 0, batches_run = 0;
  bool is_exact = false;
  double planning_seconds = 0, running_seconds = 0;

  /// The projected peak divided by the true peak, minus 1.
  double error() const { return static_cast<double>(projected_bytes) / static_cast<double>(true_bytes) - 1; }
};

enum class Extent { worst_batch, whole_pass };

/// Plans a workload and runs it with the limit enforced. The true peak is measured on the batch with the
/// largest projected memory. With whole_pass, all other batches are checked against the budget, too.
Trial try_workload(RandomWorkload workload, Extent extent);

}  // namespace molgauge::workloads
