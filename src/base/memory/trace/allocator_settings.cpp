#include "base/memory/trace/allocator_settings.h"

#include <algorithm>
#include <bit>
#include <limits>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/memory/trace/settings_text.h"

namespace molgauge::allocator {
namespace {

using Divisions = std::array<std::uint64_t, AllocatorSettings::kRoundupIntervals>;

[[noreturn]] void refuse(const std::string& key, const std::string& reason) {
  throw UsageError(fmt::format("allocator setting {}: {}", key, reason));
}

std::uint64_t mebibytes(const SettingText& setting, std::uint64_t smallest) {
  const std::uint64_t count = whole_number(setting.key, setting.value);
  if (count < smallest || count > std::numeric_limits<std::uint64_t>::max() / kMebibyte) {
    refuse(setting.key, fmt::format("{} MiB is out of range. The smallest is {}", count, smallest));
  }
  return count * kMebibyte;
}

std::uint64_t divisions(const std::string& key, const std::string& value) {
  const std::uint64_t count = whole_number(key, value);
  if (count != 0 && !std::has_single_bit(count)) {
    refuse(key, fmt::format("{} is neither 0 nor a power of two", count));
  }
  return count;
}

/// Converts the setting to the divisions of each interval. The first entry also applies to the smaller
/// intervals. The entry ">" applies to the intervals after the last boundary.
Divisions roundup_table(const SettingText& setting) {
  Divisions table{};
  if (!setting.is_list) {
    table.fill(divisions(setting.key, setting.value));
    return table;
  }
  std::size_t next = 0;  // index of the interval after the last boundary
  for (const auto& [boundary, value] : setting.list) {
    const std::uint64_t count = divisions(setting.key, value);
    if (boundary == ">") {
      std::fill(table.begin() + static_cast<std::ptrdiff_t>(next), table.end(), count);
      continue;
    }
    const std::uint64_t size = whole_number(setting.key, boundary);
    if (!std::has_single_bit(size)) {
      refuse(setting.key, fmt::format("the boundary {} is not a power of two", size));
    }
    const std::size_t interval = std::min(static_cast<std::size_t>(std::countr_zero(size)), table.size() - 1);
    if (next == 0) {
      std::fill_n(table.begin(), interval, count);
    }
    table.at(interval) = count;
    next = interval + 1;
  }
  return table;
}

bool concerns_no_device_memory(const std::string& key) {
  return key.starts_with("pinned_") || key == "release_lock_on_cudamalloc" ||
         key == "release_lock_on_hipmalloc" || key == "graph_capture_record_stream_reuse" ||
         key == "throw_on_cudamalloc_oom" || key == "use_cuda_host_register";
}

double checked_share(const SettingText& setting) {
  const double value = share(setting.key, setting.value);
  if (!(value > 0 && value <= 1)) {
    refuse(setting.key, fmt::format("{} is not above 0 and at most 1", setting.value));
  }
  return value;
}

void apply(const SettingText& setting, AllocatorSettings& settings) {
  const std::string& key = setting.key;
  if (setting.is_list && key != "roundup_power2_divisions") {
    refuse(key, "takes a single value, not a list");
  }
  if (key == "max_split_size_mb") {
    settings.max_split_bytes = mebibytes(setting, settings.large_segment_bytes / kMebibyte);
  } else if (key == "max_non_split_rounding_mb") {
    settings.max_non_split_rounding_bytes = mebibytes(setting, settings.large_segment_bytes / kMebibyte);
  } else if (key == "large_segment_size_mb") {
    settings.large_segment_bytes = mebibytes(setting, 10);
  } else if (key == "roundup_power2_divisions") {
    settings.roundup_divisions = roundup_table(setting);
  } else if (key == "garbage_collection_threshold") {
    settings.garbage_collection_threshold = checked_share(setting);
  } else if (key == "per_process_memory_fraction") {
    settings.memory_fraction = checked_share(setting);
  } else if (key == "expandable_segments") {
    settings.expandable_segments = truth(key, setting.value);
  } else if (key == "backend") {
    if (setting.value != "native") {
      refuse(key, fmt::format("'{}' cannot be simulated, only native", setting.value));
    }
  } else if (concerns_no_device_memory(key)) {
    settings.without_effect.push_back(key);
  } else {
    refuse(key,
           "is unknown. Available: backend, expandable_segments, garbage_collection_threshold, "
           "large_segment_size_mb, max_non_split_rounding_mb, max_split_size_mb, per_process_memory_fraction "
           "and roundup_power2_divisions");
  }
}

}  // namespace

AllocatorSettings parse_allocator_settings(std::string_view text) {
  AllocatorSettings settings;
  const auto all = split_settings(text);
  const auto apply_where = [&](bool is_segment_size) {
    for (const auto& setting : all) {
      if ((setting.key == "large_segment_size_mb") == is_segment_size) {
        apply(setting, settings);
      }
    }
  };
  // large_segment_size is applied first, independent of its position, because it is the lower limit of other
  // sizes.
  apply_where(true);
  settings.max_non_split_rounding_bytes = settings.large_segment_bytes;
  apply_where(false);
  return settings;
}

std::uint64_t allowed_bytes(const AllocatorSettings& settings, std::uint64_t capacity) {
  const double fraction = settings.memory_fraction.value_or(1.0);
  return fraction < 1.0 ? static_cast<std::uint64_t>(fraction * static_cast<double>(capacity)) : capacity;
}

}  // namespace molgauge::allocator
