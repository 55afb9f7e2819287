#include "base/memory/plan/step_projection.h"

#include <algorithm>
#include <cmath>

namespace molgauge::memory {
namespace {

bool same_course(const ProbedStep& one, const ProbedStep& other) {
  return std::equal(one.events.begin(), one.events.end(), other.events.begin(), other.events.end(),
                    [](const TapeEvent& a, const TapeEvent& b) {
                      return a.is_free == b.is_free && a.allocation == b.allocation &&
                             a.contributor == b.contributor;
                    });
}

std::vector<Cost> costs_of(std::span<const ProbedStep> probes) {
  std::vector<Cost> costs;
  for (const ProbedStep& probe : probes) {
    costs.push_back(probe.cost);
  }
  return costs;
}

std::uint64_t rounded(double bytes) { return static_cast<std::uint64_t>(std::llround(std::max(0.0, bytes))); }

}  // namespace

void StepTape::allocated(std::uintptr_t address, std::uint64_t bytes) {
  if (before_ != nullptr) {
    before_->allocated(address, bytes);
  }
  const std::lock_guard lock(mutex_);
  events_.push_back({false, allocations_, bytes, contributor_});
  living_[address] = {allocations_++, contributor_};
}

void StepTape::freed(std::uintptr_t address, std::uint64_t bytes) {
  if (before_ != nullptr) {
    before_->freed(address, bytes);
  }
  const std::lock_guard lock(mutex_);
  const auto living = living_.find(address);
  if (living == living_.end()) {
    events_.push_back({true, TapeEvent::kResident, bytes, AllocationTag::kept});
    return;
  }
  events_.push_back({true, living->second.allocation, bytes, living->second.contributor});
  living_.erase(living);
}

void StepTape::refused(std::uint64_t bytes) {
  if (before_ != nullptr) {
    before_->refused(bytes);
  }
}

void StepTape::allocating(AllocationTag contributor) {
  const std::lock_guard lock(mutex_);
  contributor_ = contributor;
}

std::optional<StepProjection> StepProjection::from_tapes(std::span<const ProbedStep> probes) {
  if (probes.size() < 3 ||
      !std::all_of(probes.begin(), probes.end(), [&](const auto& p) { return same_course(p, probes[0]); })) {
    return std::nullopt;
  }
  const std::vector<Cost> costs = costs_of(probes);
  StepProjection projection;
  projection.is_exact_ = true;
  std::vector<CostFormula> formulas;  // one entry for each allocation
  std::vector<std::uint64_t> sizes(probes.size());
  Moment now;
  for (std::size_t e = 0; e < probes[0].events.size(); ++e) {
    const TapeEvent& event = probes[0].events[e];
    CostFormula size;
    if (event.is_free && event.allocation != TapeEvent::kResident) {
      size = formulas[event.allocation];
    } else {
      std::transform(probes.begin(), probes.end(), sizes.begin(),
                     [&](const ProbedStep& probe) { return probe.events[e].bytes; });
      const auto explained = explain_sizes(costs, sizes);
      projection.is_exact_ = projection.is_exact_ && explained;
      size = explained ? *explained : cover_sizes(costs, sizes);
    }
    CostFormula& share = now.by[static_cast<std::size_t>(event.contributor)];
    if (event.is_free) {
      now.total -= size;
      share -= size;
      continue;
    }
    formulas.push_back(size);
    now.total += size;
    share += size;
    const bool still_rises = e + 1 < probes[0].events.size() && !probes[0].events[e + 1].is_free;
    if (!still_rises) {
      projection.moments_.push_back(now);
    }
  }
  projection.moments_.emplace_back();  // the state before the step begins
  for (const ProbedStep& probe : probes) {
    projection.resident_bytes_ = std::max(projection.resident_bytes_, probe.resident_bytes);
  }
  projection.drop_dominated();
  return projection;
}

StepProjection StepProjection::from_peaks(std::span<const ProbedStep> probes) {
  StepProjection projection;
  projection.resident_bytes_ = probes[0].resident_bytes;
  for (const ProbedStep& probe : probes) {
    projection.resident_bytes_ = std::min(projection.resident_bytes_, probe.resident_bytes);
  }
  std::vector<std::uint64_t> sizes;
  for (const ProbedStep& probe : probes) {
    sizes.push_back(probe.peak_bytes - projection.resident_bytes_);
  }
  Moment& moment = projection.moments_.emplace_back();
  moment.total = cover_sizes(costs_of(probes), sizes);
  moment.by[static_cast<std::size_t>(AllocationTag::activations)] = moment.total;
  return projection;
}

void StepProjection::drop_dominated() {
  std::vector<Moment> kept;
  for (const Moment& moment : moments_) {
    const auto is_lower = [&](const Moment& other) { return other.total.dominates(moment.total); };
    if (std::any_of(kept.begin(), kept.end(), is_lower)) {
      continue;
    }
    std::erase_if(kept, [&](const Moment& other) { return moment.total.dominates(other.total); });
    kept.push_back(moment);
  }
  moments_ = std::move(kept);
}

const StepProjection::Moment& StepProjection::highest(const Cost& cost) const {
  return *std::max_element(moments_.begin(), moments_.end(), [&](const Moment& one, const Moment& other) {
    return one.total.at(cost) < other.total.at(cost);
  });
}

std::uint64_t StepProjection::peak_bytes(const Cost& cost) const {
  return resident_bytes_ + rounded(raise_ * highest(cost).total.at(cost));
}

std::array<std::uint64_t, kContributors> StepProjection::held_bytes(const Cost& cost) const {
  const Moment& moment = highest(cost);
  std::array<std::uint64_t, kContributors> bytes = {};
  for (std::size_t i = 0; i < kContributors; ++i) {
    bytes[i] = rounded(raise_ * moment.by[i].at(cost));
  }
  // The formula of a resident tensor that has been freed by this moment is negative.
  const auto kept = static_cast<std::size_t>(AllocationTag::kept);
  bytes[kept] = rounded(static_cast<double>(resident_bytes_) + moment.by[kept].at(cost));
  return bytes;
}

void StepProjection::raise_to(const Cost& cost, std::uint64_t peak_bytes) {
  const double projected = highest(cost).total.at(cost);
  if (peak_bytes > resident_bytes_ && projected > 0) {
    raise_ = std::max(raise_, static_cast<double>(peak_bytes - resident_bytes_) / projected);
  }
}

}  // namespace molgauge::memory
