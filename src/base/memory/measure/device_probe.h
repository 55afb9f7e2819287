#pragma once

#include <cstdint>

namespace molgauge::memory {

/// Figures of the allocator of a device, in bytes.
struct DeviceMemory {
  // Peaks since the last reset_peak().
  std::uint64_t peak_allocated = 0;  ///< bytes in tensors
  std::uint64_t peak_reserved = 0;   ///< bytes taken from the driver
  std::uint64_t peak_active = 0;     ///< bytes in tensors, plus freed bytes that a stream still needs

  std::uint64_t reserved = 0;  ///< bytes that are reserved now

  // Counts since the process started.
  std::uint64_t retries = 0;   ///< requests for which all cached memory was released
  std::uint64_t refusals = 0;  ///< requests that failed even after the cache was released
};

/// The memory of a device in bytes, including the memory of other processes, as its driver reports it.
struct DeviceSpace {
  std::uint64_t free = 0, total = 0;
};

/// Reads the device memory of this process from its allocator. Each kind of device has an implementation, for
/// example for the caching allocator of LibTorch.
///
/// All methods are called by the thread that begins and ends phases, while other threads may allocate. Memory
/// counts from the moment of its request, even if the device starts the work later. No thread must therefore
/// wait for the device. The methods do not throw.
class DeviceProbe {
 public:
  virtual ~DeviceProbe() = default;
  virtual DeviceMemory read() = 0;
  /// Returns the memory of the whole device. Slower than read(), because it asks the driver.
  virtual DeviceSpace space() = 0;
  /// Restarts the peaks at the bytes that are allocated now.
  virtual void reset_peak() = 0;
};

}  // namespace molgauge::memory
