#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "headroom/memory_plan.h"
#include "memory/plan/cost.h"

namespace headroom::memory {

enum class Precision { fp32, bf16 };

/// The settings of a step that a planner can choose.
struct StepSettings {
  bool checkpointing = false;  ///< activations are computed again in the backward pass
  /// With checkpointing: parts of a batch that are worked on side by side; 0: one for each thread.
  std::size_t parts_at_once = 0;
  Precision precision = Precision::fp32;
  bool accumulating = false;  ///< several batches make one optimiser step
  bool operator==(const StepSettings&) const = default;
};

/// "checkpointing, bf16"; "plain" without either.
std::string to_string(const StepSettings& settings);

/// The use that memory is attributed to.
enum class AllocationTag { parameters, optimiser_state, gradients, activations, workspace, kept };
inline constexpr std::size_t kContributors = 6;
const char* to_string(AllocationTag contributor);

/// A step calls it to name the contributor of its next allocations; before the first call: activations.
class AllocationTagger {
 public:
  virtual ~AllocationTagger() = default;
  virtual void allocating(AllocationTag contributor) = 0;
};

/// A limit of the tokens in a batch that is lower than the limit of the memory, with its reason.
struct TokenLimit {
  std::uint64_t tokens = 0;  ///< padding counted
  std::string reason;        ///< "speed: batches of more than 2,048 atoms are no faster"
};

/// What a planner needs from an encoder or a trainer. The essential method runs a step; the memory that it
/// takes is measured on a few small batches (step_prober.h).
///
/// Contract of run(): the order and the sizes of its allocations and frees depend on nothing but the settings
/// and the cost of the batch.
class StepModel {
 public:
  virtual ~StepModel() = default;

  virtual std::string name() const = 0;
  /// The settings to choose from, the plainest first, without `accumulating`.
  virtual std::vector<StepSettings> variants() const { return {StepSettings{}}; }
  /// Whether several batches can make one optimiser step.
  virtual bool can_accumulate() const { return false; }

  /// Whether a step makes the same number of tensors in the same order for every batch, each of a size that
  /// follows from its cost. Its memory then follows from a few tiny batches, exactly; else it is fitted to
  /// peaks of batches up to the worst. False where a library chooses its algorithm, and its workspace, by the
  /// sizes of its input: on a CPU oneDNN computes products in bf16 in one way for small matrices, in another
  /// for large ones, and in others still on another CPU.
  virtual bool has_static_allocations(const StepSettings& /*settings*/) const { return true; }

  /// Sizes of items for probes, if smaller items are as informative as the items of the work. If empty, the
  /// sizes of the work are used.
  virtual std::vector<ItemSize> probe_items() const { return {}; }

  /// The cost of items together in one batch.
  virtual Cost cost(std::span<const ItemSize> batch) const { return packed_cost(batch); }
  /// Memory that is live whenever a step begins, by name: parameters, optimiser state, data on the device. It
  /// may be more than a probe finds (a bank that fills up during training).
  virtual std::vector<MemoryContribution> resident(const StepSettings& settings) const = 0;
  /// Time of a step in units of its own: only ratios between batches and settings count.
  virtual double relative_time(const Cost& cost, const StepSettings& settings) const = 0;
  /// The time of run() over the time of a step of the work, where run() does work sequentially that the
  /// real step does side by side.
  virtual double serialization_factor(const Cost& /*cost*/, const StepSettings& /*settings*/) const {
    return 1;
  }
  /// The limit beyond which larger batches are no faster.
  virtual std::optional<TokenLimit> full_speed() const { return std::nullopt; }

  /// Runs a step over a batch of items of these sizes, as the real work does; with `accumulating`, the batch
  /// twice and one optimiser step. Throws the exceptions of the tensors when memory runs out.
  virtual void run(std::span<const ItemSize> batch, const StepSettings& settings,
                   AllocationTagger& marks) = 0;
};

}  // namespace headroom::memory
