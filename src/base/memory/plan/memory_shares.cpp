#include "base/memory/plan/memory_shares.h"

#include <utility>

namespace molgauge::memory {

bool MemoryShares::fits(const ShareSize& size) const {
  const std::uint64_t shared = users_.contains(size.common) ? 0 : size.shared;
  return users_.empty() || taken_ + size.own + shared <= bytes_;
}

MemoryShares::Share::Share(MemoryShares& shares, ShareSize size) : shares_(shares), size_(std::move(size)) {
  std::unique_lock lock(shares_.mutex_);
  const std::size_t ticket = shares_.next_ticket_++;
  shares_.changed_.wait(lock, [&] { return shares_.served_ == ticket && shares_.fits(size_); });
  ++shares_.served_;
  shares_.taken_ += size_.own;
  if (++shares_.users_[size_.common] == 1) {
    shares_.taken_ += size_.shared;
  }
  shares_.changed_.notify_all();
}

MemoryShares::Share::~Share() {
  const std::lock_guard lock(shares_.mutex_);
  shares_.taken_ -= size_.own;
  const auto users = shares_.users_.find(size_.common);
  if (--users->second == 0) {
    shares_.users_.erase(users);
    shares_.taken_ -= size_.shared;
  }
  shares_.changed_.notify_all();
}

std::uint64_t MemoryShares::taken() const {
  const std::lock_guard lock(mutex_);
  return taken_;
}

}  // namespace molgauge::memory
