#pragma once

#include <cstdint>

/// The memory of this process, as the kernel counts it. All sizes are bytes.
///
/// Thread safety: every function may be called from any thread. The peak is one number for the whole process:
/// a reset affects all its users (memory/measure/phase.h shares it out among phases).
namespace headroom::memory {

/// Memory of the process that lies in RAM now (/proc/self/statm). Throws Error where /proc is not mounted.
std::uint64_t resident_bytes();

/// The highest resident_bytes() since the process started or the last reset (VmHWM of /proc/self/status).
/// Never below resident_bytes(). Throws Error where /proc is not mounted.
std::uint64_t peak_resident_bytes();

/// Restarts the peak at the memory that is resident now (writes 5 to /proc/self/clear_refs, proc(5)). Returns
/// false if the kernel or the sandbox forbids it. The peak then still covers the whole process.
bool reset_peak_resident();

}  // namespace headroom::memory
