#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace molgauge::memory {

/// The projected memory of a piece of work.
struct ShareSize {
  std::uint64_t own = 0;     ///< bytes of this piece only
  std::string common = {};   ///< name of memory that several running pieces share
  std::uint64_t shared = 0;  ///< bytes of the shared memory
};

/// Runs pieces of work in parallel while their projected bytes fit together. Pieces start in the order of
/// their requests, so small pieces cannot delay a large piece forever. A piece that never fits runs alone.
/// Thread-safe.
class MemoryShares {
 public:
  explicit MemoryShares(std::uint64_t bytes) : bytes_(bytes) {}

  /// Reserves the memory for one piece of work during the lifetime of the object. The MemoryShares must
  /// outlive it.
  class Share {
   public:
    /// Waits until this piece is first in line and its memory is available.
    Share(MemoryShares& shares, ShareSize size);
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

   private:
    MemoryShares& shares_;
    const ShareSize size_;
  };

  /// Bytes of all running pieces.
  std::uint64_t taken() const;

 private:
  bool fits(const ShareSize& size) const;

  const std::uint64_t bytes_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t next_ticket_ = 0, served_ = 0;
  std::uint64_t taken_ = 0;
  std::map<std::string, std::size_t> users_;  ///< number of running pieces, by the name of the shared memory
};

}  // namespace molgauge::memory
