#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "memory/plan/planner.h"
#include "memory/plan/step_model.h"

namespace headroom::workloads {

/// A model, items with a mix of sizes, and a budget.
struct RandomWorkload {
  std::string kind;  ///< "train attention"
  std::unique_ptr<memory::StepModel> model;
  memory::PlanningRequest request;
};

/// The workload of a seed, always the same for one seed. It has an encoder or a trainer of random dimensions,
/// and a random mix of sizes (equal, drug-like, evenly spread, heavy-tailed, two humps). The budget for
/// tensors lies between 64 MiB and `most_bytes`, evenly on a logarithmic scale below 512 MiB and above (an
/// eighth of them). The effective batch is between a fifth and five times the batch that the budget could
/// hold at once.
RandomWorkload random_workload(std::uint64_t seed, std::uint64_t most_bytes);

/// The same, but always Uni-Mol with a small network of random sizes, with or without features of atoms and
/// pairs.
RandomWorkload random_unimol_workload(std::uint64_t seed, std::uint64_t most_bytes);

/// The result of a planned workload.
struct Trial {
  std::string kind;
  std::uint64_t budget_bytes = 0, projected_bytes = 0, true_bytes = 0;
  bool fits = false;     ///< something was chosen
  bool refused = false;  ///< memory ran out within the budget, so a real run would have to recover
  double used_share = 0;
  std::string limited_by, settings;
  std::size_t probes = 0, batches_run = 0;
  bool is_exact = false;
  double planning_seconds = 0, running_seconds = 0;

  /// Projected peak divided by true peak, less 1.
  double error() const { return static_cast<double>(projected_bytes) / static_cast<double>(true_bytes) - 1; }
};

enum class Extent { worst_batch, whole_pass };

/// Plans a workload and runs it with the limit enforced. The true peak belongs to the batch with the largest
/// projection. With whole_pass, every other batch must stay within the budget, too.
Trial try_workload(RandomWorkload workload, Extent extent);

}  // namespace headroom::workloads
