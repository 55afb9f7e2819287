#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace headroom::allocator {

/// The driver of a simulated card. It gives out memory and addresses until none are left.
///
/// Addresses rise and leave gaps, so two segments are never adjacent. A returned address serves the next
/// request of the same size. Real drivers choose other addresses. This matters only between free blocks of
/// equal size, because the allocator takes the lowest address. If a recording contains the addresses that the
/// driver chose, they are used.
class DeviceMemory {
 public:
  /// More than any card has.
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

  /// Takes memory that is already in use, at its addresses.
  void occupy(std::uint64_t address, std::uint64_t bytes);
  /// Adds the next address that the driver chose for this many bytes. It is skipped if another segment is
  /// there.
  void declare_requirement(std::uint64_t address, std::uint64_t bytes) {
    declared_[bytes].push_back(address);
  }

  /// Returns 0 when there are no addresses left.
  std::uint64_t reserve_addresses(std::uint64_t bytes);
  void release_addresses(std::uint64_t address, std::uint64_t bytes);

  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t taken() const { return taken_; }

 private:
  bool is_free(std::uint64_t address, std::uint64_t bytes) const;
  std::uint64_t foreseen_address(std::uint64_t bytes);
  std::uint64_t own_address(std::uint64_t bytes);

  std::uint64_t capacity_, taken_ = 0, next_address_ = std::uint64_t{1} << 40;
  std::map<std::uint64_t, std::uint64_t> given_;                  ///< bytes, by address
  std::map<std::uint64_t, std::vector<std::uint64_t>> released_;  ///< by bytes
  std::map<std::uint64_t, std::deque<std::uint64_t>> declared_;   ///< by bytes
};

}  // namespace headroom::allocator
