#include "serve/upload_slots.h"

#include <algorithm>
#include <utility>

namespace headroom::serve {

UploadSlots::Slot::Slot(UploadSlots& slots, std::string client) : slots_(&slots), client_(std::move(client)) {
  ++slots_->taken_;
  ++slots_->of_client_[client_];
}

UploadSlots::Slot::Slot(Slot&& other) noexcept
    : slots_(std::exchange(other.slots_, nullptr)), client_(std::move(other.client_)) {}

UploadSlots::Slot::~Slot() {
  if (slots_ == nullptr) {
    return;
  }
  --slots_->taken_;
  const auto found = slots_->of_client_.find(client_);
  if (found != slots_->of_client_.end() && --found->second == 0) {
    slots_->of_client_.erase(found);
  }
}

std::optional<UploadSlots::Slot> UploadSlots::take(const std::string& client) {
  const auto found = of_client_.find(client);
  const std::size_t own = found == of_client_.end() ? 0 : found->second;
  if (taken_ >= most_ || own >= std::max<std::size_t>(1, most_ / 2)) {
    return std::nullopt;
  }
  return std::make_optional<Slot>(*this, client);
}

}  // namespace headroom::serve
