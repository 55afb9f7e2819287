#include "memory/allocator/explain/cures.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "core/cancellation.h"
#include "core/error.h"
#include "memory/allocator/recordings/recorded_phases.h"
#include "memory/allocator/simulator/settings_text.h"

namespace headroom::allocator {
namespace {

/// Up to this share of the reserved memory, a setting counts as a cure of waste.
constexpr double kWorthwhile = 0.95;

/// Settings to try. Rounding up to few sizes has the effect of padding batches to size buckets in the
/// program.
constexpr const char* kSettings[] = {"expandable_segments:True",
                                     "roundup_power2_divisions:16",
                                     "roundup_power2_divisions:8",
                                     "roundup_power2_divisions:4",
                                     "max_split_size_mb:64",
                                     "max_split_size_mb:128",
                                     "max_split_size_mb:256",
                                     "max_split_size_mb:512",
                                     "per_process_memory_fraction:1.0,garbage_collection_threshold:0.8"};

constexpr const char* kFraction = "per_process_memory_fraction";

constexpr double kBatchShares[] = {0.9, 0.75, 0.5, 0.25};

class CureTrials {
 public:
  CureTrials(const Recording& recording, const ReplayOptions& base, const std::string& settings,
             const ReplayResult& base_result)
      : recording_(recording), base_(base), settings_(settings), base_result_(base_result) {
    base_.stretch_ends.clear();
  }

  std::vector<MemoryCure> run() {
    try_settings();
    try_emptied_cache();
    if (base_result_.run_out) {
      try_smaller_batches();  // smaller batches waste less memory, but do not cure the waste
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
    for (const std::string addition : kSettings) {
      const std::string key = addition.substr(0, addition.find(':'));
      if (settings_.find(key) != std::string::npos) {
        continue;  // the program has this option already
      }
      const std::string text = with_addition(addition);
      ReplayOptions options = base_;
      // Under other settings the memory at the beginning would have been placed differently.
      options.from_start_state = false;
      try {
        options.settings = parse_allocator_settings(text);
      } catch (const UsageError&) {
        continue;  // PyTorch refuses it, too: smaller than the program's large segments
      }
      std::string change = "PYTORCH_CUDA_ALLOC_CONF=" + text;
      if (addition.starts_with("roundup")) {
        change += fmt::format(" (or pad batches to size buckets, {} between two powers of two)",
                              addition.substr(addition.find(':') + 1));
      }
      attempt(std::move(change), true, options);
    }
  }

  /// PyTorch advises against expandable segments together with the others; the memory fraction is kept.
  std::string with_addition(const std::string& addition) const {
    if (!addition.starts_with("expandable")) {
      return settings_.empty() ? addition : settings_ + "," + addition;
    }
    std::string kept;
    for (const auto& setting : split_settings(settings_)) {
      kept += setting.key == kFraction ? setting.key + ":" + setting.value + "," : "";
    }
    return kept + addition;
  }

  void try_emptied_cache() {
    const auto phases = repeated_phases(recording_);
    if (phases.empty()) {
      return;
    }
    ReplayOptions options = base_;
    options.empty_cache_after_events.reserve(phases.size());
    for (const auto& phase : phases) {
      options.empty_cache_after_events.push_back(phase.last_event);
    }
    attempt(fmt::format("call torch.cuda.empty_cache() after each phase like '{}'", phases.front().name),
            false, options);
  }

  /// Memory that is freed within the recording scales with the batch; permanent memory (weights, optimiser
  /// state) does not. Tried from the largest batch down to the first that cures.
  void try_smaller_batches() {
    std::vector<bool> dies(recording_.allocations, false);
    for (const auto& event : recording_.events) {
      if (event.kind == EventKind::free || event.kind == EventKind::request_free) {
        dies[event.allocation] = true;
      }
    }
    for (const double share : kBatchShares) {
      ReplayOptions options = base_;
      options.change_request = [&dies, share](const MemoryEvent& event) {
        const bool follows_the_batch = event.kind == EventKind::out_of_memory || dies[event.allocation];
        return follows_the_batch ? static_cast<std::uint64_t>(share * static_cast<double>(event.bytes))
                                 : event.bytes;
      };
      attempt(fmt::format("batches of {:.0f} % of the size", share * 100), false, options);
      if (cures_.back().is_cure) {
        return;
      }
    }
  }

  void attempt(std::string change, bool is_setting, const ReplayOptions& options) {
    throw_if_cancelled();
    const ReplayResult result = replay(recording_, options);
    MemoryCure cure;
    cure.change = std::move(change);
    cure.is_setting = is_setting;
    cure.peak_reserved_bytes = result.statistics.reserved.peak;
    cure.retries = result.statistics.retries;
    if (result.run_out) {
      cure.run_out_event = result.run_out->event;
    }
    cure.is_cure = !result.run_out && (base_result_.run_out.has_value() || is_worthwhile(cure));
    cures_.push_back(std::move(cure));
  }

  /// For a run that fits: less is reserved, or the cache is released less often, which costs time.
  bool is_worthwhile(const MemoryCure& cure) const {
    const auto& base = base_result_.statistics;
    return static_cast<double>(cure.peak_reserved_bytes) <=
               kWorthwhile * static_cast<double>(base.reserved.peak) ||
           cure.retries * 2 < base.retries;
  }

  const Recording& recording_;
  ReplayOptions base_;
  const std::string& settings_;
  const ReplayResult& base_result_;
  std::vector<MemoryCure> cures_;
};

}  // namespace

std::vector<MemoryCure> try_cures(const Recording& recording, const ReplayOptions& base,
                                  const std::string& settings, const ReplayResult& base_result) {
  return CureTrials(recording, base, settings, base_result).run();
}

}  // namespace headroom::allocator
