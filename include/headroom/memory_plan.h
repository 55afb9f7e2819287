#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// Bytes with their use: parameters, optimizer state, gradients, activations, workspace, ...
struct MemoryContribution {
  std::string name;
  std::uint64_t bytes = 0;
};

/// An alternative for the work within a budget.
struct PlannedAlternative {
  std::string settings;  ///< "plain", "accumulation", "checkpointing, accumulation", ...
  bool checkpointing = false, accumulating = false;
  std::string precision = "fp32";

  std::size_t batch_items = 0;        ///< maximum number of items in a batch
  std::uint64_t batch_atoms = 0;      ///< maximum number of atoms in a batch, with padding
  std::size_t batches = 0;            ///< batches in one pass over the data
  std::size_t batches_a_step = 1;     ///< maximum number of batches in an optimizer step
  std::uint64_t projected_bytes = 0;  ///< peak of the tensors in the worst batch
  std::int64_t saved_bytes = 0;       ///< bytes saved in comparison with the first alternative
  bool fits = false;
  double relative_time =
      0;               ///< time of a pass, divided by the time of the first alternative, which need not fit
  std::string remark;  ///< why this alternative was chosen or not
};

/// A plan: the work, its memory, and the chosen alternative.
struct MemoryPlan {
  std::string work;        ///< "encode with minimol"
  std::string items_name;  ///< "molecules"
  std::size_t items = 0;
  std::size_t effective_batch = 0;   ///< items of a batch as requested; 0: any batch size
  std::uint64_t budget_bytes = 0;    ///< budget of the tensors
  std::uint64_t resident_bytes = 0;  ///< bytes that are allocated before a step begins
  std::uint64_t free_bytes = 0;      ///< bytes of the budget that remain for a step
  std::vector<PlannedAlternative> alternatives;
  std::optional<std::size_t> chosen;  ///< index of the chosen alternative; none if none fits
  std::string limited_by;             ///< why batches are not larger
  double used_share = 0;              ///< projected peak divided by the budget
  double projected_seconds = 0;       ///< seconds for one pass over the data, with batches one after another
  std::vector<MemoryContribution>
      contributions;                        ///< contributions to the peak of the worst batch, largest first
  std::uint64_t smallest_budget_bytes = 0;  ///< smallest budget for the tensors, with the smallest batches
  /// Smallest budget of the process for the whole command with all its phases. 0: not computed.
  std::uint64_t smallest_process_budget_bytes = 0;
  std::size_t probes = 0;  ///< steps that were run for measurements
  bool is_exact = false;   ///< whether the formulas explain the size of every tensor. If not, the bytes are
                           ///< an upper bound of measured peaks
  std::vector<std::string> notes;

  std::string text, json;  ///< the whole plan as text and as JSON
};

}  // namespace headroom
