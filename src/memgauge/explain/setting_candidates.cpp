#include "memgauge/explain/setting_candidates.h"

#include <string_view>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/memory/trace/allocator_settings.h"
#include "base/memory/trace/settings_text.h"

namespace molgauge::allocator {
namespace {

constexpr const char* kExpandable = "expandable_segments";
constexpr const char* kRoundup = "roundup_power2_divisions";
constexpr const char* kMaxSplit = "max_split_size_mb";
constexpr const char* kThreshold = "garbage_collection_threshold";
constexpr const char* kFraction = "per_process_memory_fraction";

struct Addition {
  const char* key;
  const char* value;
};

/// Settings that are tried. kRoundup rounds requests up to few sizes, which has the same effect as padding
/// batches to size buckets.
constexpr Addition kAdditions[] = {{kExpandable, "True"}, {kRoundup, "16"},   {kRoundup, "8"},
                                   {kRoundup, "4"},       {kMaxSplit, "64"},  {kMaxSplit, "128"},
                                   {kMaxSplit, "256"},    {kMaxSplit, "512"}, {kThreshold, "0.8"}};

/// The first version of PyTorch that knows the setting. Earlier versions refuse it.
const char* first_version(std::string_view key) {
  return key == kExpandable ? "2.1" : key == kMaxSplit ? "1.10" : "1.12";
}

SettingText setting(std::string key, std::string value) {
  return {std::move(key), std::move(value), {}, false};
}

/// The old name of the variable works in all versions. The CUDA allocator of PyTorch 2.9 does not read the
/// new name, PYTORCH_ALLOC_CONF.
const char* variable_of(const Recording& recording) {
  return recording.platform == Platform::rocm ? "PYTORCH_HIP_ALLOC_CONF" : "PYTORCH_CUDA_ALLOC_CONF";
}

std::string remark_on(const Addition& addition) {
  std::string remark = fmt::format("from PyTorch {}", first_version(addition.key));
  if (addition.key == std::string_view(kExpandable)) {
    remark += ". Not for tensors that are shared between processes";
  }
  return remark;
}

class Candidates {
 public:
  Candidates(const Recording& recording, const std::string& settings)
      : recording_(recording), own_(split_settings(settings)), parsed_(parse_allocator_settings(settings)) {}

  std::vector<SettingCandidate> all() {
    for (const Addition& addition : kAdditions) {
      if (is_possible(addition)) {
        add(addition);
      }
    }
    return std::move(found_);
  }

 private:
  bool is_possible(const Addition& addition) const {
    const std::string_view key = addition.key;
    if (recording_.platform == Platform::xpu) {
      return false;
    }
    if (key == kExpandable) {
      return recording_.platform == Platform::cuda && !recording_.on_windows;
    }
    // max_split_size_mb and garbage_collection_threshold have no effect on expandable segments.
    return !(parsed_.expandable_segments && (key == kMaxSplit || key == kThreshold));
  }

  void add(const Addition& addition) {
    auto settings = own_;
    replace_setting(settings, setting(addition.key, addition.value));
    if (addition.key == std::string_view(kExpandable)) {
      remove_setting(settings, kMaxSplit);
      remove_setting(settings, kThreshold);
    }
    SettingCandidate candidate;
    candidate.change = fmt::format("{}={}", variable_of(recording_), joined_settings(settings));
    candidate.remark = remark_on(addition);
    if (addition.key == std::string_view(kThreshold)) {
      candidate.is_share_of_card = true;
      if (!parsed_.memory_fraction) {
        // The setting for the fraction needs PyTorch 2.10. The function with the same effect exists in all
        // versions.
        replace_setting(settings, setting(kFraction, "1.0"));
        candidate.change += ", with torch.cuda.set_per_process_memory_fraction(1.0) in the program";
      }
    }
    if (addition.key == std::string_view(kRoundup)) {
      candidate.change +=
          fmt::format(" (or pad batches to size buckets, {} between two powers of two)", addition.value);
    }
    candidate.settings = joined_settings(settings);
    try {
      if (parse_allocator_settings(candidate.settings) == parsed_) {
        return;  // the program already has these settings
      }
    } catch (const UsageError&) {
      return;  // PyTorch also refuses these settings, for example if one of them is a size below
               // large_segment_size_mb
    }
    found_.push_back(std::move(candidate));
  }

  const Recording& recording_;
  std::vector<SettingText> own_;
  AllocatorSettings parsed_;
  std::vector<SettingCandidate> found_;
};

}  // namespace

std::vector<SettingCandidate> setting_candidates(const Recording& recording, const std::string& settings) {
  return Candidates(recording, settings).all();
}

std::string settings_left_out(const Recording& recording) {
  if (recording.platform == Platform::xpu) {
    return "no setting is proposed, because Molgauge simulates only settings of the CUDA allocator";
  }
  if (recording.on_windows) {
    return "expandable_segments is not proposed, because PyTorch ignores it on Windows";
  }
  return recording.platform == Platform::rocm
             ? "expandable_segments is not proposed, because builds of PyTorch for ROCm ignore it"
             : "";
}

}  // namespace molgauge::allocator
