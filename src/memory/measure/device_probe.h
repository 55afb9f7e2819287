#pragma once

#include <cstdint>

namespace headroom::memory {

/// What a device's allocator says. Sizes are bytes.
struct DeviceMemory {
  // The highest since the last reset_peak().
  std::uint64_t peak_allocated = 0;  ///< in tensors
  std::uint64_t peak_reserved = 0;   ///< taken from the driver
  std::uint64_t peak_active = 0;     ///< in tensors, or freed while a stream still needs them

  std::uint64_t reserved = 0;  ///< now

  // Since the process started.
  std::uint64_t retries = 0;   ///< requests for which all that was cached was released
  std::uint64_t refusals = 0;  ///< requests that failed after that
};

/// A device's memory as its driver sees it now, other processes included, in bytes.
struct DeviceSpace {
  std::uint64_t free = 0, total = 0;
};

/// The device memory of this process, as its allocator counts it. Modules that know a device implement
/// it (over LibTorch's caching allocator, say); this one knows none.
///
/// Contract: all are called by the thread that begins and ends phases, while other threads may allocate.
/// Peaks count when memory is asked for, not when the device gets to the work, so that no thread waits for
/// the device. Neither throws.
class DeviceProbe {
 public:
  virtual ~DeviceProbe() = default;
  virtual DeviceMemory read() = 0;
  /// Slower than read(): the driver is asked.
  virtual DeviceSpace space() = 0;
  /// Starts the peaks anew at what is allocated now.
  virtual void reset_peak() = 0;
};

}  // namespace headroom::memory
