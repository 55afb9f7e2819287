#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace molgauge::allocator {

/// The driver of a simulated card. It hands out memory and addresses until no memory is left.
///
/// Addresses increase and leave gaps, so two segments are never adjacent. A released address is reused for
/// the next request of the same size. Real drivers choose other addresses. The difference matters only if
/// several free blocks have equal size, because the allocator then takes the lowest address. If a recording
/// contains the real addresses, these are used.
class DeviceMemory {
 public:
  /// More than the memory of any card.
  static constexpr std::uint64_t kUnlimited = std::uint64_t{1} << 60;

  explicit DeviceMemory(std::uint64_t capacity) : capacity_(capacity) {}

  bool take(std::uint64_t bytes) {
    if (bytes > capacity_ - taken_) {
      return false;
    }
    taken_ += bytes;
    return true;
  }
  void give_back(std::uint64_t bytes) { taken_ -= bytes; }

  /// Marks memory at a given address as in use.
  void occupy(std::uint64_t address, std::uint64_t bytes);
  /// Adds the next recorded address for this size. The address is skipped if another segment already uses it.
  void declare_requirement(std::uint64_t address, std::uint64_t bytes) {
    declared_[bytes].push_back(address);
  }

  /// Returns 0 if no addresses are left.
  std::uint64_t reserve_addresses(std::uint64_t bytes);
  void release_addresses(std::uint64_t address, std::uint64_t bytes);

  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t taken() const { return taken_; }

 private:
  bool is_free(std::uint64_t address, std::uint64_t bytes) const;
  std::uint64_t foreseen_address(std::uint64_t bytes);
  std::uint64_t own_address(std::uint64_t bytes);

  std::uint64_t capacity_, taken_ = 0, next_address_ = std::uint64_t{1} << 40;
  std::map<std::uint64_t, std::uint64_t> given_;                  ///< memory size in bytes at each address
  std::map<std::uint64_t, std::vector<std::uint64_t>> released_;  ///< released addresses for each size
  std::map<std::uint64_t, std::deque<std::uint64_t>> declared_;   ///< recorded addresses for each size
};

}  // namespace molgauge::allocator
