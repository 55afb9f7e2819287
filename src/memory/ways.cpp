#include "memory/ways.h"

#include <algorithm>

#include "memory/batch_packing.h"

namespace headroom::memory {
namespace {

/// Left free where the projection is an envelope of measured peaks.
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

std::optional<AtomLimit> lower_of(const std::optional<AtomLimit>& one,
                                  const std::optional<AtomLimit>& other) {
  return !one || (other && other->atoms < one->atoms) ? other : one;
}

/// How many items in a row are cut into batches by themselves.
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

Ways::Ways(StepModel& model, StepProber& prober, const PlanningRequest& request)
    : model_(model),
      prober_(prober),
      request_(request),
      atom_limit_(lower_of(model.full_speed(), request.most_atoms)) {
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

const StepProjection& Ways::projection(const StepSettings& settings) const {
  return *projections_.at(key_of(settings));
}

std::uint64_t Ways::limit_bytes(const StepSettings& settings) const {
  const std::uint64_t budget = request_.budget_bytes;
  return projection(settings).is_exact()
             ? budget
             : static_cast<std::uint64_t>(static_cast<double>(budget) * (1 - kMarginOfEnvelope));
}

BatchBounds Ways::bounds() const {
  BatchBounds bounds{.items = request_.most_items};
  if (atom_limit_) {
    bounds.atoms = atom_limit_->atoms;
  }
  return bounds;
}

bool Ways::fits(const StepSettings& settings, std::span<const ItemSize> batch) const {
  const BatchLoad load = model_.load(batch);
  return (!request_.most_items || load.items <= *request_.most_items) &&
         (!atom_limit_ || load.atoms <= atom_limit_->atoms) &&
         projection(settings).peak_bytes(load) <= limit_bytes(settings);
}

std::vector<Way> Ways::look() {
  std::vector<Way> ways;
  const auto look_at_one = [&](const StepSettings& settings, bool is_whole) {
    if (auto way = look_at(settings, is_whole)) {
      ways.push_back(std::move(*way));
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
  return ways;
}

std::optional<Way> Ways::look_at(const StepSettings& settings, bool is_whole) {
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
  Way way;
  way.settings = settings;
  way.is_whole = is_whole;
  if (is_whole && request_.effective_batch == 0) {
    add(way, worst_effective_batch_, true);
  } else {
    for (const auto& group : pass_) {
      add(way, group, true);
    }
  }
  if (request_.effective_batch > 0) {
    add(way, worst_effective_batch_, false);  // another pass may have it
  }
  way.fits = way.worst_peak <= limit_bytes(settings);
  // To encode all at once when smaller batches are as fast would be to take memory for nothing.
  way.may_be_chosen =
      way.fits && (!is_whole || request_.effective_batch > 0 || fits(settings, way.worst_batch));
  return way;
}

void Ways::add(Way& way, std::span<const ItemSize> effective_batch, bool is_in_pass) const {
  const std::vector<std::size_t> counts =
      way.is_whole
          ? std::vector<std::size_t>{effective_batch.size()}
          : batch_counts(effective_batch, [&](std::span<const ItemSize> b) { return fits(way.settings, b); });
  way.batches_a_step = std::max(way.batches_a_step, counts.size());
  way.batches += is_in_pass ? counts.size() : 0;
  for (const std::size_t count : counts) {
    const auto batch = effective_batch.first(count);
    const BatchLoad load = model_.load(batch);
    const StepProjection& steps = projection(way.settings);
    way.time += is_in_pass ? model_.relative_time(load, way.settings) : 0;
    way.most_items = std::max(way.most_items, count);
    way.most_atoms = std::max(way.most_atoms, load.atoms);
    if (way.worst_batch.empty() || steps.peak_bytes(load) > way.worst_peak) {
      way.worst_peak = steps.peak_bytes(load);
      way.worst_batch.assign(batch.begin(), batch.end());
    }
    way.held_by_atoms =
        way.held_by_atoms ||
        (!way.is_whole && atom_limit_ && count < effective_batch.size() &&
         steps.peak_bytes(model_.load(effective_batch.first(count + 1))) <= limit_bytes(way.settings));
    effective_batch = effective_batch.subspan(count);
  }
}

bool Ways::confirm(const Way& way) {
  return prober_.confirm(way.worst_batch, way.settings, *projections_.at(key_of(way.settings)));
}

}  // namespace headroom::memory
