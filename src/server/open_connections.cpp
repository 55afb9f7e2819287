#include "server/open_connections.h"

#include <utility>

namespace molgauge::serve {
namespace {

/// Maximum number of connections that have ended but are not destroyed yet. They are counted in addition to
/// the limit.
constexpr std::size_t kMaxEnding = 64;

}  // namespace

OpenConnections::Entry::Entry(OpenConnections& connections, ClientSide side)
    : connections_(connections), side_(std::move(side)) {
  place_ = connections_.entries_.insert(connections_.entries_.end(), this);
}

OpenConnections::Entry::~Entry() { connections_.entries_.erase(place_); }

void OpenConnections::Entry::wait_for_client(Clock::time_point now) {
  is_computing_ = false;
  since_ = now;
}

bool OpenConnections::make_room(bool& ended) {
  ended = false;
  if (entries_.size() < most_) {
    return true;
  }
  if (entries_.size() >= most_ + kMaxEnding) {
    return false;
  }
  Entry* chosen = nullptr;
  for (Entry* const entry : entries_) {
    const bool may_end = !entry->is_ended_ && !entry->is_computing_;
    if (may_end && (chosen == nullptr || entry->since_ < chosen->since_) && !entry->side_.is_heard()) {
      chosen = entry;
    }
  }
  if (chosen == nullptr) {
    return false;
  }
  chosen->is_ended_ = ended = true;
  chosen->side_.end();
  return true;
}

}  // namespace molgauge::serve
