#include "memgauge/explain/cures.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "base/core/session/cancellation.h"
#include "base/core/text/bytes.h"
#include "memgauge/explain/setting_candidates.h"
#include "memgauge/recordings/recorded_phases.h"

namespace molgauge::allocator {
namespace {

/// A change cures waste if it reserves at most this share of the memory of the base run. A simulation differs
/// from the recording by at most 1 % (kSamePeak), so 5 % are a real difference.
constexpr double kWorthwhile = 0.95;

constexpr double kBatchShares[] = {0.9, 0.75, 0.5, 0.25};

/// Ratio of card memory to recorded capacity. The recorded capacity is the memory that the process could
/// reserve. The driver, the CUDA context and other processes use the rest of the card.
constexpr double kLargerCard = 1.15;

class CureTrials {
 public:
  CureTrials(const Recording& recording, const CureBase& base)
      : recording_(recording), base_(base), options_(base.options) {
    options_.stretch_ends.clear();
    options_.after_event = nullptr;
    if (base_.least_capacity) {
      ReplayOptions least = options_;
      least.capacity = *base_.least_capacity;
      at_least_ = replay(recording_, least);
    }
  }

  std::vector<MemoryCure> run() {
    try_settings();
    try_emptied_cache();
    try_emptied_start();
    try_larger_fraction();
    if (base_.result.run_out) {
      try_smaller_batches();  // only after a failure. Smaller batches waste less memory, but do not remove
                              // the cause of waste
    }
    std::stable_sort(cures_.begin(), cures_.end(), [](const MemoryCure& left, const MemoryCure& right) {
      if (left.is_cure != right.is_cure) {
        return left.is_cure;
      }
      if (left.is_setting != right.is_setting) {
        return left.is_setting;
      }
      return left.is_cure && left.peak_reserved_bytes < right.peak_reserved_bytes;
    });
    return std::move(cures_);
  }

 private:
  void try_settings() {
    for (auto& candidate : setting_candidates(recording_, base_.settings)) {
      ReplayOptions options = options_;
      options.settings = parse_allocator_settings(candidate.settings);
      MemoryCure& cure = attempt(candidate.change, options);
      cure.is_setting = true;
      cure.settings = std::move(candidate.settings);
      cure.remark = std::move(candidate.remark);
      if (cure.is_cure && candidate.is_share_of_card && !options.card && is_on_a_card()) {
        options.card = static_cast<std::uint64_t>(kLargerCard * static_cast<double>(options.capacity));
        if (!helps(replay(recording_, options), base_.result)) {
          withdraw(cure,
                   "it is a share of the card, and the size of the card is not recorded (give it with "
                   "--capacity)");
        }
      }
    }
  }

  void try_emptied_cache() {
    const auto phases = repeated_phases(recording_);
    if (phases.empty()) {
      return;
    }
    ReplayOptions options = options_;
    options.empty_cache_after_events.reserve(phases.size());
    for (const auto& phase : phases) {
      options.empty_cache_after_events.push_back(phase.last_event);
    }
    attempt(fmt::format("call torch.cuda.empty_cache() after each phase like '{}'", phases.front().name),
            options);
  }

  /// Tries to release the memory that was cached before the recording began.
  void try_emptied_start() {
    if (!begins_as_recorded(recording_, options_)) {
      return;
    }
    ReplayOptions options = options_;
    const std::size_t first = std::max<std::size_t>(recording_.residents, 1) - 1;
    options.empty_cache_after_events = {first};
    // Only the peak after the release counts.
    std::uint64_t peak = 0;
    options.after_event = [&](std::size_t event, const CachingAllocator& allocator) {
      peak = event < first ? 0 : std::max(peak, allocator.statistics().reserved.now);
    };
    attempt("call torch.cuda.empty_cache() where the recording begins", options, &peak);
    if (!cures_.back().is_cure) {
      cures_.pop_back();
    }
  }

  void try_larger_fraction() {
    if (!recording_.allowance || !base_.result.run_out || !recording_.capacity ||
        options_.capacity >= *recording_.capacity) {
      return;
    }
    ReplayOptions options = options_;
    options.capacity = *recording_.capacity;
    attempt("a larger share in torch.cuda.set_per_process_memory_fraction()", options);
  }

  /// Weights, gradients and optimizer state keep their size. Starts with the largest batch, and stops at the
  /// first batch that cures the failure.
  void try_smaller_batches() {
    for (const double share : kBatchShares) {
      ReplayOptions options = options_;
      options.change_request = [&, share](const MemoryEvent& event) {
        const bool follows = event.kind == EventKind::out_of_memory || base_.follows_batch[event.allocation];
        return follows ? static_cast<std::uint64_t>(share * static_cast<double>(event.bytes)) : event.bytes;
      };
      if (attempt(fmt::format("batches of {:.0f} % of the size", share * 100), options).is_cure) {
        return;
      }
    }
  }

  /// `peak`: if not null, its value after the replay replaces the reserved peak of the replay.
  MemoryCure& attempt(std::string change, const ReplayOptions& options, const std::uint64_t* peak = nullptr) {
    throw_if_cancelled();
    ReplayResult result = replay(recording_, options);
    if (peak != nullptr) {
      result.statistics.reserved.peak = *peak;
    }
    MemoryCure cure;
    cure.change = std::move(change);
    cure.is_setting = false;
    cure.peak_reserved_bytes = result.statistics.reserved.peak;
    cure.retries = result.statistics.retries;
    cure.is_on_a_card = is_on_a_card();
    if (result.run_out) {
      cure.run_out_event = result.run_out->event;
    }
    cure.is_cure = helps(result, base_.result);
    if (cure.is_cure && at_least_ && !holds_on_the_smallest_card(options)) {
      withdraw(cure, fmt::format("it does not on a card of {}, and the size of the card is only inferred",
                                 format_bytes(*base_.least_capacity)));
    }
    cures_.push_back(std::move(cure));
    return cures_.back();
  }

  static void withdraw(MemoryCure& cure, std::string doubt) {
    cure.is_cure = false;
    cure.doubt = std::move(doubt);
  }

  bool is_on_a_card() const { return options_.capacity != DeviceMemory::kUnlimited; }

  bool holds_on_the_smallest_card(ReplayOptions options) const {
    options.capacity = *base_.least_capacity;
    return helps(replay(recording_, options), *at_least_);
  }

  /// A change helps if it avoids the failure. If the base run did not fail, the change must reserve at least
  /// 5 % less memory. Alternatively, it must need fewer than half of the retries, which cost time, and must
  /// not reserve more memory.
  bool helps(const ReplayResult& result, const ReplayResult& base) const {
    if (result.run_out) {
      return false;
    }
    if (base_.result.run_out) {
      return true;
    }
    const auto reserved = static_cast<double>(result.statistics.reserved.peak);
    const auto reserved_before = static_cast<double>(base.statistics.reserved.peak);
    return reserved <= kWorthwhile * reserved_before ||
           (result.statistics.retries * 2 < base.statistics.retries && reserved <= reserved_before);
  }

  const Recording& recording_;
  const CureBase& base_;
  ReplayOptions options_;
  std::optional<ReplayResult> at_least_;  ///< the base run on a card of least_capacity bytes
  std::vector<MemoryCure> cures_;
};

}  // namespace

std::vector<MemoryCure> try_cures(const Recording& recording, const CureBase& base) {
  return CureTrials(recording, base).run();
}

}  // namespace molgauge::allocator
