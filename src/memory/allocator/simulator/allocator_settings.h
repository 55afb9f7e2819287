#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::allocator {

inline constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

/// Settings of PyTorch's native CUDA caching allocator (PYTORCH_CUDA_ALLOC_CONF), as far as they affect
/// the use of device memory. Defaults are PyTorch's.
struct AllocatorSettings {
  static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
  /// Intervals: 1 MiB and less, 2 MiB, ..., 32 GiB and more.
  static constexpr std::size_t kRoundupIntervals = 16;

  // The first two are at least the third, so that no part of such a segment is above max_split_bytes.
  std::uint64_t max_split_bytes = kUnlimited;
  std::uint64_t max_non_split_rounding_bytes = 20 * kMebibyte;
  std::uint64_t large_segment_bytes = 20 * kMebibyte;
  /// Steps between a power of two and the next, for each interval; 0 and 1: multiples of 512 bytes.
  std::array<std::uint64_t, kRoundupIntervals> roundup_divisions{};
  /// Old cached segments are released above this share of what the process may use; 0: never.
  double garbage_collection_threshold = 0;
  bool expandable_segments = false;
  /// Share of the card that this process may use. Garbage is collected only if it is set.
  std::optional<double> memory_fraction;

  /// Known options that do not affect a simulation (pinned host memory and the like).
  std::vector<std::string> without_effect;

  bool operator==(const AllocatorSettings&) const = default;
};

/// Reads "key:value,key:value"; lists as in "roundup_power2_divisions:[256:1,512:2,>:4]". As in PyTorch, a
/// text changes the defaults. Throws UsageError naming the option: unknown, out of range, or a backend
/// that is not simulated.
AllocatorSettings parse_allocator_settings(std::string_view text);

/// Bytes that one process may reserve on a card of `capacity` bytes.
std::uint64_t allowed_bytes(const AllocatorSettings& settings, std::uint64_t capacity);

}  // namespace headroom::allocator
