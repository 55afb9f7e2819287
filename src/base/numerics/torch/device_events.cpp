#include "base/numerics/torch/device_events.h"

#include "base/numerics/torch/torch_compatibility.h"

#if defined(MOLGAUGE_WITH_CUDA) && MOLGAUGE_TRACES_DEVICES
#include <array>
#include <mutex>

#include <c10/cuda/CUDACachingAllocator.h>

#include "base/numerics/torch/device.h"
#endif

namespace molgauge::torch {

#if defined(MOLGAUGE_WITH_CUDA) && MOLGAUGE_TRACES_DEVICES
namespace {

/// The receivers of events. LibTorch never removes a listener, so only one is attached.
struct Listener {
  std::array<memory::AllocationMeter, C10_COMPILE_TIME_MAX_GPUS> meters;
  std::mutex mutex;  ///< guards `trace`
  allocator::AllocationTrace* trace = nullptr;
  c10::DeviceIndex traced = -1;
};

template <typename Entry>
void count(memory::AllocationMeter& meter, const Entry& entry) {
  switch (entry.action_) {
    case Entry::ALLOC:
      return meter.count(entry.addr_, entry.size_);
    case Entry::FREE_REQUESTED:
      return meter.freed(entry.addr_, entry.size_);
    case Entry::OOM:
      return meter.count_refusal(entry.size_);
    default:
      return;
  }
}

template <typename Entry>
void write(allocator::TraceWriter& writer, const Entry& entry) {
  const auto stream = reinterpret_cast<std::uint64_t>(entry.stream_);
  switch (entry.action_) {
    case Entry::ALLOC:
      return writer.allocate(entry.addr_, entry.size_, stream);
    case Entry::FREE_REQUESTED:
      return writer.request_free(entry.addr_, entry.size_, stream);
    case Entry::FREE_COMPLETED:
      return writer.complete_free(entry.addr_, entry.size_, stream);
    case Entry::OOM:
      return writer.out_of_memory(entry.size_, stream);
    default:
      return;  // events of segments are not recorded, because a simulation computes its own segments
  }
}

/// The allocator holds its lock during this call, so events arrive in order.
template <typename Entry>
void hear(Listener& listener, const Entry& entry) {
  count(listener.meters.at(static_cast<std::size_t>(entry.device_)), entry);
  const std::lock_guard lock(listener.mutex);
  if (listener.trace != nullptr && entry.device_ == listener.traced) {
    listener.trace->record([&](allocator::TraceWriter& writer) { write(writer, entry); });
  }
}

Listener& listener() {
  // Never destroyed, because static tensors are freed after main().
  static Listener* const attached = [] {
    auto* const made = new Listener();
    c10::cuda::CUDACachingAllocator::attachAllocatorTraceTracker(
        [made](const auto& entry) { hear(*made, entry); });
    return made;
  }();
  return *attached;
}

}  // namespace

memory::AllocationMeter* device_tensor_memory(c10::Device device) {
  if (!device.is_cuda()) {
    return nullptr;
  }
  start_device(device);
  return &listener().meters.at(static_cast<std::size_t>(indexed(device).index()));
}

bool trace_device_events(c10::Device device, allocator::AllocationTrace* trace) {
  start_device(device);
  Listener& to = listener();
  const std::lock_guard lock(to.mutex);
  to.trace = trace;
  to.traced = indexed(device).index();
  return true;
}
#else
memory::AllocationMeter* device_tensor_memory(c10::Device /*device*/) { return nullptr; }
bool trace_device_events(c10::Device /*device*/, allocator::AllocationTrace* /*trace*/) { return false; }
#endif

}  // namespace molgauge::torch
