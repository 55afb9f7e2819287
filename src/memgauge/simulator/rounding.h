#pragma once

#include <cstdint>

#include "base/memory/trace/allocator_settings.h"

namespace molgauge::allocator {

// Constants of c10/cuda/CUDACachingAllocator.cpp.
inline constexpr std::uint64_t kSmallestBlock = 512;
inline constexpr std::uint64_t kLargestSmallRequest = kMebibyte;  ///< larger requests use the large pool
inline constexpr std::uint64_t kSmallSegment =
    2 * kMebibyte;  ///< also the page size of a small expandable segment
inline constexpr std::uint64_t kOwnSegmentRequest =
    10 * kMebibyte;  ///< a request of at least this size gets its own segment
inline constexpr std::uint64_t kOwnSegmentRounding = 2 * kMebibyte;

/// Rounds up to one of `divisions` equal steps between two powers of two: 1200 with 4 divisions becomes 1280.
/// Powers of two are unchanged.
std::uint64_t round_between_powers(std::uint64_t bytes, std::uint64_t divisions);

/// Returns the block size for a request, which is a multiple of 512 bytes. If roundup_power2_divisions
/// applies and the request is above 512 bytes x divisions, the size is a multiple of p / divisions. p is the
/// highest power of two that is not above the request.
std::uint64_t round_request(std::uint64_t bytes, const AllocatorSettings& settings);

/// The bytes to request from the driver if no cached block fits the rounded request.
std::uint64_t segment_bytes(std::uint64_t rounded, const AllocatorSettings& settings);

}  // namespace molgauge::allocator
