#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace headroom::memory {

/// The highest resident memory of the process between two moments.
///
/// The kernel keeps that number and misses nothing; where it may not be reset, a thread looks at the resident
/// memory every few milliseconds, which misses peaks that are shorter than that.
///
/// Thread safety: none; one object is used by one thread. Objects of the `kernel` kind share the process's
/// one peak, so only one of them is in use at a time.
class HostPeak {
 public:
  enum class Method { kernel, sampling };

  /// The kernel's peak where it may be reset, else sampling.
  HostPeak();
  explicit HostPeak(Method method);
  ~HostPeak();
  HostPeak(const HostPeak&) = delete;
  HostPeak& operator=(const HostPeak&) = delete;

  Method method() const { return method_; }

  /// Starts anew at what is resident now.
  void reset();
  /// Bytes at the highest since the last reset, or since construction.
  std::uint64_t bytes();

 private:
  void sample();

  const Method method_;
  std::atomic<std::uint64_t> highest_{0};
  std::jthread sampler_;
};

}  // namespace headroom::memory
