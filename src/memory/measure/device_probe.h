#pragma once

#include <cstdint>

namespace headroom::memory {

/// Figures of a device's allocator. Sizes are bytes.
struct DeviceMemory {
  // Peaks since the last reset_peak().
  std::uint64_t peak_allocated = 0;  ///< in tensors
  std::uint64_t peak_reserved = 0;   ///< taken from the driver
  std::uint64_t peak_active = 0;     ///< in tensors, or freed while a stream still needs them

  std::uint64_t reserved = 0;  ///< now

  // Counts since the process started.
  std::uint64_t retries = 0;   ///< requests for which all cached memory was released
  std::uint64_t refusals = 0;  ///< requests that failed after that
};

/// A device's memory as its driver sees it now, other processes included, in bytes.
struct DeviceSpace {
  std::uint64_t free = 0, total = 0;
};

/// The device memory of this process, as its allocator counts it. Modules that know a device implement
/// it (over LibTorch's caching allocator, say); this module knows none.
///
/// Contract: all methods are called by the thread that begins and ends phases, while other threads may
/// allocate. Peaks count when memory is requested, not when the device starts the work, so that no thread
/// waits for the device. The methods do not throw.
class DeviceProbe {
 public:
  virtual ~DeviceProbe() = default;
  virtual DeviceMemory read() = 0;
  /// Slower than read(), because it asks the driver.
  virtual DeviceSpace space() = 0;
  /// Restarts the peaks at the bytes that are allocated now.
  virtual void reset_peak() = 0;
};

}  // namespace headroom::memory
