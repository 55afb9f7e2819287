#include "memgauge/simulator/device_memory.h"

#include <algorithm>
#include <iterator>

namespace molgauge::allocator {
namespace {

constexpr std::uint64_t kGap = std::uint64_t{2} << 20;  // distance between regions, which is also the
                                                        // alignment of addresses
constexpr std::uint64_t kEndOfAddresses = std::uint64_t{1} << 63;

}  // namespace

void DeviceMemory::occupy(std::uint64_t address, std::uint64_t bytes) {
  taken_ += std::min(bytes, capacity_ - taken_);
  given_.emplace(address, bytes);
}

bool DeviceMemory::is_free(std::uint64_t address, std::uint64_t bytes) const {
  const auto after = given_.lower_bound(address);
  if (after != given_.end() && after->first - address < bytes) {
    return false;
  }
  return after == given_.begin() || address - std::prev(after)->first >= std::prev(after)->second;
}

std::uint64_t DeviceMemory::reserve_addresses(std::uint64_t bytes) {
  std::uint64_t address = foreseen_address(bytes);
  if (address == 0) {
    address = own_address(bytes);
  }
  if (address != 0) {
    given_.emplace(address, bytes);
  }
  return address;
}

std::uint64_t DeviceMemory::foreseen_address(std::uint64_t bytes) {
  const auto same = declared_.find(bytes);
  if (same == declared_.end()) {
    return 0;
  }
  std::uint64_t address = 0;
  while (address == 0 && !same->second.empty()) {
    address = is_free(same->second.front(), bytes) ? same->second.front() : 0;
    same->second.pop_front();
  }
  return address;
}

std::uint64_t DeviceMemory::own_address(std::uint64_t bytes) {
  const auto same = released_.find(bytes);
  while (same != released_.end() && !same->second.empty()) {
    const std::uint64_t address = same->second.back();
    same->second.pop_back();
    if (is_free(address, bytes)) {
      return address;
    }
  }
  while (next_address_ < kEndOfAddresses - 2 * kGap && bytes <= kEndOfAddresses - 2 * kGap - next_address_) {
    const std::uint64_t address = next_address_;
    if (is_free(address, bytes)) {
      next_address_ = (next_address_ + bytes) / kGap * kGap + 2 * kGap;
      return address;
    }
    // Another segment uses this address. Continue after that segment.
    const auto after = given_.lower_bound(address + bytes);
    const auto& [taken, length] = *std::prev(after);
    if (length > kEndOfAddresses || taken > kEndOfAddresses - length) {
      return 0;
    }
    next_address_ = (taken + length) / kGap * kGap + 2 * kGap;
  }
  return 0;
}

void DeviceMemory::release_addresses(std::uint64_t address, std::uint64_t bytes) {
  given_.erase(address);
  released_[bytes].push_back(address);
}

}  // namespace molgauge::allocator
