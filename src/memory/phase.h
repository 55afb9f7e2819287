#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/duration.h"
#include "headroom/types.h"
#include "memory/device_probe.h"
#include "memory/host_peak.h"

namespace headroom::memory {

class Phase;

/// Measures the phases of a command (encoding, train, eval): wall-clock seconds, and host and device memory
/// at their highest while the phase ran.
///
/// Phases may follow each other or lie within each other (an evaluation in the midst of training); a phase's
/// figures include those of the phases within it. Phases of one name are one report: seconds add up, the
/// highest peak counts.
///
/// Thread safety: none; phases are begun and ended by one thread, whatever other threads do within them. The
/// peak of the host is one number for the whole process: use one recorder at a time.
class PhaseRecorder {
 public:
  /// `device`: nothing where no device is used; device peaks are 0 then.
  explicit PhaseRecorder(std::unique_ptr<DeviceProbe> device = nullptr);

  /// Begins a phase, which ends with the object that is returned. The recorder outlives it.
  [[nodiscard]] Phase begin(std::string name);

  /// Phases that have ended, in the order in which their names first ended.
  const std::vector<PhaseReport>& reports() const { return reports_; }
  /// The report of one name; all zero if no such phase has ended.
  PhaseReport report(const std::string& name) const;

 private:
  friend class Phase;
  void raise_peaks();
  void close(Phase& phase);

  HostPeak host_;
  std::unique_ptr<DeviceProbe> device_;
  std::vector<Phase*> open_;  ///< outermost first
  std::vector<PhaseReport> reports_;
};

/// A phase that runs. Make it before anything the phase allocates, and end it before that is freed: whatever
/// is declared after it in the same scope is still there for the destructors that run first, but the peak has
/// been seen by then in any case, since peaks are kept by the kernel and by the device's allocator.
class Phase {
 public:
  ~Phase();
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;

  /// Ends the phase now and returns its own figures (the recorder adds them to those of its name). Phases
  /// within it have ended before. Once only.
  PhaseReport end();

 private:
  friend class PhaseRecorder;
  Phase(PhaseRecorder& recorder, std::string name);

  PhaseRecorder* recorder_;  ///< null once ended
  Stopwatch watch_;
  PhaseReport figures_;
};

}  // namespace headroom::memory
