#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "memory/plan/planner.h"
#include "memory/plan/step_model.h"
#include "memory/plan/step_prober.h"
#include "memory/plan/step_projection.h"

namespace headroom::memory {

/// One strategy to do the work: settings, and whether every effective batch is one batch or is cut into
/// batches that fit.
struct Strategy {
  StepSettings settings;
  bool is_whole = false;
  std::vector<ItemSize> worst_batch;  ///< of all passes: that of the largest items counts too
  std::uint64_t worst_peak = 0;
  bool fits = false;
  bool may_be_chosen = false;   ///< fits, and nothing speaks against it
  bool held_by_tokens = false;  ///< batches end at the limit of tokens, not where memory ends
  std::size_t most_items = 0;   ///< in one batch
  std::uint64_t most_tokens = 0;
  std::size_t batches = 0, batches_a_step = 1;
  double time = 0;  ///< of one pass, in the model's units
};

/// Enumerates the strategies for the work of a request.
class Strategies {
 public:
  /// All of them outlive this object.
  Strategies(StepModel& model, StepProber& prober, const PlanningRequest& request);

  /// Every strategy there is, the plainest first; those whose steps do not even run with one item are left
  /// out.
  std::vector<Strategy> enumerate();
  /// Runs the worst batch of a strategy where only that can tell. True if it was not what had been projected.
  bool confirm(const Strategy& strategy);

  const StepProjection& projection(const StepSettings& settings) const;
  /// Of the budget, what projections may use up.
  std::uint64_t limit_bytes(const StepSettings& settings) const;
  BatchBounds bounds() const;
  /// The lower of the model's and the request's; nothing: there is none.
  const std::optional<TokenLimit>& token_limit() const { return token_limit_; }

 private:
  bool fits(const StepSettings& settings, std::span<const ItemSize> batch) const;
  std::optional<Strategy> strategy_with(const StepSettings& settings, bool is_whole);
  void add(Strategy& strategy, std::span<const ItemSize> effective_batch, bool is_in_pass) const;

  StepModel& model_;
  StepProber& prober_;
  const PlanningRequest& request_;
  std::optional<TokenLimit> token_limit_;
  /// What is cut into batches by itself, of one pass: effective batches, windows. Each largest first.
  std::vector<std::vector<ItemSize>> pass_;
  std::vector<ItemSize> worst_effective_batch_;  ///< where there is none asked for: all items
  std::map<std::size_t, std::optional<StepProjection>> projections_;  ///< by key_of(settings)
};

}  // namespace headroom::memory
