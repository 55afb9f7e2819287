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

/// How a step is run: what can be chosen to make it fit.
struct StepSettings {
  bool checkpointing = false;  ///< activations are computed again in the backward pass
  /// With checkpointing: parts of a batch that are worked on side by side; 0: as many as there are threads.
  std::size_t parts_at_once = 0;
  Precision precision = Precision::fp32;
  bool accumulating = false;  ///< several batches make one optimiser step
  bool operator==(const StepSettings&) const = default;
};

/// "checkpointing, bf16"; "plain" without any.
std::string to_string(const StepSettings& settings);

/// Whom memory is attributed to.
enum class Contributor { parameters, optimiser_state, gradients, activations, workspace, kept };
inline constexpr std::size_t kContributors = 6;
const char* to_string(Contributor contributor);

/// Told by a step what it begins to allocate for; activations until it is told anything.
class StepMarks {
 public:
  virtual ~StepMarks() = default;
  virtual void allocating(Contributor contributor) = 0;
};

/// Tokens that a batch is not to exceed although memory might allow more, and why.
struct TokenLimit {
  std::uint64_t tokens = 0;  ///< padding counted
  std::string reason;        ///< "speed: batches of more than 2,048 atoms are no faster"
};

/// What the planner has to know of an encoder or a trainer. The one thing it must be able to do is to run a
/// step: what memory that takes is measured on a few small batches (step_prober.h), not written down.
///
/// Contract of run(): what it allocates and frees, in which order and of which sizes, depends on the settings
/// and the cost of the batch alone.
class StepModel {
 public:
  virtual ~StepModel() = default;

  virtual std::string name() const = 0;
  /// Settings that can be chosen from, the plainest first, without `accumulating`.
  virtual std::vector<StepSettings> variants() const { return {StepSettings{}}; }
  /// Whether several batches can make one optimiser step.
  virtual bool can_accumulate() const { return false; }

  /// Whether a step makes as many tensors in the same order whatever the batch, each of a size that follows
  /// from its cost. Its memory then follows from a few tiny batches, exactly; else it is fitted to the peaks
  /// of batches up to the worst. Say no where a library picks its own way, and workspace, by the sizes it is
  /// given: on a CPU products in bf16, which oneDNN computes in one way for small matrices, in another for
  /// large ones, and in others still on another CPU.
  virtual bool has_fixed_course(const StepSettings& /*settings*/) const { return true; }

  /// Sizes of items to probe with, where others tell as much for less than those of the work; none: those.
  virtual std::vector<ItemSize> probe_items() const { return {}; }

  /// What items cost together in one batch.
  virtual Cost cost(std::span<const ItemSize> batch) const { return packed_cost(batch); }
  /// What lives whenever a step begins, by name: parameters, optimiser state, data on the device. May be more
  /// than a probe finds (a bank that fills up as training goes on).
  virtual std::vector<MemoryContribution> resident(const StepSettings& settings) const = 0;
  /// Time of a step in units of its own: only ratios between batches and settings count.
  virtual double relative_time(const Cost& cost, const StepSettings& settings) const = 0;
  /// How many times as long run() takes as a step of the work, where it does one after the other what the
  /// work does side by side.
  virtual double probe_slowdown(const Cost& /*cost*/, const StepSettings& /*settings*/) const { return 1; }
  /// Beyond which nothing is gained.
  virtual std::optional<TokenLimit> full_speed() const { return std::nullopt; }

  /// Runs a step over a batch of items of these sizes, as the real work does; with `accumulating`, the batch
  /// twice and one optimiser step. Out of memory comes out as whatever the tensors throw.
  virtual void run(std::span<const ItemSize> batch, const StepSettings& settings, StepMarks& marks) = 0;
};

}  // namespace headroom::memory
