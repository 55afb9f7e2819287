#include "base/train/collectives/process_group.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <future>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/session/cancellation.h"
#include "base/train/collectives/collective_backend.h"
#include "base/train/collectives/shared_store.h"
#include "base/train/collectives/waiting.h"

namespace molgauge::train {
namespace {

constexpr std::chrono::duration<double> kShortestSleep{20e-6}, kLongestSleep{1e-3},
    kBetweenLooksAtResult{0.05};

/// Returns the result of `work`, which waits for other processes. `work` runs in a separate thread. The
/// thread is abandoned after `seconds`, or if `check` throws.
template <typename Result>
Result within(double seconds, std::function<Result()> work, const std::string& failure,
              const std::function<void()>& check) {
  std::packaged_task<Result()> task(std::move(work));
  std::future<Result> result = task.get_future();
  std::thread(std::move(task)).detach();
  for (Waiting waiting; result.wait_for(kBetweenLooksAtResult) != std::future_status::ready;) {
    throw_if_cancelled();
    check();
    if (waiting.seconds() > seconds) {
      throw Error(failure);
    }
  }
  return result.get();
}

}  // namespace

struct ProcessGroup::Connection {
  std::shared_ptr<SharedStore> store;
  std::unique_ptr<HeartbeatMonitor> heartbeats;
  std::shared_ptr<CollectiveBackend> exchange;
  double patience = 0;
};

ProcessGroup::ProcessGroup(const Launch& launch, double heartbeat_timeout)
    : launch_(launch), connection_(std::make_unique<Connection>()) {
  Connection& connection = *connection_;
  connection.patience = heartbeat_timeout;
  const std::string place = fmt::format("{}:{}", launch.address, launch.port);
  // LibTorch gets a timeout that is 5 seconds longer. Users therefore see the error message below.
  connection.store = within<std::shared_ptr<SharedStore>>(
      heartbeat_timeout,
      [launch, heartbeat_timeout] { return std::make_shared<SharedStore>(launch, heartbeat_timeout + 5); },
      fmt::format("process {} of {} found no process 0 at {} (MASTER_ADDR and MASTER_PORT) within {:.0f} "
                  "seconds",
                  launch.rank, launch.processes, place, heartbeat_timeout),
      [] {});
  connection.heartbeats = std::make_unique<HeartbeatMonitor>(connection.store, launch, heartbeat_timeout);
  connection.heartbeats->assemble();
  connection.exchange = within<std::shared_ptr<CollectiveBackend>>(
      heartbeat_timeout,
      [launch, store = connection.store] {
        return std::shared_ptr<CollectiveBackend>(connect(launch, *store));
      },
      fmt::format("process {} of {} could not connect to the others within {:.0f} seconds", launch.rank,
                  launch.processes, heartbeat_timeout),
      [&] {
        if (const auto gone = connection.heartbeats->departed()) {
          throw ProcessLost(*gone, launch.processes);
        }
      });
}

ProcessGroup::~ProcessGroup() {
  if (connection_->heartbeats && connection_->heartbeats->departed()) {
    // A thread of LibTorch may still wait for an operation. The objects are therefore never destroyed. The
    // process is about to end. If memory runs out here, it ends at once.
    // NOLINTNEXTLINE(bugprone-unhandled-exception-at-new)
    static_cast<void>(new std::shared_ptr<CollectiveBackend>(connection_->exchange));
  }
}

void ProcessGroup::fail() { throw ProcessLost(connection_->heartbeats->find_departed(), launch_.processes); }

void ProcessGroup::broadcast(const at::Tensor& tensor, std::size_t root) {
  HeartbeatMonitor& heartbeats = *connection_->heartbeats;
  std::unique_ptr<CollectiveBackend::Operation> operation;
  try {
    operation = connection_->exchange->broadcast(tensor, root);
  } catch (const std::exception&) {
    fail();
  }
  std::chrono::duration<double> sleep = kShortestSleep;
  Waiting waiting;
  std::uint64_t rounds = heartbeats.rounds();
  double heard = 0;  // time at which the number of rounds last grew
  while (!operation->is_done()) {
    std::this_thread::sleep_for(sleep);
    sleep = std::min<std::chrono::duration<double>>(2 * sleep, kLongestSleep);
    const double waited = waiting.seconds();
    if (const std::uint64_t now = heartbeats.rounds(); now != rounds) {
      rounds = now;
      heard = waited;
    }
    if (waited - heard > connection_->patience) {
      heartbeats.give_up_on_store();
    }
    if (heartbeats.departed()) {
      // The operation never ends, and LibTorch may still use its tensor. The operation and the tensor are
      // therefore never destroyed.
      static_cast<void>(operation.release());
      fail();
    }
  }
  try {
    operation->finish();
  } catch (const std::exception&) {
    fail();
  }
}

std::string ProcessGroup::text_of_first(std::string text) {
  at::Tensor length = at::full({1}, static_cast<std::int64_t>(text.size()), at::kLong);
  broadcast(length, 0);
  const auto bytes = length.item<std::int64_t>();
  if (bytes == 0) {
    return "";
  }
  at::Tensor content = at::empty({bytes}, at::kByte);
  if (is_first()) {
    std::memcpy(content.data_ptr(), text.data(), text.size());
  }
  broadcast(content, 0);
  return {static_cast<const char*>(content.data_ptr()), static_cast<std::size_t>(bytes)};
}

void ProcessGroup::meet() {
  for (std::size_t root = 0; root < size(); ++root) {
    broadcast(at::zeros({1}), root);
  }
}

void ProcessGroup::leave(const std::exception& reason) noexcept {
  if (connection_->heartbeats) {
    connection_->heartbeats->leave(reason.what(), dynamic_cast<const Interrupted*>(&reason) != nullptr);
  }
}

void require_same(ProcessGroup& group, const std::string& text, const std::string& what) {
  const std::string first = group.text_of_first(text);
  if (first != text) {
    throw UsageError(fmt::format("process {} was started with other {} than process 0: {}, there {}",
                                 group.rank(), what, text, first));
  }
}

}  // namespace molgauge::train
