#pragma once

#include <cstdint>

/// The memory of this process, as the kernel counts it. All sizes are bytes.
///
/// Thread safety: every function may be called from any thread. There is only one peak for the whole process,
/// so a reset affects all users. base/memory/measure/phase.h measures the peaks of phases.
namespace molgauge::memory {

/// The memory of the process that is in RAM now (/proc/self/statm). Throws Error if /proc is not mounted.
std::uint64_t resident_bytes();

/// The highest resident_bytes() since the process started or since the last reset (VmHWM in
/// /proc/self/status). Never below resident_bytes(). Throws Error if /proc is not mounted.
std::uint64_t peak_resident_bytes();

/// Restarts the peak at the memory that is resident now (writes 5 to /proc/self/clear_refs, proc(5)). Returns
/// false if the kernel or the sandbox forbids the reset. The peak then stays the peak since the start of the
/// process.
bool reset_peak_resident();

}  // namespace molgauge::memory
