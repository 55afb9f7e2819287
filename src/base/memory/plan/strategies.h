#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/memory/plan/planner.h"
#include "base/memory/plan/step_model.h"
#include "base/memory/plan/step_prober.h"
#include "base/memory/plan/step_projection.h"

namespace molgauge::memory {

/// A strategy for the work: settings, and whether an effective batch is processed whole or is divided into
/// batches that fit.
struct Strategy {
  StepSettings settings;
  bool is_whole = false;
  std::vector<ItemSize>
      worst_batch;  ///< worst batch of all passes, including the pass with the largest items
  std::uint64_t worst_peak = 0;
  bool fits = false;
  bool may_be_chosen = false;   ///< the strategy fits and is not excluded for another reason
  bool held_by_tokens = false;  ///< the limit on tokens, not the memory, limits batches
  std::size_t most_items = 0;   ///< maximum number of items in a batch
  std::uint64_t most_tokens = 0;
  std::size_t batches = 0, batches_a_step = 1;
  double time = 0;  ///< time of one pass, in the unit of StepModel::relative_time()
};

/// Enumerates the strategies for the work of a request.
class Strategies {
 public:
  /// The arguments must outlive this object.
  Strategies(StepModel& model, StepProber& prober, const PlanningRequest& request);

  /// All strategies, plainest first. Leaves out strategies whose steps fail even with a single item.
  std::vector<Strategy> enumerate();
  /// Runs the worst batch of a strategy if its memory was only estimated from probes. Returns true if the
  /// projection changed.
  bool confirm(const Strategy& strategy);

  const StepProjection& projection(const StepSettings& settings) const;
  /// Bytes of the budget that projections may use.
  std::uint64_t limit_bytes(const StepSettings& settings) const;
  BatchBounds bounds() const;
  /// Returns the limit of the model or of the request. If both have a limit, returns the lower one. If
  /// neither has a limit, returns nothing.
  const std::optional<TokenLimit>& token_limit() const { return token_limit_; }

 private:
  bool fits(const StepSettings& settings, std::span<const ItemSize> batch) const;
  std::optional<Strategy> strategy_with(const StepSettings& settings, bool is_whole);
  void add(Strategy& strategy, std::span<const ItemSize> effective_batch, bool is_in_pass) const;

  StepModel& model_;
  StepProber& prober_;
  const PlanningRequest& request_;
  std::optional<TokenLimit> token_limit_;
  /// The items of a pass in groups, which are divided into batches separately. A group is an effective batch
  /// or a window. Its largest items come first.
  std::vector<std::vector<ItemSize>> pass_;
  std::vector<ItemSize> worst_effective_batch_;  ///< all items if there is no effective batch
  std::map<std::size_t, std::optional<StepProjection>> projections_;  ///< projections by key_of(settings)
};

}  // namespace molgauge::memory
