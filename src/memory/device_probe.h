#pragma once

#include <cstdint>

namespace headroom::memory {

/// The device memory of this process, as whoever allocates it counts it. Modules that know a device implement
/// it (over LibTorch's caching allocator, say); this one knows none.
///
/// Contract: `peak_bytes` is the highest number of bytes that were allocated at one moment (not merely
/// reserved) since the last `reset_peak`, work that has been queued on the device included; `reset_peak`
/// starts it anew at what is allocated now. Both are called by the thread that begins and ends phases, while
/// other threads may allocate. Neither throws.
class DeviceProbe {
 public:
  virtual ~DeviceProbe() = default;
  virtual std::uint64_t peak_bytes() = 0;
  virtual void reset_peak() = 0;
};

}  // namespace headroom::memory
