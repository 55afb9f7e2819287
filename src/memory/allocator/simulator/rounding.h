#pragma once

#include <cstdint>

#include "memory/allocator/simulator/allocator_settings.h"

namespace headroom::allocator {

// Constants of c10/cuda/CUDACachingAllocator.cpp.
inline constexpr std::uint64_t kSmallestBlock = 512;
inline constexpr std::uint64_t kLargestSmallRequest = kMebibyte;     ///< beyond it: the large pool
inline constexpr std::uint64_t kSmallSegment = 2 * kMebibyte;        ///< also a page of a small region
inline constexpr std::uint64_t kOwnSegmentRequest = 10 * kMebibyte;  ///< from here on a segment of its own
inline constexpr std::uint64_t kOwnSegmentRounding = 2 * kMebibyte;

/// The next of the `divisions` steps between the power of two below and the one above: 1200 with 4 divisions
/// is 1280. Powers of two stay.
std::uint64_t round_between_powers(std::uint64_t bytes, std::uint64_t divisions);

/// Bytes of the block for a request of `bytes`: a multiple of 512. If roundup_power2_divisions applies and
/// the request is larger than 512 bytes x divisions: a multiple of a fraction of the power of two below it.
std::uint64_t round_request(std::uint64_t bytes, const AllocatorSettings& settings);

/// Bytes to request from the driver for a rounded request that does not fit any cached block.
std::uint64_t segment_bytes(std::uint64_t rounded, const AllocatorSettings& settings);

}  // namespace headroom::allocator
