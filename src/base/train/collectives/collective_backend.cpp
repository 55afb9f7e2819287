#include "base/train/collectives/collective_backend.h"

#include <chrono>
#include <cstdlib>
#include <utility>
#include <vector>

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#if defined(USE_C10D_GLOO)
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#elif defined(USE_C10D_NCCL)
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif

#include "base/core/error.h"
#include "base/train/collectives/c10d_store.h"

namespace molgauge::train {

#if defined(USE_C10D_GLOO) || defined(USE_C10D_NCCL)
namespace {

/// Timeout of an operation. It is long, because another process may compute for a long time before it joins.
/// Heartbeats detect a failed process earlier.
constexpr std::chrono::hours kLongest{24 * 365};

template <typename Work>
class Running final : public CollectiveBackend::Operation {
 public:
  /// When the operation ends, `travelling` is copied to `target`, unless both are the same tensor.
  Running(Work work, at::Tensor travelling, at::Tensor target)
      : work_(std::move(work)), travelling_(std::move(travelling)), target_(std::move(target)) {}

  bool is_done() override { return work_->isCompleted(); }
  void finish() override {
    work_->wait();
    if (!travelling_.is_same(target_)) {
      target_.copy_(travelling_);
    }
  }

 private:
  Work work_;
  at::Tensor travelling_, target_;
};

#if defined(USE_C10D_GLOO)
using Group = c10d::ProcessGroupGloo;

/// Chooses the network interface. If GLOO_SOCKET_IFNAME is set, uses that interface, as PyTorch does.
/// Otherwise uses the interface of the host name, or the loopback if all processes are on one machine.
c10::intrusive_ptr<Group> make_group(const c10::intrusive_ptr<c10d::Store>& store, const Launch& launch) {
  auto options = Group::Options::create(kLongest);
  options->threads = 1;
  if (const char* const name = std::getenv("GLOO_SOCKET_IFNAME"); name != nullptr && *name != '\0') {
    options->devices.push_back(Group::createDeviceForInterface(name));
  } else if (launch.address == "localhost" || launch.address.starts_with("127.")) {
    options->devices.push_back(Group::createDeviceForHostname("127.0.0.1"));
  } else {
    options->devices.push_back(Group::createDefaultDevice());
  }
  return c10::make_intrusive<Group>(store, static_cast<int>(launch.rank), static_cast<int>(launch.processes),
                                    options);
}

at::Tensor as_traveller(const at::Tensor& tensor, const Launch&) { return tensor; }
#else
using Group = c10d::ProcessGroupNCCL;

c10::intrusive_ptr<Group> make_group(const c10::intrusive_ptr<c10d::Store>& store, const Launch& launch) {
  auto options = Group::Options::create();
  options->timeout = kLongest;
  return c10::make_intrusive<Group>(store, static_cast<int>(launch.rank), static_cast<int>(launch.processes),
                                    options);
}

at::Tensor as_traveller(const at::Tensor& tensor, const Launch& launch) {
  return tensor.to(at::Device(at::kCUDA, static_cast<at::DeviceIndex>(launch.local_rank)));
}
#endif

class C10dExchange final : public CollectiveBackend {
 public:
  C10dExchange(const Launch& launch, const SharedStore& store)
      : launch_(launch),
        group_(make_group(c10::make_intrusive<c10d::PrefixStore>("exchange", store.handle().store), launch)) {
  }

  std::unique_ptr<Operation> broadcast(const at::Tensor& tensor, std::size_t root) override {
    std::vector<at::Tensor> travelling = {as_traveller(tensor, launch_)};
    c10d::BroadcastOptions options;
    options.rootRank = static_cast<int>(root);
    auto work = group_->broadcast(travelling, options);
    return std::make_unique<Running<decltype(work)>>(std::move(work), travelling.front(), tensor);
  }

 private:
  const Launch launch_;
  c10::intrusive_ptr<Group> group_;
};

}  // namespace

bool can_exchange() { return true; }

#if defined(USE_C10D_GLOO)
bool exchanges_through_gpus() { return false; }
#else
bool exchanges_through_gpus() { return true; }
#endif

std::unique_ptr<CollectiveBackend> connect(const Launch& launch, const SharedStore& store) {
  return std::make_unique<C10dExchange>(launch, store);
}
#else
bool can_exchange() { return false; }
bool exchanges_through_gpus() { return false; }

std::unique_ptr<CollectiveBackend> connect(const Launch& /*launch*/, const SharedStore& /*store*/) {
  throw Error(
      "this build can train in only one process, because it was compiled without the headers of Gloo (Debian "
      "package libgloo-dev) and NCCL");
}
#endif

}  // namespace molgauge::train
