#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace molgauge::memory {

/// The highest resident memory of the process between two moments.
///
/// The kernel records the exact peak. If the peak cannot be reset, a thread reads the resident memory every
/// few milliseconds and misses shorter peaks.
///
/// Thread safety: one thread uses an object. Objects of the `kernel` kind share the peak of the process, so
/// only one of them may be in use at a time.
class HostPeak {
 public:
  enum class Method { kernel, sampling };

  /// Uses the peak of the kernel if it can be reset. Otherwise uses sampling.
  HostPeak();
  explicit HostPeak(Method method);
  ~HostPeak();
  HostPeak(const HostPeak&) = delete;
  HostPeak& operator=(const HostPeak&) = delete;

  Method method() const { return method_; }

  /// Restarts the peak at the memory that is resident now.
  void reset();
  /// Bytes at the peak since the last reset, or since construction.
  std::uint64_t bytes();

 private:
  void sample();

  const Method method_;
  std::atomic<std::uint64_t> highest_{0};
  std::jthread sampler_;
};

}  // namespace molgauge::memory
