#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/memory/plan/cost.h"
#include "molgauge/memory_plan.h"

namespace molgauge::memory {

enum class Precision { fp32, bf16 };

/// The settings of a step that a planner can choose.
struct StepSettings {
  bool checkpointing = false;  ///< activations are computed again in the backward pass
  /// The number of parts of a batch that are processed in parallel with checkpointing. 0 means one for each
  /// thread.
  std::size_t parts_at_once = 0;
  Precision precision = Precision::fp32;
  bool accumulating = false;  ///< one optimizer step uses several batches
  bool operator==(const StepSettings&) const = default;
};

/// A text such as "checkpointing, bf16", or "plain" if the settings have no such entry.
std::string to_string(const StepSettings& settings);

/// The purpose of an allocation.
enum class AllocationTag { parameters, optimizer_state, gradients, activations, workspace, kept };
inline constexpr std::size_t kContributors = 6;
const char* to_string(AllocationTag contributor);

/// A step calls this interface to set the contributor of its next allocations. The default is `activations`.
class AllocationTagger {
 public:
  virtual ~AllocationTagger() = default;
  virtual void allocating(AllocationTag contributor) = 0;
};

/// A limit on the tokens in a batch, with its reason. It applies in addition to the memory budget.
struct TokenLimit {
  std::uint64_t tokens = 0;  ///< maximum number of tokens, with padding
  std::string reason;        ///< "speed: batches of more than 2,048 atoms are no faster"
};

/// The interface through which a planner uses an encoder or a trainer. The main method, run(), runs a step.
/// The planner measures the memory of steps with a few small batches (step_prober.h).
///
/// Contract of run(): the order and the sizes of its allocations and frees depend only on the settings and
/// the cost of the batch.
class StepModel {
 public:
  virtual ~StepModel() = default;

  virtual std::string name() const = 0;
  /// The settings to choose from, plainest first. `accumulating` is not set.
  virtual std::vector<StepSettings> variants() const { return {StepSettings{}}; }
  /// Whether several batches can make one optimizer step.
  virtual bool can_accumulate() const { return false; }

  /// Returns true if a step allocates the same number of tensors in the same order for every batch. The sizes
  /// of the tensors must follow from the cost of the batch. A few small batches then determine the memory
  /// exactly. Otherwise the memory is estimated from peaks of batches up to the worst batch. Returns false if
  /// a library chooses its algorithm and workspace by the size of its input. For example, oneDNN uses
  /// different algorithms for small and large products in bf16 on a CPU. The algorithms also depend on the
  /// CPU.
  virtual bool has_static_allocations(const StepSettings& /*settings*/) const { return true; }

  /// Item sizes for probes, if small items are sufficient for the measurement. If the list is empty, probes
  /// use the sizes of the work.
  virtual std::vector<ItemSize> probe_items() const { return {}; }

  /// The cost of a batch of these items.
  virtual Cost cost(std::span<const ItemSize> batch) const { return packed_cost(batch); }
  /// Memory that is live when a step begins, by name: parameters, optimizer state, data on the device. It may
  /// be more than a probe measures, for example because a memory bank fills up during training.
  virtual std::vector<MemoryContribution> resident(const StepSettings& settings) const = 0;
  /// The time of a step in an arbitrary unit. Only ratios between batches and settings matter.
  virtual double relative_time(const Cost& cost, const StepSettings& settings) const = 0;
  /// The time of run(), divided by the time of a real step. It is above 1 if run() does work sequentially
  /// that a real step does in parallel.
  virtual double serialization_factor(const Cost& /*cost*/, const StepSettings& /*settings*/) const {
    return 1;
  }
  /// The number of tokens above which larger batches are not faster.
  virtual std::optional<TokenLimit> full_speed() const { return std::nullopt; }

  /// Runs a step over a batch of items of these sizes, as the real work does. With `accumulating`, processes
  /// the batch twice and makes one optimizer step. Throws the exceptions of the tensors if memory runs out.
  virtual void run(std::span<const ItemSize> batch, const StepSettings& settings,
                   AllocationTagger& marks) = 0;
};

}  // namespace molgauge::memory
