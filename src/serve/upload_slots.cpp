#include "serve/upload_slots.h"

#include <algorithm>
#include <utility>

namespace headroom::serve {
namespace {

constexpr double kLeastRate = 32 * 1024;
constexpr std::chrono::seconds kGrace{1};

}  // namespace

UploadSlots::Slot::Slot(UploadSlots& slots, std::string client, std::function<void()> end)
    : slots_(slots), client_(std::move(client)), end_(std::move(end)) {
  place_ = slots_.slots_.insert(slots_.slots_.end(), this);
}

UploadSlots::Slot::~Slot() { slots_.slots_.erase(place_); }

double UploadSlots::Slot::rate(Clock::time_point now) const {
  return static_cast<double>(bytes_) / std::chrono::duration<double>(now - begun_).count();
}

std::unique_ptr<UploadSlots::Slot> UploadSlots::take(const std::string& client, std::function<void()> end,
                                                     Clock::time_point now) {
  std::size_t all = 0, own = 0;
  for (const Slot* const slot : slots_) {
    all += slot->is_ended_ ? 0 : 1;
    own += !slot->is_ended_ && slot->client_ == client ? 1 : 0;
  }
  const bool is_own_limit = own >= std::max<std::size_t>(1, most_ / 2);
  if (is_own_limit || all >= most_) {
    Slot* slowest = nullptr;
    for (Slot* const slot : slots_) {
      const bool may_end = !slot->is_ended_ && (!is_own_limit || slot->client_ == client) &&
                           now - slot->begun_ >= kGrace && slot->rate(now) < kLeastRate;
      if (may_end && (slowest == nullptr || slot->rate(now) < slowest->rate(now))) {
        slowest = slot;
      }
    }
    if (slowest == nullptr) {
      return nullptr;
    }
    slowest->is_ended_ = true;
    slowest->end_();
  }
  return std::make_unique<Slot>(*this, client, std::move(end));
}

}  // namespace headroom::serve
