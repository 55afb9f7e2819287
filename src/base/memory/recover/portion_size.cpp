#include "base/memory/recover/portion_size.h"

#include <algorithm>
#include <utility>

namespace molgauge::memory {
namespace {

constexpr std::size_t kPatience = 32;
/// The size grows by one eighth at a time.
constexpr std::size_t kGrowthDivisor = 8;
constexpr double kFirstMargin = 0.125, kLargestMargin = 1.0;

std::uint64_t proportional(std::size_t units) { return units; }

}  // namespace

PortionSize::PortionSize(std::size_t planned, std::size_t smallest, ProjectedBytes projected)
    : planned_(std::max(planned, smallest)),
      smallest_(smallest),
      now_(planned_),
      projected_(projected ? std::move(projected) : proportional),
      patience_(kPatience) {}

void PortionSize::shrink(std::size_t units, const Shortage& shortage) {
  // If the portions had grown to the size that failed, waits longer before they grow again.
  if (std::exchange(has_grown_, false)) {
    patience_ *= 2;
  }
  successes_ = 0;
  const double room = adjust_scale(shortage) / static_cast<double>(shortage.portions);
  now_ = std::min(now_, largest_that_fits(units, room));
  ++in_a_row_;
}

/// Scales the projection up if it predicted that the work fits. Returns the available bytes.
double PortionSize::adjust_scale(const Shortage& shortage) {
  const auto projected = static_cast<double>(std::max<std::uint64_t>(1, shortage.projected));
  if (shortage.room == 0) {
    return projected * scale_ / 2;  // half of the projected bytes if nothing was measured
  }
  const auto room = static_cast<double>(shortage.room);
  if (projected * scale_ <= room) {
    const double margin =
        std::min(kLargestMargin,
                 kFirstMargin * static_cast<double>(std::size_t{1} << std::min<std::size_t>(in_a_row_, 8)));
    scale_ = std::max(room, static_cast<double>(shortage.needed)) / projected * (1 + margin);
  }
  return room;
}

std::size_t PortionSize::largest_that_fits(std::size_t below, double bytes) const {
  std::size_t fits = smallest_, too_large = std::max(below, smallest_ + 1);
  while (fits + 1 < too_large) {
    const std::size_t middle = fits + (too_large - fits) / 2;
    (static_cast<double>(projected_(middle)) * scale_ <= bytes ? fits : too_large) = middle;
  }
  return fits;
}

void PortionSize::succeeded(std::size_t units) {
  in_a_row_ = 0;
  if (now_ == planned_ || 2 * units < now_ || ++successes_ < patience_) {
    return;  // a portion much smaller than the current size does not show whether that size fits
  }
  now_ = std::min(planned_, now_ + std::max<std::size_t>(1, now_ / kGrowthDivisor));
  successes_ = 0;
  has_grown_ = true;
}

}  // namespace molgauge::memory
