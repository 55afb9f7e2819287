#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace molgauge::allocator {

inline constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

/// Settings of the native CUDA caching allocator of PyTorch (PYTORCH_CUDA_ALLOC_CONF) that affect device
/// memory. The defaults are the same as in PyTorch.
struct AllocatorSettings {
  static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
  /// Number of intervals of request sizes. They begin at 0, 2 MiB, 4 MiB, 8 MiB, ..., 32 GiB.
  static constexpr std::size_t kRoundupIntervals = 16;

  // max_split_bytes and max_non_split_rounding_bytes are at least large_segment_bytes. No part of a segment
  // of large_segment_bytes is therefore larger than max_split_bytes.
  std::uint64_t max_split_bytes = kUnlimited;
  std::uint64_t max_non_split_rounding_bytes = 20 * kMebibyte;
  std::uint64_t large_segment_bytes = 20 * kMebibyte;
  /// Steps between two powers of two, for each interval. 0 and 1 mean that sizes are rounded to multiples of
  /// 512 bytes.
  std::array<std::uint64_t, kRoundupIntervals> roundup_divisions{};
  /// Share of the allowed memory above which old cached segments are released. 0 means never.
  double garbage_collection_threshold = 0;
  bool expandable_segments = false;
  /// Share of the card that this process may use. Garbage collection needs this setting.
  std::optional<double> memory_fraction;

  /// Known options without effect on a simulation, for example for pinned host memory.
  std::vector<std::string> without_effect;

  bool operator==(const AllocatorSettings&) const = default;
};

/// Parses "key:value,key:value" with lists such as "roundup_power2_divisions:[256:1,512:2,>:4]". As in
/// PyTorch, settings that are not in the text keep their defaults. Throws UsageError that names an option if
/// it is unknown, out of range, or selects a backend that is not simulated.
AllocatorSettings parse_allocator_settings(std::string_view text);

/// Bytes that a process may reserve on a card of `capacity` bytes.
std::uint64_t allowed_bytes(const AllocatorSettings& settings, std::uint64_t capacity);

}  // namespace molgauge::allocator
