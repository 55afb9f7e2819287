#include "ops/device_trace.h"

#include "core/error.h"
#include "ops/torch_compatibility.h"

#if defined(HEADROOM_WITH_CUDA) && HEADROOM_TRACES_DEVICES
#include <mutex>

#include <c10/cuda/CUDACachingAllocator.h>
#endif

namespace headroom::ops {

#if defined(HEADROOM_WITH_CUDA) && HEADROOM_TRACES_DEVICES
namespace {

/// Who is told. LibTorch keeps what is attached for good, so that one listener is attached once.
struct Listener {
  std::mutex mutex;
  allocator::AllocationTrace* trace = nullptr;
  c10::DeviceIndex device = -1;
};

Listener& listener() {
  // Never destroyed: tensors of static duration are freed after main().
  static auto* const instance = new Listener();
  return *instance;
}

/// Called under the allocator's lock, so that events come in their order.
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
      return;  // segments are the allocator's answer, which a simulation gives itself
  }
}

template <typename Entry>
void hear(const Entry& entry) {
  Listener& to = listener();
  const std::lock_guard lock(to.mutex);
  if (to.trace != nullptr && entry.device_ == to.device) {
    to.trace->record([&](allocator::TraceWriter& writer) { write(writer, entry); });
  }
}

}  // namespace

DeviceTrace::DeviceTrace(c10::Device device, allocator::AllocationTrace& trace) {
  Listener& to = listener();
  {
    const std::lock_guard lock(to.mutex);
    to.trace = &trace;
    to.device = device.index();
  }
  static const bool attached = [] {
    c10::cuda::CUDACachingAllocator::attachAllocatorTraceTracker([](const auto& entry) { hear(entry); });
    return true;
  }();
  static_cast<void>(attached);
}

DeviceTrace::~DeviceTrace() {
  const std::lock_guard lock(listener().mutex);
  listener().trace = nullptr;
}
#else
DeviceTrace::DeviceTrace(c10::Device device, allocator::AllocationTrace& /*trace*/) {
  throw UsageError("--memory-trace on " + device.str() +
                   ": this LibTorch cannot tell of its allocations; build against LibTorch 2.3 or newer with "
                   "CUDA, or trace on --device cpu");
}
DeviceTrace::~DeviceTrace() = default;
#endif

}  // namespace headroom::ops
