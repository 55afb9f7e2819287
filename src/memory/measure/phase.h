#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/duration.h"
#include "headroom/types.h"
#include "memory/measure/allocation_meter.h"
#include "memory/measure/device_probe.h"
#include "memory/measure/host_peak.h"

namespace headroom::memory {

class Phase;

/// Is told of phases as they begin and end (to write them into a trace, say). Must not throw.
class PhaseObserver {
 public:
  virtual ~PhaseObserver() = default;
  virtual void began(std::string_view name) = 0;
  virtual void ended() = 0;
};

/// Measures the phases of a command (encoding, train, eval): wall-clock seconds, and memory of the host, of
/// CPU tensors and of the device at their peak while the phase ran.
///
/// Phases may follow each other or be nested (an evaluation within training). The figures of a phase include
/// its nested phases. Phases of one name share a report: seconds and counts add up, and the highest peak is
/// kept. A phase ends, and is recorded, also when an exception leaves its scope.
///
/// Thread safety: one thread begins and ends phases, while other threads may work within them. The
/// peaks of host and tensors are one number for the whole process: use one recorder at a time.
class PhaseRecorder {
 public:
  /// The sources of figures other than the host. Without them the figures are 0. `tensors` outlives the
  /// recorder.
  explicit PhaseRecorder(std::unique_ptr<DeviceProbe> device = nullptr, AllocationMeter* tensors = nullptr);

  /// Begins a phase, which ends with the returned object. The recorder outlives it.
  [[nodiscard]] Phase begin(std::string name);
  /// As begin(), for a step that occurs thousands of times (forward, backward): the host is not measured, so
  /// that a step costs less than a microsecond without a device. Its report is called "train / forward".
  [[nodiscard]] Phase begin_step(std::string_view name);

  /// Sets the observer of phases; nullptr: none. The observer outlives its use.
  void observe(PhaseObserver* observer) { observer_ = observer; }

  /// Phases that have ended, in the order in which their names first ended.
  const std::vector<PhaseReport>& reports() const { return reports_; }
  /// The report of one name; all zero if no such phase has ended.
  PhaseReport report(const std::string& name) const;
  /// The name of the running phase; empty between phases.
  std::string current() const;

 private:
  friend class Phase;
  friend class PhaseMark;
  /// Counts since the process started.
  struct Counts {
    std::uint64_t refused_tensors = 0, device_retries = 0, device_refusals = 0;
  };
  enum class Measured { everything, all_but_host };

  void raise_peaks(Measured measured);
  void reset_peaks(Measured measured);
  Counts counts();
  void open(Phase& phase);
  void close(Phase& phase);

  HostPeak host_;
  std::unique_ptr<DeviceProbe> device_;
  AllocationMeter* tensors_;
  PhaseObserver* observer_ = nullptr;
  std::vector<Phase*> open_;  ///< outermost first
  std::vector<PhaseReport> reports_;
};

/// A running phase. Make it before anything the phase allocates, and end it before that is freed. Objects
/// that are declared after it in the same scope are destroyed before it ends, but the peak is recorded by
/// then in any case, since the kernel and the allocators keep the peaks.
class Phase {
 public:
  ~Phase();
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;

  /// Sets the planned peak, for the report.
  void set_planned(std::uint64_t bytes) { figures_.planned_memory_bytes = bytes; }

  /// Ends the phase now and returns its own figures (the recorder adds them to those of its name). The phases
  /// within it must have ended. To be called once only.
  PhaseReport end();

 private:
  friend class PhaseRecorder;
  Phase(PhaseRecorder& recorder, std::string name, PhaseRecorder::Measured measured);

  PhaseRecorder* recorder_;  ///< null once ended
  PhaseRecorder::Measured measured_;
  PhaseRecorder::Counts at_begin_;
  Stopwatch watch_;
  PhaseReport figures_;
};

/// PhaseRecorder::begin_step() where `recorder` is not null, else nothing.
[[nodiscard]] std::unique_ptr<Phase> begin_step(PhaseRecorder* recorder, std::string_view name);

/// Names the position of the running phase (epoch 5), for the observer alone: nothing is measured.
class PhaseMark {
 public:
  /// Without effect where `recorder` is null.
  PhaseMark(const PhaseRecorder* recorder, std::string_view name);
  ~PhaseMark();
  PhaseMark(const PhaseMark&) = delete;
  PhaseMark& operator=(const PhaseMark&) = delete;

 private:
  PhaseObserver* observer_;
};

}  // namespace headroom::memory
