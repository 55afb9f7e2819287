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

/// Bytes of the block that a request of `bytes` gets: a multiple of 512, or of a fraction of the power of two
/// below it where
/// roundup_power2_divisions says so and the request is above 512 bytes x divisions.
std::uint64_t round_request(std::uint64_t bytes, const AllocatorSettings& settings);

/// Bytes asked of the driver for a request that was rounded and that no cached block can serve.
std::uint64_t segment_bytes(std::uint64_t rounded, const AllocatorSettings& settings);

}  // namespace headroom::allocator
