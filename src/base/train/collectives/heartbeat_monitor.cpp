#include "base/train/collectives/heartbeat_monitor.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/core/session/cancellation.h"
#include "base/train/collectives/shared_store.h"
#include "base/train/collectives/waiting.h"

namespace molgauge::train {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr Seconds kBetweenSigns{0.5}, kBetweenLooks{0.05};
/// Time to find the failed process and to tell the others.
constexpr double kSecondsToFind = 4, kSecondsToTell = 4;

constexpr const char* kDeparture = "departure";
std::string sign_of(std::size_t rank) { return fmt::format("sign/{}", rank); }
std::string presence_of(std::size_t rank) { return fmt::format("present/{}", rank); }
constexpr const char* kTold = "told";

std::string as_text(const PeerFailure& departure) {
  return fmt::format("{}{}{}", departure.was_stopped ? 's' : 'f', departure.rank, '\n' + departure.reason);
}

PeerFailure departure_in(const std::string& text) {
  const std::size_t line = text.find('\n');
  return {.rank = std::stoul(text.substr(1, line - 1)),
          .reason = text.substr(line + 1),
          .was_stopped = text.front() == 's'};
}

std::string text_of(const PeerFailure& departure, std::size_t processes) {
  if (departure.reason.empty()) {
    return fmt::format("process {} of {} is gone: it was killed, or its machine cannot be reached",
                       departure.rank, processes);
  }
  return fmt::format("process {} of {} has ended: {}", departure.rank, processes, departure.reason);
}

}  // namespace

ProcessLost::ProcessLost(PeerFailure departure, std::size_t processes)
    : Error(text_of(departure, processes)), departure_(std::move(departure)) {}

struct HeartbeatMonitor::State {
  std::shared_ptr<SharedStore> store;
  Launch launch;
  double patience = 0;

  mutable std::mutex mutex;
  std::condition_variable changed;
  bool is_stopping = false, has_ended = false;
  bool is_store_lost = false;
  std::uint64_t rounds = 0;         ///< number of completed checks of all heartbeats
  std::vector<std::int64_t> signs;  ///< last known heartbeat count of each process
  std::vector<double> silences;     ///< seconds since each heartbeat count changed
  std::optional<PeerFailure> departure;

  /// The function that the thread runs.
  void watch();
  void round(double elapsed);
  /// Tells all processes that process `gone` has left. Only the first report is kept.
  void name(const PeerFailure& gone);
};

void HeartbeatMonitor::State::name(const PeerFailure& gone) {
  PeerFailure first = gone;
  try {
    first = departure_in(store->set_once(kDeparture, as_text(gone)));
  } catch (const Error&) {
    first = launch.rank == 0 ? gone : PeerFailure{};
  }
  const std::lock_guard lock(mutex);
  if (!departure) {
    departure = first;
  }
  changed.notify_all();
}

void HeartbeatMonitor::State::round(double elapsed) {
  store->add(sign_of(launch.rank), 1);
  std::optional<PeerFailure> named;
  if (store->has(kDeparture)) {
    named = departure_in(store->get(kDeparture));
  }
  std::optional<std::size_t> silent;
  for (std::size_t rank = 0; rank < launch.processes; ++rank) {
    const std::int64_t sign = store->add(sign_of(rank), 0);
    const std::lock_guard lock(mutex);
    silences[rank] = sign == signs[rank] ? silences[rank] + elapsed : 0;
    signs[rank] = sign;
    if (sign > 0 && silences[rank] > patience) {
      silent = rank;
    }
  }
  if (silent && !named) {
    name({*silent, fmt::format("no sign of life for {:.0f} seconds", patience), false});
  }
  const std::lock_guard lock(mutex);
  ++rounds;
  if (named && !departure) {
    departure = named;
  }
  changed.notify_all();
}

void HeartbeatMonitor::State::watch() {
  double last = 0;
  for (Waiting waiting;;) {
    const double now = waiting.seconds();
    try {
      round(now - std::exchange(last, now));
    } catch (const std::exception&) {
      const std::lock_guard lock(mutex);
      is_store_lost = true;
      if (!departure && launch.rank != 0) {
        departure = PeerFailure{};
      }
      changed.notify_all();
    }
    std::unique_lock lock(mutex);
    changed.wait_for(lock, kBetweenSigns, [&] { return is_stopping || is_store_lost; });
    if (is_stopping || is_store_lost) {
      has_ended = true;
      changed.notify_all();
      return;
    }
  }
}

HeartbeatMonitor::HeartbeatMonitor(std::shared_ptr<SharedStore> store, const Launch& launch,
                                   double heartbeat_timeout)
    : state_(std::make_shared<State>()) {
  state_->store = std::move(store);
  state_->launch = launch;
  state_->patience = heartbeat_timeout;
  state_->signs.resize(launch.processes);
  state_->silences.resize(launch.processes);
  std::thread([state = state_] { state->watch(); }).detach();
}

HeartbeatMonitor::~HeartbeatMonitor() {
  const bool keeps_store = state_->launch.rank == 0;
  std::unique_lock lock(state_->mutex);
  const bool someone_left = state_->departure.has_value() && !state_->is_store_lost;
  const auto others = static_cast<std::int64_t>(state_->launch.processes) -
                      (someone_left && state_->departure->rank != 0 ? 2 : 1);
  lock.unlock();
  if (someone_left) {
    try {
      if (!keeps_store) {
        state_->store->add(kTold, 1);
      }
      for (Waiting waiting;
           keeps_store && state_->store->add(kTold, 0) < others && waiting.seconds() < kSecondsToTell;) {
        std::this_thread::sleep_for(kBetweenLooks);
      }
    } catch (const std::exception&) {
      // Process 0 does not answer because it has left too, so it need not be told.
    }
  }
  lock.lock();
  state_->is_stopping = true;
  state_->changed.notify_all();
  state_->changed.wait_for(lock, Seconds(1), [&] { return state_->has_ended; });
}

void HeartbeatMonitor::assemble() {
  State& state = *state_;
  const Launch& launch = state.launch;
  if (state.store->add(presence_of(launch.rank), 1) > 1) {
    throw Error(fmt::format("two processes have RANK {} at {}:{}", launch.rank, launch.address, launch.port));
  }
  for (Waiting waiting;;) {
    std::vector<std::size_t> missing;
    for (std::size_t rank = 0; rank < launch.processes; ++rank) {
      if (state.store->add(presence_of(rank), 0) == 0) {
        missing.push_back(rank);
      }
    }
    if (missing.empty()) {
      return;
    }
    throw_if_cancelled();
    if (const auto gone = departed()) {
      throw ProcessLost(*gone, launch.processes);
    }
    if (waiting.seconds() > state.patience) {
      throw Error(fmt::format("process{} {} of {} did not come to {}:{} within {:.0f} seconds",
                              missing.size() > 1 ? "es" : "", fmt::join(missing, ", "), launch.processes,
                              launch.address, launch.port, state.patience));
    }
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

std::optional<PeerFailure> HeartbeatMonitor::departed() const {
  const std::lock_guard lock(state_->mutex);
  return state_->departure;
}

PeerFailure HeartbeatMonitor::find_departed() {
  std::unique_lock lock(state_->mutex);
  const std::uint64_t rounds_before = state_->rounds;
  const bool is_known =
      state_->changed.wait_for(lock, Seconds(kSecondsToFind), [&] { return state_->departure.has_value(); });
  if (is_known) {
    return *state_->departure;
  }
  if (state_->rounds == rounds_before) {  // the thread is blocked in a call to process 0
    lock.unlock();
    give_up_on_store();
    return departed().value();
  }
  const auto most_silent = std::max_element(state_->silences.begin(), state_->silences.end());
  const auto rank = static_cast<std::size_t>(most_silent - state_->silences.begin());
  lock.unlock();
  state_->name({rank, "", false});
  return departed().value();
}

std::uint64_t HeartbeatMonitor::rounds() const {
  const std::lock_guard lock(state_->mutex);
  return state_->rounds;
}

void HeartbeatMonitor::give_up_on_store() {
  const std::lock_guard lock(state_->mutex);
  state_->is_store_lost = true;
  if (!state_->departure) {
    state_->departure = PeerFailure{.rank = 0, .reason = "", .was_stopped = false};
  }
  state_->changed.notify_all();
}

void HeartbeatMonitor::leave(const std::string& reason, bool was_stopped) noexcept {
  try {
    if (!departed()) {
      state_->name({state_->launch.rank, reason, was_stopped});
    }
  } catch (const std::exception&) {
    // The other processes notice that the heartbeats have stopped.
  }
}

}  // namespace molgauge::train
