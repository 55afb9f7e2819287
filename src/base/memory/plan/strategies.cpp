#include "base/memory/plan/strategies.h"

#include <algorithm>

#include "base/memory/plan/batch_packing.h"

namespace molgauge::memory {
namespace {

/// Share of the budget that stays free if a projection is estimated from measured peaks.
constexpr double kMarginOfEnvelope = 0.01;

std::size_t key_of(const StepSettings& settings) {
  return (settings.checkpointing ? 1 : 0) + (settings.precision == Precision::bf16 ? 2 : 0) +
         (settings.accumulating ? 4 : 0) + 8 * settings.parts_at_once;
}

std::vector<ItemSize> sorted_largest_first(std::span<const ItemSize> items) {
  std::vector<ItemSize> sorted;
  for (const std::size_t index : largest_first(items)) {
    sorted.push_back(items[index]);
  }
  return sorted;
}

std::optional<TokenLimit> lower_of(const std::optional<TokenLimit>& one,
                                   const std::optional<TokenLimit>& other) {
  return !one || (other && other->tokens < one->tokens) ? other : one;
}

/// For each group, the number of consecutive items that are cut into batches together.
std::vector<std::size_t> groups_of(const PlanningRequest& request) {
  if (request.effective_batch == 0 && !request.windows.empty()) {
    return request.windows;
  }
  const std::size_t all = request.items.size();
  const std::size_t size = request.effective_batch == 0 ? all : request.effective_batch;
  std::vector<std::size_t> groups;
  for (std::size_t first = 0; first < all; first += size) {
    groups.push_back(std::min(size, all - first));
  }
  return groups;
}

}  // namespace

Strategies::Strategies(StepModel& model, StepProber& prober, const PlanningRequest& request)
    : model_(model),
      prober_(prober),
      request_(request),
      token_limit_(lower_of(model.full_speed(), request.most_tokens)) {
  std::span<const ItemSize> rest(request.items);
  for (const std::size_t count : groups_of(request)) {
    pass_.push_back(sorted_largest_first(rest.first(count)));
    rest = rest.subspan(count);
  }
  worst_effective_batch_ = sorted_largest_first(request.items);
  if (request.effective_batch > 0) {
    worst_effective_batch_.resize(std::min(request.effective_batch, request.items.size()));
  }
}

const StepProjection& Strategies::projection(const StepSettings& settings) const {
  return *projections_.at(key_of(settings));
}

std::uint64_t Strategies::limit_bytes(const StepSettings& settings) const {
  const std::uint64_t budget = request_.budget_bytes;
  return projection(settings).is_exact()
             ? budget
             : static_cast<std::uint64_t>(static_cast<double>(budget) * (1 - kMarginOfEnvelope));
}

BatchBounds Strategies::bounds() const {
  BatchBounds bounds{.items = request_.most_items};
  if (token_limit_) {
    bounds.tokens = token_limit_->tokens;
  }
  return bounds;
}

bool Strategies::fits(const StepSettings& settings, std::span<const ItemSize> batch) const {
  const Cost cost = model_.cost(batch);
  return (!request_.most_items || cost.items <= *request_.most_items) &&
         (!token_limit_ || cost.padded <= token_limit_->tokens) &&
         projection(settings).peak_bytes(cost) <= limit_bytes(settings);
}

std::vector<Strategy> Strategies::enumerate() {
  std::vector<Strategy> strategies;
  const auto look_at_one = [&](const StepSettings& settings, bool is_whole) {
    if (auto strategy = strategy_with(settings, is_whole)) {
      strategies.push_back(std::move(*strategy));
    }
  };
  for (const StepSettings& variant : model_.variants()) {
    if (request_.checkpointing.value_or(variant.checkpointing) != variant.checkpointing ||
        request_.precision.value_or(variant.precision) != variant.precision) {
      continue;
    }
    look_at_one(variant, true);
    if (request_.effective_batch == 0) {
      look_at_one(variant, false);
    } else if (model_.can_accumulate()) {
      StepSettings accumulating = variant;
      accumulating.accumulating = true;
      look_at_one(accumulating, false);
    }
  }
  return strategies;
}

std::optional<Strategy> Strategies::strategy_with(const StepSettings& settings, bool is_whole) {
  auto known = projections_.find(key_of(settings));
  if (known == projections_.end()) {
    known = projections_.emplace(key_of(settings), std::nullopt).first;
  }
  if (!known->second) {
    known->second = prober_.project(settings);
  }
  if (!known->second) {
    return std::nullopt;
  }
  Strategy strategy;
  strategy.settings = settings;
  strategy.is_whole = is_whole;
  if (is_whole && request_.effective_batch == 0) {
    add(strategy, worst_effective_batch_, true);
  } else {
    for (const auto& group : pass_) {
      add(strategy, group, true);
    }
  }
  if (request_.effective_batch > 0) {
    add(strategy, worst_effective_batch_, false);  // another pass over the data may contain the worst batch
  }
  strategy.fits = strategy.worst_peak <= limit_bytes(settings);
  // A single batch of all items must also keep the limits of the other batches. Above the token limit, a
  // batch needs more memory and is not faster.
  strategy.may_be_chosen =
      strategy.fits && (!is_whole || request_.effective_batch > 0 || fits(settings, strategy.worst_batch));
  return strategy;
}

void Strategies::add(Strategy& strategy, std::span<const ItemSize> effective_batch, bool is_in_pass) const {
  const std::vector<std::size_t> counts =
      strategy.is_whole ? std::vector<std::size_t>{effective_batch.size()}
                        : batch_counts(effective_batch, [&](std::span<const ItemSize> b) {
                            return fits(strategy.settings, b);
                          });
  strategy.batches_a_step = std::max(strategy.batches_a_step, counts.size());
  strategy.batches += is_in_pass ? counts.size() : 0;
  for (const std::size_t count : counts) {
    const auto batch = effective_batch.first(count);
    const Cost cost = model_.cost(batch);
    const StepProjection& steps = projection(strategy.settings);
    strategy.time += is_in_pass ? model_.relative_time(cost, strategy.settings) : 0;
    strategy.most_items = std::max(strategy.most_items, count);
    strategy.most_tokens = std::max(strategy.most_tokens, cost.padded);
    if (strategy.worst_batch.empty() || steps.peak_bytes(cost) > strategy.worst_peak) {
      strategy.worst_peak = steps.peak_bytes(cost);
      strategy.worst_batch.assign(batch.begin(), batch.end());
    }
    strategy.held_by_tokens =
        strategy.held_by_tokens ||
        (!strategy.is_whole && token_limit_ && count < effective_batch.size() &&
         steps.peak_bytes(model_.cost(effective_batch.first(count + 1))) <= limit_bytes(strategy.settings));
    effective_batch = effective_batch.subspan(count);
  }
}

bool Strategies::confirm(const Strategy& strategy) {
  return prober_.confirm(strategy.worst_batch, strategy.settings,
                         *projections_.at(key_of(strategy.settings)));
}

}  // namespace molgauge::memory
