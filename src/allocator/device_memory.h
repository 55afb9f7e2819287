#pragma once

#include <cstdint>
#include <limits>

namespace headroom::allocator {

/// The driver's side of a simulated card: gives out memory until there is no more.
///
/// Addresses only rise and leave gaps, so that two segments never look like one. A real driver uses addresses
/// again; that matters only between free blocks of exactly one size, where the lowest address is taken.
class DeviceMemory {
 public:
  static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

  explicit DeviceMemory(std::uint64_t capacity) : capacity_(capacity) {}

  bool take(std::uint64_t bytes) {
    if (bytes > capacity_ - taken_) {
      return false;
    }
    taken_ += bytes;
    return true;
  }
  void give_back(std::uint64_t bytes) { taken_ -= bytes; }

  std::uint64_t reserve_addresses(std::uint64_t bytes) {
    const std::uint64_t address = next_address_;
    next_address_ = (next_address_ + bytes) / kAddressGap * kAddressGap + 2 * kAddressGap;
    return address;
  }

  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t taken() const { return taken_; }

 private:
  static constexpr std::uint64_t kAddressGap = std::uint64_t{2} << 20;
  std::uint64_t capacity_, taken_ = 0, next_address_ = std::uint64_t{1} << 40;
};

}  // namespace headroom::allocator
