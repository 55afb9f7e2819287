#include "memgauge/simulator/rounding.h"

#include <algorithm>
#include <bit>

namespace molgauge::allocator {
namespace {

std::uint64_t up_to_multiple(std::uint64_t bytes, std::uint64_t step) {
  return (bytes + step - 1) / step * step;
}

std::uint64_t divisions_for(std::uint64_t bytes, const AllocatorSettings& settings) {
  const int interval = static_cast<int>(std::bit_width(bytes)) - 1 - 20;  // intervals start at 1 MiB = 2^20
  return settings.roundup_divisions.at(
      static_cast<std::size_t>(std::clamp<int>(interval, 0, AllocatorSettings::kRoundupIntervals - 1)));
}

}  // namespace

std::uint64_t round_between_powers(std::uint64_t bytes, std::uint64_t divisions) {
  if (std::has_single_bit(bytes)) {
    return bytes;
  }
  const std::uint64_t step = std::bit_floor(bytes) / divisions;
  return step == 0 ? std::bit_ceil(bytes) : up_to_multiple(bytes, step);
}

std::uint64_t round_request(std::uint64_t bytes, const AllocatorSettings& settings) {
  if (bytes < kSmallestBlock) {
    return kSmallestBlock;
  }
  const std::uint64_t divisions = divisions_for(bytes, settings);
  if (divisions > 1 && bytes > kSmallestBlock * divisions) {
    return round_between_powers(bytes, divisions);
  }
  return up_to_multiple(bytes, kSmallestBlock);
}

std::uint64_t segment_bytes(std::uint64_t rounded, const AllocatorSettings& settings) {
  if (rounded <= kLargestSmallRequest) {
    return kSmallSegment;
  }
  if (rounded < kOwnSegmentRequest) {
    return settings.large_segment_bytes;
  }
  return up_to_multiple(rounded, kOwnSegmentRounding);
}

}  // namespace molgauge::allocator
