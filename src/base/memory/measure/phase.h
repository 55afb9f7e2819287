#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/text/duration.h"
#include "base/memory/measure/allocation_meter.h"
#include "base/memory/measure/device_probe.h"
#include "base/memory/measure/host_peak.h"
#include "molgauge/types.h"

namespace molgauge::memory {

class Phase;

/// Receives the begin and end of phases, for example to write them into a trace. Must not throw.
class PhaseObserver {
 public:
  virtual ~PhaseObserver() = default;
  virtual void began(std::string_view name) = 0;
  virtual void ended() = 0;
};

/// Measures the phases of a command (encoding, train, eval): wall-clock seconds, and the peak memory of the
/// host, of CPU tensors and of the device.
///
/// Phases may follow each other or be nested, for example an evaluation within training. The figures of a
/// phase include its nested phases. Phases with the same name share a report: seconds and counts are added,
/// and the highest peak is kept. If an exception leaves the scope of a phase, the phase ends and is recorded.
///
/// Thread safety: one thread begins and ends phases, while other threads may work within them. The peaks of
/// host and tensors belong to the whole process, so use one recorder at a time.
class PhaseRecorder {
 public:
  /// `device` measures device memory, and `tensors` measures CPU tensors. The figures of a null argument are
  /// 0. `tensors` must outlive the recorder.
  explicit PhaseRecorder(std::unique_ptr<DeviceProbe> device = nullptr, AllocationMeter* tensors = nullptr);

  /// Begins a phase. The phase ends when the returned object is destroyed. The recorder must outlive this
  /// object.
  [[nodiscard]] Phase begin(std::string name);
  /// Begins a step of a phase, such as "forward" or "backward". Steps can occur thousands of times. Host
  /// memory is therefore not measured for them. If no device is measured either, a step costs less than a
  /// microsecond. A report of a step is named "train / forward".
  [[nodiscard]] Phase begin_step(std::string_view name);

  /// Sets the observer of phases. It must live until it is replaced. nullptr removes it.
  void observe(PhaseObserver* observer) { observer_ = observer; }

  /// The reports of finished phases, in the order in which their names first ended.
  const std::vector<PhaseReport>& reports() const { return reports_; }
  /// Returns the report of the phases with this name. All its figures are 0 if no such phase has ended.
  PhaseReport report(const std::string& name) const;
  /// The name of the running phase. Empty between phases.
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
  std::vector<Phase*> open_;  ///< open phases, the outermost first
  std::vector<PhaseReport> reports_;
};

/// A running phase. Create it before all objects that allocate in the phase. These objects are then destroyed
/// before the phase ends. Their memory still counts, because the kernel and the allocators record peaks.
class Phase {
 public:
  ~Phase();
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;

  /// Sets the planned peak, for the report.
  void set_planned(std::uint64_t bytes) { figures_.planned_memory_bytes = bytes; }

  /// Ends the phase and returns its figures. The recorder adds them to the report of the name. Nested phases
  /// must have ended. Call it at most once.
  PhaseReport end();

 private:
  friend class PhaseRecorder;
  Phase(PhaseRecorder& recorder, std::string name, PhaseRecorder::Measured measured);

  PhaseRecorder* recorder_;  ///< null after the phase has ended
  PhaseRecorder::Measured measured_;
  PhaseRecorder::Counts at_begin_;
  Stopwatch watch_;
  PhaseReport figures_;
};

/// Calls PhaseRecorder::begin_step() if `recorder` is not null.
[[nodiscard]] std::unique_ptr<Phase> begin_step(PhaseRecorder* recorder, std::string_view name);

/// Tells the observer the position within the running phase, for example epoch 5. Measures nothing.
class PhaseMark {
 public:
  /// Has no effect if `recorder` is null.
  PhaseMark(const PhaseRecorder* recorder, std::string_view name);
  ~PhaseMark();
  PhaseMark(const PhaseMark&) = delete;
  PhaseMark& operator=(const PhaseMark&) = delete;

 private:
  PhaseObserver* observer_;
};

}  // namespace molgauge::memory
