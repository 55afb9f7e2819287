#include "base/memory/measure/host_peak.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>

#include "base/memory/measure/host_memory.h"

namespace molgauge::memory {
namespace {

constexpr auto kSampleEvery = std::chrono::milliseconds(5);

}  // namespace

HostPeak::HostPeak() : HostPeak(reset_peak_resident() ? Method::kernel : Method::sampling) {}

HostPeak::HostPeak(Method method) : method_(method) {
  reset();
  if (method_ == Method::sampling) {
    sampler_ = std::jthread([this](const std::stop_token& stop) {
      std::mutex mutex;
      std::condition_variable_any stopped;
      std::unique_lock lock(mutex);
      while (!stopped.wait_for(lock, stop, kSampleEvery, [&] { return stop.stop_requested(); })) {
        sample();
      }
    });
  }
}

HostPeak::~HostPeak() = default;

void HostPeak::reset() {
  if (method_ == Method::kernel) {
    reset_peak_resident();
  } else {
    highest_ = resident_bytes();
  }
}

std::uint64_t HostPeak::bytes() {
  if (method_ == Method::kernel) {
    return peak_resident_bytes();
  }
  sample();
  return highest_;
}

void HostPeak::sample() {
  const std::uint64_t now = resident_bytes();
  std::uint64_t highest = highest_;
  while (now > highest && !highest_.compare_exchange_weak(highest, now)) {
  }
}

}  // namespace molgauge::memory
