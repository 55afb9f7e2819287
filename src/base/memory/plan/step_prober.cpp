#include "base/memory/plan/step_prober.h"

#include <algorithm>
#include <cmath>

#include "base/core/text/duration.h"
#include "base/memory/measure/machine_memory.h"

namespace molgauge::memory {
namespace {

/// Batches of 2 to 5 items that differ in every term: large, medium, small and mixed items. Each number is a
/// quantile of the item sizes.
const std::vector<std::vector<double>> kSmallBatches = {
    {1.0, 0.97}, {0.5, 0.6, 0.4}, {0.0, 0.1, 0.2, 0.3, 0.05}, {0.9, 0.7, 0.3, 0.1}};

/// Batches of a single item, used if the small batches do not fit.
const std::vector<std::vector<double>> kSingleItems = {{1.0}, {0.0}, {0.5}, {0.75}};
constexpr std::size_t kTapesNeeded = 3;

/// After the probes with one and two items, each probe has this many times the items of the previous probe.
constexpr std::size_t kRung = 4;
/// Maximum number of probes that are used. Only the probes with the highest peaks are used, because much
/// smaller batches give little information about the wanted batch.
constexpr std::size_t kRungsKept = 8;
/// Limits for a step that is run only to find a sufficient budget. The step must not need more than this
/// number of bytes, or more than this share of the free memory of the machine.
constexpr double kMaxToLearn = 192.0 * (1 << 20), kShareToLearn = 0.5;
constexpr double kAgreement = 0.01;

bool by_size(const ItemSize& one, const ItemSize& other) {
  return one.tokens != other.tokens ? one.tokens < other.tokens : one.pairs < other.pairs;
}

}  // namespace

StepProber::StepProber(StepModel& model, AllocationMeter& meter, std::uint64_t outside_bytes,
                       std::uint64_t budget_bytes, std::span<const ItemSize> items,
                       std::optional<std::size_t> whole_batch)
    : model_(model),
      meter_(meter),
      outside_bytes_(outside_bytes),
      budget_bytes_(budget_bytes),
      smallest_first_(model.probe_items()),
      whole_batch_(whole_batch) {
  if (smallest_first_.empty()) {
    smallest_first_.assign(items.begin(), items.end());
  }
  std::sort(smallest_first_.begin(), smallest_first_.end(), by_size);
  largest_first_.assign(smallest_first_.rbegin(), smallest_first_.rend());
}

std::optional<ProbedStep> StepProber::probe(std::span<const ItemSize> batch, const StepSettings& settings) {
  ++probes_;
  ProbedStep probed;
  probed.cost = model_.cost(batch);
  probed.resident_bytes = meter_.allocated_bytes() - std::min(meter_.allocated_bytes(), outside_bytes_);
  const std::uint64_t refusals = meter_.refusals();
  const AllocationLimit limit(meter_,
                              is_limited_ ? outside_bytes_ + budget_bytes_ : AllocationMeter::kNoLimit);
  meter_.reset_peak();
  StepTape tape(meter_);
  const Stopwatch watch;
  try {
    model_.run(batch, settings, tape);
  } catch (...) {
    if (meter_.refusals() == refusals) {
      throw;  // only an out-of-memory error is handled here
    }
    return std::nullopt;
  }
  probed.seconds = watch.seconds();
  // Memory outside of the plan may have been freed since `outside_bytes_` was counted. The minimum keeps the
  // peak from becoming negative.
  probed.peak_bytes = meter_.peak_bytes() - std::min(meter_.peak_bytes(), outside_bytes_);
  probed.events = tape.take_events();
  if (probed.peak_bytes >= timed_peak_) {
    timed_peak_ = probed.peak_bytes;
    const double batches = settings.accumulating ? 2 : 1;
    seconds_a_unit_ = probed.seconds / batches / model_.serialization_factor(probed.cost, settings) /
                      model_.relative_time(probed.cost, settings);
  }
  return probed;
}

std::vector<ItemSize> StepProber::at_quantiles(std::span<const double> quantiles) const {
  std::vector<ItemSize> batch;
  for (const double quantile : quantiles) {
    const double place = quantile * static_cast<double>(smallest_first_.size() - 1);
    batch.push_back(smallest_first_[static_cast<std::size_t>(std::lround(place))]);
  }
  return batch;
}

std::vector<ProbedStep> StepProber::probe_small(const StepSettings& settings) {
  std::vector<ProbedStep> probed;
  // The first step allocates memory that later steps reuse, such as gradients. Its measurement is therefore
  // not used.
  if (!probe(at_quantiles(kSingleItems[1]), settings)) {
    return probed;
  }
  for (const auto* batches : {&kSmallBatches, &kSingleItems}) {
    for (const std::vector<double>& quantiles : *batches) {
      auto step = probe(at_quantiles(quantiles), settings);
      if (step) {
        probed.push_back(std::move(*step));
      }
    }
    if (probed.size() >= kTapesNeeded) {
      break;
    }
  }
  return probed;
}

std::size_t StepProber::most_items() const {
  return std::min(whole_batch_.value_or(smallest_first_.size()), smallest_first_.size());
}

std::span<const ItemSize> StepProber::largest_batch() const {
  return std::span(largest_first_).first(most_items());
}

void StepProber::climb(const StepSettings& settings,
                       const std::function<std::span<const ItemSize>(std::size_t)>& first,
                       std::vector<ProbedStep>& probed) {
  const std::size_t top = most_items();
  const double most_to_learn =
      std::min(kMaxToLearn, kShareToLearn * static_cast<double>(machine_memory().available));
  std::uint64_t resident = 0;
  double bytes = 0, bytes_an_item = 0;  // bytes of the last probe, and bytes of one more item
  std::size_t last = 0;
  for (std::size_t count = 1; count < kRung * top; count *= count == 1 ? 2 : kRung) {
    const std::size_t items = std::min(count, top);
    const double next = bytes + bytes_an_item * static_cast<double>(items - last);
    const bool is_within = static_cast<double>(resident) + next <= static_cast<double>(budget_bytes_);
    // Two probes are run even without a limit, because one probe does not show how memory grows with the
    // batch.
    if (!is_within && (is_limited_ || (count > 2 && next > most_to_learn))) {
      return;
    }
    auto step = probe(first(items), settings);
    if (!step) {
      return;
    }
    resident = step->resident_bytes;
    const auto now = static_cast<double>(step->peak_bytes - step->resident_bytes);
    bytes_an_item = std::max(0.0, now - bytes) / static_cast<double>(items - last);
    bytes = now;
    last = items;
    step->events.clear();
    probed.push_back(std::move(*step));
  }
}

std::vector<ProbedStep> StepProber::probe_ladder(const StepSettings& settings) {
  std::vector<ProbedStep> probed;
  if (!probe(std::span(smallest_first_).first(1), settings)) {
    return probed;
  }
  if (whole_batch_ && is_limited_) {
    // A batch that cannot be cut is measured as a whole. A projection from small batches would overestimate
    // its memory, because the batch is processed in parts.
    if (auto whole = probe(largest_batch(), settings)) {
      whole->events.clear();
      probed.push_back(std::move(*whole));
      return probed;
    }
  }
  climb(
      settings, [&](std::size_t count) { return std::span<const ItemSize>(smallest_first_).first(count); },
      probed);
  if (whole_batch_ && !probed.empty() && probed.back().cost == model_.cost(largest_batch())) {
    return {std::move(probed.back())};  // the batch itself was measured, so no projection is needed
  }
  if (by_size(smallest_first_.front(), largest_first_.front())) {
    climb(
        settings, [&](std::size_t count) { return std::span<const ItemSize>(largest_first_).first(count); },
        probed);
  }
  std::sort(probed.begin(), probed.end(),
            [](const auto& one, const auto& other) { return one.peak_bytes > other.peak_bytes; });
  probed.resize(std::min(probed.size(), kRungsKept));
  return probed;
}

std::optional<StepProjection> StepProber::project(const StepSettings& settings) {
  const auto known =
      std::find_if(exact_.begin(), exact_.end(), [&](const auto& entry) { return entry.first == settings; });
  if (known != exact_.end()) {
    return known->second;
  }
  std::optional<StepProjection> projection = measure(settings);
  if (projection && projection->is_exact()) {
    exact_.emplace_back(settings, *projection);
  }
  return projection;
}

std::optional<StepProjection> StepProber::measure(const StepSettings& settings) {
  std::optional<StepProjection> projection;
  if (model_.has_static_allocations(settings)) {
    projection = StepProjection::from_tapes(probe_small(settings));
  }
  if (!projection) {
    std::vector<ProbedStep> probed = probe_ladder(settings);
    if (probed.empty()) {
      return std::nullopt;
    }
    projection = StepProjection::from_peaks(probed);
    ladders_.emplace_back(settings, std::move(probed));
  }
  projection->raise_resident_to(named_resident_bytes(settings));
  return projection;
}

std::uint64_t StepProber::named_resident_bytes(const StepSettings& settings) const {
  std::uint64_t bytes = 0;
  for (const MemoryContribution& part : model_.resident(settings)) {
    bytes += part.bytes;
  }
  return bytes;
}

bool StepProber::confirm(std::span<const ItemSize> batch, const StepSettings& settings,
                         StepProjection& projection) {
  const auto ladder = std::find_if(ladders_.begin(), ladders_.end(),
                                   [&](const auto& entry) { return entry.first == settings; });
  if (ladder == ladders_.end()) {
    return false;
  }
  const auto projected = static_cast<double>(projection.peak_bytes(model_.cost(batch)));
  const auto step = probe(batch, settings);
  if (!step) {
    projection.raise_to(model_.cost(batch), budget_bytes_ + budget_bytes_ / kRung);
    return true;
  }
  // Resident bytes that the model reports, but that were not live during the probe.
  const std::uint64_t absent =
      projection.resident_bytes() - std::min(projection.resident_bytes(), step->resident_bytes);
  const double off = static_cast<double>(step->peak_bytes + absent) / projected - 1;
  if (off <= 0 && off >= -kAgreement) {
    return false;
  }
  ladder->second.push_back(*step);
  ladder->second.back().events.clear();
  projection = StepProjection::from_peaks(ladder->second);
  projection.raise_resident_to(named_resident_bytes(settings));
  return true;
}

}  // namespace molgauge::memory
