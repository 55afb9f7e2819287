#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// Bytes and what they are for: parameters, optimiser state, gradients, activations, workspace, ...
struct MemoryContribution {
  std::string name;
  std::uint64_t bytes = 0;
};

/// One way to do the work within a budget.
struct PlannedAlternative {
  std::string settings;  ///< "plain", "accumulation", "checkpointing, accumulation", ...
  bool checkpointing = false, accumulating = false;
  std::string precision = "fp32";

  std::size_t batch_items = 0;        ///< most items in one batch
  std::uint64_t batch_atoms = 0;      ///< most atoms in one batch, padding counted
  std::size_t batches = 0;            ///< batches in one pass over the data
  std::size_t batches_a_step = 1;     ///< most batches that make one optimiser step
  std::uint64_t projected_bytes = 0;  ///< tensors at their peak in the worst batch
  std::int64_t saved_bytes = 0;       ///< bytes less than the first alternative takes
  bool fits = false;
  double relative_time = 0;  ///< time of one pass, against the first alternative, whether that fits or not
  std::string remark;        ///< why this alternative was chosen, or why not
};

/// The work that is planned, the memory it takes, and the alternative that was chosen.
struct MemoryPlan {
  std::string work;        ///< "encode with minimol"
  std::string items_name;  ///< "molecules"
  std::size_t items = 0;
  std::size_t effective_batch = 0;   ///< items of a batch as requested; 0: batches may be of any size
  std::uint64_t budget_bytes = 0;    ///< budget of the tensors
  std::uint64_t resident_bytes = 0;  ///< bytes that are allocated before a step begins
  std::uint64_t free_bytes = 0;      ///< bytes of the budget that are left for a step
  std::vector<PlannedAlternative> alternatives;
  std::optional<std::size_t> chosen;              ///< index of the chosen alternative; none: none fits
  std::string limited_by;                         ///< the reason why batches are not larger
  double used_share = 0;                          ///< projected peak over budget
  double projected_seconds = 0;                   ///< one pass over the data, one batch after the other
  std::vector<MemoryContribution> contributions;  ///< to the worst batch's peak, largest first
  std::uint64_t smallest_budget_bytes = 0;        ///< for the tensors, with the smallest batches
  /// Smallest budget of the process for the whole command and all its phases; 0: not computed.
  std::uint64_t smallest_process_budget_bytes = 0;
  std::size_t probes = 0;  ///< steps that were run to measure
  bool is_exact = false;   ///< every tensor's size was explained; else an envelope of measured peaks
  std::vector<std::string> notes;

  std::string text, json;  ///< all of the plan, as a text and as JSON
};

}  // namespace headroom
