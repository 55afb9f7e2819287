#pragma once

#include <cstdint>

namespace headroom::memory {

/// Figures of the allocator of a device, in bytes.
struct DeviceMemory {
  // Peaks since the last reset_peak().
  std::uint64_t peak_allocated = 0;  ///< in tensors
  std::uint64_t peak_reserved = 0;   ///< taken from the driver
  std::uint64_t peak_active = 0;     ///< in tensors, or freed while a stream still needs them

  std::uint64_t reserved = 0;  ///< now

  // Counts since the process started.
  std::uint64_t retries = 0;   ///< requests for which all cached memory was released
  std::uint64_t refusals = 0;  ///< requests that failed even then
};

/// The memory of a device as its driver sees it, including other processes, in bytes.
struct DeviceSpace {
  std::uint64_t free = 0, total = 0;
};

/// The device memory of this process, as its allocator counts it. Modules for a device implement it, for
/// example over the caching allocator of LibTorch.
///
/// Contract: the thread that begins and ends phases calls all methods, while other threads may allocate.
/// Peaks count when memory is requested, not when the device starts the work, so no thread waits for the
/// device. The methods do not throw.
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
