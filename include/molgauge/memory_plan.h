#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace molgauge {

/// The bytes of one use of memory: parameters, optimizer state, gradients, activations, workspace, ...
struct MemoryContribution {
  std::string name;
  std::uint64_t bytes = 0;
};

/// An alternative: one execution strategy for the work, with its memory and its time.
struct PlannedAlternative {
  std::string settings;  ///< the name: "plain", "accumulation", "checkpointing, accumulation", ...
  bool checkpointing = false, accumulating = false;
  std::string precision = "fp32";

  std::size_t batch_items = 0;        ///< maximum number of items in a batch
  std::uint64_t batch_atoms = 0;      ///< maximum number of atoms in a batch, with padding
  std::size_t batches = 0;            ///< batches in one pass over the data
  std::size_t batches_a_step = 1;     ///< maximum number of batches in an optimizer step
  std::uint64_t projected_bytes = 0;  ///< peak bytes of the tensors in the worst batch
  std::int64_t saved_bytes = 0;       ///< bytes saved in comparison with the first alternative
  bool fits = false;
  /// Time of a pass, divided by the time of the first alternative, even if the first alternative does not
  /// fit.
  double relative_time = 0;
  std::string remark;  ///< why this alternative was chosen or not
};

/// The plan of a phase: the work, the alternatives and their memory.
struct MemoryPlan {
  std::string work;        ///< for example "encode with minimol"
  std::string items_name;  ///< for example "molecules"
  std::size_t items = 0;
  std::size_t effective_batch = 0;   ///< items of a batch that the user requested. 0 allows any batch size
  std::uint64_t budget_bytes = 0;    ///< budget of the tensors
  std::uint64_t resident_bytes = 0;  ///< bytes that are allocated before a step begins
  std::uint64_t free_bytes = 0;      ///< bytes of the budget that a step may use
  std::vector<PlannedAlternative> alternatives;
  std::optional<std::size_t> chosen;  ///< index of the chosen alternative; none if none fits
  std::string limited_by;             ///< why batches are not larger
  double used_share = 0;              ///< projected peak divided by the budget
  /// Seconds for one pass over the data if batches run one after another.
  double projected_seconds = 0;
  /// Contributions to the peak of the worst batch, largest first.
  std::vector<MemoryContribution> contributions;
  /// Smallest possible budget of the tensors, with the smallest batches.
  std::uint64_t smallest_budget_bytes = 0;
  /// Smallest possible budget of the process for the whole command with all phases. 0 means not computed.
  std::uint64_t smallest_process_budget_bytes = 0;
  std::size_t probes = 0;  ///< number of steps that were run to measure memory
  /// Whether formulas give the exact size of every tensor. If not, the bytes are upper bounds of measured
  /// peaks.
  bool is_exact = false;
  std::vector<std::string> notes;

  std::string text, json;  ///< the whole plan as text and as JSON
};

}  // namespace molgauge
