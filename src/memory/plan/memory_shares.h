#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace headroom::memory {

/// The projected memory of a piece of work.
struct ShareSize {
  std::uint64_t own = 0;     ///< bytes of this piece alone
  std::string common = {};   ///< name of memory that several running pieces share
  std::uint64_t shared = 0;  ///< bytes of the shared memory
};

/// Lets pieces of work go side by side as far as their projected bytes fit together: first come, first
/// served, so that small pieces do not keep a large one waiting for ever. A piece that does not fit at all
/// runs when no other piece does. Thread-safe.
class MemoryShares {
 public:
  explicit MemoryShares(std::uint64_t bytes) : bytes_(bytes) {}

  /// Room for one piece, for as long as it lives. The MemoryShares must outlive it.
  class Share {
   public:
    /// Waits for its turn and for room.
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
  std::map<std::string, std::size_t> users_;  ///< running pieces, by the name of their shared memory
};

}  // namespace headroom::memory
