#include "server/upload_slots.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace molgauge::serve {
namespace {

constexpr double kLeastRate = 32 * 1024;
constexpr std::chrono::milliseconds kSilence{50};
constexpr std::chrono::seconds kPeriod{1};
constexpr double kUnknown = std::numeric_limits<double>::infinity();

}  // namespace

UploadSlots::Slot::Slot(UploadSlots& slots, std::string client, ClientSide side, Clock::time_point now)
    : slots_(slots),
      client_(std::move(client)),
      side_(std::move(side)),
      heard_(now),
      period_began_(now),
      last_rate_(kUnknown) {
  place_ = slots_.slots_.insert(slots_.slots_.end(), this);
}

UploadSlots::Slot::~Slot() { slots_.slots_.erase(place_); }

void UploadSlots::Slot::received(std::uint64_t bytes, Clock::time_point now) {
  if (now - period_began_ >= kPeriod) {
    last_rate_ = rate(now);
    period_began_ = now;
    bytes_before_period_ = bytes_;
  }
  heard_ = bytes > bytes_ ? now : heard_;
  bytes_ = bytes;
}

bool UploadSlots::Slot::is_silent(Clock::time_point now) const { return now - heard_ >= kSilence; }

double UploadSlots::Slot::rate(Clock::time_point now) const {
  return now - period_began_ < kPeriod ? last_rate_
                                       : static_cast<double>(bytes_ - bytes_before_period_) /
                                             std::chrono::duration<double>(now - period_began_).count();
}

std::size_t UploadSlots::count(const std::string& client) const {
  return static_cast<std::size_t>(std::count_if(slots_.begin(), slots_.end(), [&](const Slot* slot) {
    return !slot->is_ended_ && (client.empty() || slot->client_ == client);
  }));
}

UploadSlots::Slot* UploadSlots::stalled(const std::string& client, Clock::time_point now) const {
  Slot* silent = nullptr;
  Slot* slowest = nullptr;
  for (Slot* const slot : slots_) {
    if (slot->is_ended_ || !(client.empty() || slot->client_ == client) || slot->side_.is_heard()) {
      continue;
    }
    if (slot->is_silent(now) && (silent == nullptr || slot->heard_ < silent->heard_)) {
      silent = slot;
    }
    if (slot->rate(now) < kLeastRate && (slowest == nullptr || slot->rate(now) < slowest->rate(now))) {
      slowest = slot;
    }
  }
  return silent != nullptr ? silent : slowest;
}

std::unique_ptr<UploadSlots::Slot> UploadSlots::take(const std::string& client, ClientSide side,
                                                     Clock::time_point now) {
  const bool is_at_own_limit = !client.empty() && count(client) >= std::max<std::size_t>(1, most_ / 2);
  if (is_at_own_limit || count("") >= most_) {
    Slot* const replaced = stalled(is_at_own_limit ? client : "", now);
    if (replaced == nullptr) {
      return nullptr;
    }
    replaced->is_ended_ = true;
    replaced->side_.end();
  }
  return std::make_unique<Slot>(*this, client, std::move(side), now);
}

}  // namespace molgauge::serve
