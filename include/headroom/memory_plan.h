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
  std::size_t batches = 0;            ///< one pass over the data
  std::size_t batches_a_step = 1;     ///< most batches that make one optimiser step
  std::uint64_t projected_bytes = 0;  ///< tensors at their peak in the worst batch
  std::int64_t saved_bytes = 0;       ///< against the first alternative
  bool fits = false;
  double relative_time = 0;  ///< of one pass, against the first alternative, whether that fits or not
  std::string remark;        ///< why chosen, or why not
};

/// What is to be done, what it takes, and what was chosen.
struct MemoryPlan {
  std::string work;        ///< "encode with minimol"
  std::string items_name;  ///< "molecules"
  std::size_t items = 0;
  std::size_t effective_batch = 0;   ///< as asked; 0: batches may be of any size
  std::uint64_t budget_bytes = 0;    ///< for tensors
  std::uint64_t resident_bytes = 0;  ///< what lives before a step begins
  std::uint64_t free_bytes = 0;      ///< what is left of the budget for a step
  std::vector<PlannedAlternative> alternatives;
  std::optional<std::size_t> chosen;              ///< nothing: none fits
  std::string limited_by;                         ///< what keeps batches from being larger
  double used_share = 0;                          ///< projected peak over budget
  double projected_seconds = 0;                   ///< one pass over the data, one batch after the other
  std::vector<MemoryContribution> contributions;  ///< to the worst batch's peak, largest first
  std::uint64_t smallest_budget_bytes = 0;        ///< for tensors, that would do with the smallest batches
  /// For the process, that would do for the whole command and all its phases; 0: not worked out.
  std::uint64_t smallest_process_budget_bytes = 0;
  std::size_t probes = 0;  ///< steps that were run to measure
  bool is_exact = false;   ///< every tensor's size was explained; else an envelope of measured peaks
  std::vector<std::string> notes;

  std::string text, json;  ///< all of this
};

}  // namespace headroom
