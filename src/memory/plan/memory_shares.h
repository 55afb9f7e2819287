#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace headroom::memory {

/// What a piece of work is projected to take.
struct ShareSize {
  std::uint64_t own = 0;     ///< bytes that nothing else uses
  std::string common = {};   ///< name of what pieces under way use together
  std::uint64_t shared = 0;  ///< bytes of that
};

/// Lets pieces of work go side by side as far as their projected bytes fit together: first come, first
/// served, so that a large piece is not kept waiting for ever by small ones. A piece that does not fit by
/// itself goes when nothing else does. Thread-safe.
class MemoryShares {
 public:
  explicit MemoryShares(std::uint64_t bytes) : bytes_(bytes) {}

  /// Room for one piece, for as long as it lives. Outlived by the shares.
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

  /// Bytes of the pieces under way.
  std::uint64_t taken() const;

 private:
  bool fits(const ShareSize& size) const;

  const std::uint64_t bytes_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t next_ticket_ = 0, served_ = 0;
  std::uint64_t taken_ = 0;
  std::map<std::string, std::size_t> users_;  ///< pieces under way, by what they use together
};

}  // namespace headroom::memory
