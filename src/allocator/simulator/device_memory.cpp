#include "allocator/simulator/device_memory.h"

#include <algorithm>

namespace headroom::allocator {
namespace {

constexpr std::uint64_t kGap = std::uint64_t{2} << 20;  // also what addresses are multiples of
constexpr std::uint64_t kEndOfAddresses = std::uint64_t{1} << 63;

}  // namespace

void DeviceMemory::occupy(std::uint64_t address, std::uint64_t bytes) {
  taken_ += std::min(bytes, capacity_ - taken_);
  if (address < kEndOfAddresses && bytes < kEndOfAddresses - address) {
    next_address_ = std::max(next_address_, (address + bytes) / kGap * kGap + 2 * kGap);
  }
}

std::uint64_t DeviceMemory::reserve_addresses(std::uint64_t bytes) {
  if (const auto same = released_.find(bytes); same != released_.end()) {
    const std::uint64_t address = same->second.back();
    same->second.pop_back();
    if (same->second.empty()) {
      released_.erase(same);
    }
    return address;
  }
  if (bytes > kEndOfAddresses - next_address_ - 2 * kGap) {
    return 0;
  }
  const std::uint64_t address = next_address_;
  next_address_ = (next_address_ + bytes) / kGap * kGap + 2 * kGap;
  return address;
}

}  // namespace headroom::allocator
